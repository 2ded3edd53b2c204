import { createSummary } from '@tailrace/core';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../../test/fields.ts';
import { type Drafts, printed } from '../../test/printed.ts';
import { createPalette } from './palette.ts';
import { createPrinter } from './printer.ts';
import { closingLines } from './report.ts';

const palette = createPalette(false);
const session = { type: 'session-start', agent: 'claude', model: 'a-model', cwd: '/home/me/shop' } as const;
const full = { code: 'context_full', message: 'There is\n no room.' } as const;
const error = { type: 'error', error: full, fatal: true } as const;
const failed = { type: 'turn-end', turnId: 't', outcome: 'error', stopReason: 'context_full', error: full } as const;
const said = (text: string) => ({ type: 'text-end', messageId: text, blockId: text, text }) as const;
const injected = (text: string) =>
  ({ type: 'user-message', content: [{ type: 'text', text }], origin: 'injected' }) as const;

function withEnd(drafts: Drafts): string {
  const printer = createPrinter(palette, { columns: 60 });
  const fold = createSummary();
  let text = '';
  for (const event of eventsOf([...drafts, { type: 'session-end', outcome: 'error', error: full, turns: 1 }])) {
    fold.add(event);
    text += printer.print(event);
  }
  const summary = fold.summary(9);
  return text + printer.close() + closingLines(summary, palette, { changed: printer.changed, told: printer.told });
}

describe('an error', () => {
  test('is told once when the run ends with it', () => {
    expect(withEnd([session, error, failed]).match(/no room|is full/g)).toHaveLength(1);
  });

  test('is told again at the end when there was something after it', () => {
    expect(withEnd([session, error, said('Once more.'), failed]).match(/no room/g)).toHaveLength(2);
  });

  test('stands at the end when nothing told it before, in words with one space between them', () => {
    const shown = withEnd([session, failed]);
    expect(shown).toContain('⚠ stopped: the context is full');
    expect(shown).toContain('  There is no room.\n');
  });
});

describe('what is told twice is shown once', () => {
  test('a notice that is the result too', () => {
    const notice = { type: 'notice', severity: 'warning', title: 'Blocked:\n by a hook' } as const;
    const turn = { type: 'turn-end', turnId: 't', outcome: 'success', result: 'Blocked:\nby a hook' } as const;
    expect(printed([notice, turn])).toBe('  ⚠ Blocked: by a hook\n');
  });

  test('a compaction that failed, and the notice of it', () => {
    const notice = { type: 'notice', severity: 'warning', title: 'compaction failed: too small', line: 6 } as const;
    const end = { type: 'compaction-end', compactionId: 'c', outcome: 'error', line: 6 } as const;
    expect(printed([notice, end])).toBe('  ⚠ compaction failed: too small\n');
    expect(printed([end])).toContain('the context could not be compacted');
  });

  test('a prompt that the next one takes up', () => {
    const prompt = (text: string) =>
      ({ type: 'user-message', content: [{ type: 'text', text }], origin: 'replay' }) as const;
    expect(printed([prompt('First'), said('One.'), prompt('Second'), prompt('Second\nThird')])).toBe(
      'You  First\n\nOne.\n\nYou  Second\n\nYou  Third\n',
    );
  });
});

describe('what nobody would guess is told', () => {
  test('a turn that was interrupted, when another follows', () => {
    const cut = {
      type: 'turn-end',
      turnId: 't',
      outcome: 'cancelled',
      error: { code: 'cancelled', message: 'interrupted' },
    } as const;
    expect(printed([said('This answ'), injected('[interrupted]'), cut, said('Second.')])).toBe(
      'This answ\n  ⚠ interrupted\n\nSecond.\n',
    );
  });

  test('what the model was told in the middle', () => {
    expect(printed([said('I am done.'), injected('A hook says:\none thing more.'), said('One thing more.')])).toBe(
      'I am done.\n  ┊ told: A hook says: one thing more.\n\nOne thing more.\n',
    );
  });

  test('but not what is written in tags, unless everything is wanted', () => {
    const drafts = [said('One.'), injected('<reminder>do</reminder>'), said('Two.')];
    expect(printed(drafts)).toBe('One.\n\nTwo.\n');
    expect(printed(drafts, { full: true })).toContain('┊ told: <reminder>');
  });

  test('but not the summary of a context that was compacted', () => {
    const compacted = { type: 'compaction-end', compactionId: 'c', outcome: 'success' } as const;
    expect(printed([compacted, injected('This session goes on from …'), said('Well.')])).toBe(
      '  ── context compacted ──\n\nWell.\n',
    );
  });

  test('that an answer broke off of which nothing was taken back', () => {
    expect(printed([said('One. '), { type: 'message-retract', reason: 'the stream broke' }])).toBe(
      'One.\n  (the answer breaks off)\n',
    );
  });

  test('another session', () => {
    const turn = (sessionId: string) => ({ type: 'turn-start', turnId: sessionId, sessionId }) as const;
    expect(printed([turn('a'), said('One.'), turn('a'), said('Two.'), turn('b'), said('Three.')])).toBe(
      'One.\n\nTwo.\n  ── a new session ──\n\nThree.\n',
    );
  });

  test('that an answer was cut off in the middle', () => {
    const step = { type: 'step-end', stepId: 's', stopReason: 'max_tokens' } as const;
    expect(printed([said('The first half of'), step, injected('Go on.'), said('a sentence.')], { columns: 80 })).toBe(
      'The first half of\n  ⚠ the answer was cut off: it reached the longest length\n  ┊ told: Go on.\n\na sentence.\n',
    );
  });
});
