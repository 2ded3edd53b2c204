import type { AgentStreamEvent } from '@tailrace/core';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../../test/fields.ts';
import { KINDS, parseKinds } from './kinds.ts';
import { createMarkdown } from './markdown.ts';
import { createPalette } from './palette.ts';
import { createPrinter, type PrinterOptions } from './printer.ts';

const palette = createPalette(false);
const markdown = createMarkdown(palette);

type Drafts = Parameters<typeof eventsOf>[0];

function printed(drafts: Drafts, options: PrinterOptions = {}): string {
  const printer = createPrinter(palette, { markdown, columns: 60, ...options });
  return (
    eventsOf(drafts)
      .map((event) => printer.print(event))
      .join('') + printer.close()
  );
}

const ids = { messageId: 'm', blockId: 'b' };
const session = { type: 'session-start', agent: 'claude', model: 'a-model', cwd: '/home/me/shop' } as const;
const bash = { toolCallId: 'c', toolName: 'Bash' };
const start = { type: 'tool-call-start', ...bash, kind: 'execute', title: 'npm test' } as const;
const end = (text: string, outcome: 'success' | 'error' = 'success') =>
  ({ type: 'tool-call-end', ...bash, outcome, content: [{ type: 'text', text }], durationMs: 1200 }) as const;
const prompt = (text: string) =>
  ({ type: 'user-message', content: [{ type: 'text', text }], origin: 'prompt' }) as const;

describe('the first line', () => {
  test('has the prompt at the left, model and project at the right', () => {
    expect(printed([session, { type: 'turn-start', turnId: 't' }, prompt('Fix the test')])).toBe(
      '● Fix the test                                a-model · shop\n',
    );
  });

  test('is without a prompt where the stream tells none', () => {
    expect(printed([session, { type: 'text-end', ...ids, text: 'Hello.' }])).toBe('● a-model · shop\n\nHello.\n');
  });

  test('is cut where the prompt is long, and all of it stands below', () => {
    const text = printed([session, prompt(`Fix the test. ${'It fails again and again. '.repeat(3)}\nPlease.`)]);
    expect(text.split('\n')[0]).toMatch(/^● Fix the test\. It fails again.*… {2}a-model · shop$/);
    expect(text).toContain('\n     Please.\n');
  });

  test('names the agent where it tells no model', () => {
    expect(
      printed([
        { type: 'session-start', agent: 'codex' },
        { type: 'text-end', ...ids, text: 'Hi.' },
      ]),
    ).toMatch(/^● codex\n/);
  });
});

describe('cards', () => {
  const output = Array.from({ length: 44 }, (_, at) => `line ${at + 1}`).join('\n');

  test('a command shows its last lines, one that failed more of them, and --full all', () => {
    expect(printed([start, end(output)])).toBe(
      '  ✓ Bash  npm test                                     1.2 s\n' +
        '      … 41 more lines (--full)\n      line 42\n      line 43\n      line 44\n',
    );
    expect(printed([start, end(output, 'error')]).split('\n')).toHaveLength(11);
    expect(printed([start, end(output)], { full: true })).toContain('      line 1\n');
  });

  test('stand below while they run, and become done', () => {
    let now = 0;
    const printer = createPrinter(palette, { markdown, columns: 60, now: () => now });
    const [begun, over] = eventsOf([start, end('ok')]) as [AgentStreamEvent, AgentStreamEvent];
    expect(printer.print(begun)).toBe('');
    now = 3_000;
    expect(printer.live()).toEqual(['  … Bash  npm test                                       3 s']);
    expect(printer.print(over)).toBe('');
    // What belongs to it may still come, but nobody waits for that.
    expect(printer.isPending).toBe(true);
    expect(printer.live()[0]).toMatch(/✓ Bash/);
    expect(printer.endLine()).toMatch(/✓ Bash/);
    expect(printer.isPending).toBe(false);
    expect(printer.live()).toEqual([]);
  });

  test('a paragraph stands below as it is written, and is laid out once it is whole', () => {
    const printer = createPrinter(palette, { markdown, columns: 30, now: () => 0 });
    const delta = (text: string): string => {
      const [event] = eventsOf([{ type: 'text-delta', ...ids, delta: text }]);
      return event ? printer.print(event) + printer.flush() : '';
    };
    expect(delta('The water comes ')).toBe('');
    expect(delta('through the race')).toBe('');
    expect(printer.live()).toEqual(['The water comes through the', 'race']);
    expect(delta('.\n\nNext comes the wheel')).toBe('The water comes through the\nrace.\n');
    expect(printer.live().join('\n')).toMatch(/^\nNext comes the/);
    expect(printer.close()).toBe('\nNext comes the wheel\n');
  });

  test('what a sub-agent does stands under its card, with what it cost', () => {
    const task = {
      type: 'task-start',
      taskId: 's',
      kind: 'agent',
      toolCallId: 'c',
      name: 'Explore',
      description: 'Find it',
    } as const;
    const inner = { toolCallId: 'i', toolName: 'Grep', subagentId: 's' };
    const text = printed(
      [
        { ...start, toolName: 'Agent', kind: 'think', title: 'Find it' },
        task,
        { type: 'tool-call-start', ...inner, kind: 'search', title: 'settle' },
        { type: 'tool-call-end', ...inner, outcome: 'success', content: [] },
        { ...end(''), toolName: 'Agent' },
      ],
      { spent: () => ({ costUsd: 0.11, costState: 'estimated', usage: {} }) },
    );
    expect(text).toMatch(/^ {2}✓ Agent Find it \(Explore\) +1\.2 s {2}~\$0\.110\n {6}✓ Grep {2}settle\n$/);
  });

  test('a change stands on the card of its call', () => {
    const change = {
      type: 'file-change',
      toolCallId: 'c',
      outcome: 'success',
      changes: [{ path: 'a', operation: 'modify', patch: '@@ -1 +1 @@\n-old\n+new' }],
    } as const;
    const text = printed([
      { ...start, toolName: 'Edit', kind: 'edit', title: 'a' },
      { ...end(''), toolName: 'Edit' },
      change,
    ]);
    expect(text).toBe('  ✓ Edit  a  +1 −1                                     1.2 s\n      - old\n      + new\n');
  });
});

describe('[M-06] a line that is not JSON', () => {
  test('[M-06] is shown as text', () => {
    expect(printed([{ type: 'raw', reason: 'not_json', text: 'Welcome to the mill', line: 1 }])).toBe(
      '  Welcome to the mill\n',
    );
    expect(printed([{ type: 'raw', reason: 'not_json', text: '[info] starting', line: 1 }])).toContain(
      '[info] starting',
    );
  });

  test.each(['{"type":"assistant","mess', '{ "a": 1,,}', '[{"a"'])(
    '[M-06] unless it is broken protocol JSON: %s',
    (text) => {
      const shown = printed([{ type: 'raw', reason: 'not_json', text, line: 7 }]);
      expect(shown).toBe('  (line 7 is broken JSON)\n');
    },
  );
});

describe('--only', () => {
  const all: Drafts = [
    session,
    prompt('Do it'),
    { type: 'reasoning-end', ...ids, text: 'hmm', form: 'full' },
    { type: 'text-end', ...ids, text: 'Well.' },
    start,
    end('ok'),
    { type: 'todo-update', entries: [{ content: 'a task', status: 'pending' }] },
    { type: 'file-change', outcome: 'success', changes: [{ path: 'new.txt', operation: 'add', newText: 'x' }] },
    { type: 'error', error: { code: 'unknown', message: 'broken' }, fatal: false },
    { type: 'permission-request', requestId: 'r', toolName: 'Bash', title: 'rm' },
  ];
  const asked = '  ? Bash asks: rm\n';

  test.each<[string, string]>([
    ['text', 'Well.\n'],
    ['prompts', 'You  Do it\n'],
    ['reasoning', '  ┊ thought (1 word)\n  ┊ hmm\n'],
    ['tools', '  ✓ Bash  npm test                                     1.2 s\n      ok\n'],
    ['todos', '    ○ a task                                             0/1\n'],
    ['files', '    add new.txt  +1 −0\n      + x\n'],
    ['trouble', '  ✖ broken\n'],
    ['subagents', ''],
  ])('%s shows nothing else, but what waits', (kind, expected) => {
    expect(printed(all, { only: parseKinds(kind) })).toBe(expected + asked);
  });

  test('takes several, and no other words', () => {
    expect(printed(all, { only: parseKinds('text, trouble') })).toBe(`Well.\n  ✖ broken\n${asked}`);
    expect(() => parseKinds('text,nonsense')).toThrow('not "nonsense"');
    for (const kind of KINDS) expect(() => parseKinds(kind)).not.toThrow();
  });
});

describe('what waits for you', () => {
  const asked = (input: Record<string, string | string[]>, title?: string): string =>
    printed([{ type: 'permission-request', requestId: 'r', toolName: 'Tool', input, ...(title && { title }) }]).trim();

  test.each([
    ['a command before its description', { command: 'rm -rf build' }, 'Tidy up', '? Tool asks: rm -rf build (Tidy up)'],
    ['a command that is called what it is', { command: 'ls' }, 'ls', '? Tool asks: ls'],
    ['a command that ends like its title', { command: 'rm -rf / ls' }, 'ls', '? Tool asks: rm -rf / ls (ls)'],
    ['a command in words', { command: ['git', 'push'] }, undefined, '? Tool asks: git push'],
    ['a path that is told in short', { file_path: '/etc/passwd' }, 'passwd', '? Tool asks: /etc/passwd'],
    ['a path from another home', { file_path: '/home/you/b' }, '~/b', '? Tool asks: /home/you/b'],
    ['a path before other words', { file_path: '/etc/passwd' }, 'a note', '? Tool asks: /etc/passwd (a note)'],
    ['what it is given, where nobody says more', { city: 'Bern' }, undefined, '? Tool asks: city: Bern'],
    ['its title, where nothing else tells', {}, 'Go on', '? Tool asks: Go on'],
  ])('[T-20] is shown by what would be done: %s', (_, input, title, shown) => {
    expect(asked(input, title)).toBe(shown);
  });
});
