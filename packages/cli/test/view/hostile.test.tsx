// Whatever an agent says, the view steers its terminal alone (T-18), and what hides is seen (T-19).

import { ClientError } from '@tailrace/client';
import { revealHidden } from '@tailrace/core';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { hostileEvents } from '../../../../test/browser/hostile-events.ts';
import { event, messagesOf } from '../../../client/test/session-events.ts';
import { createTestClient, testRun, testSession } from '../../../web/test/test-client.ts';
import { createFrameWriter } from '../../src/view/frame-writer.ts';
import { markdownLines } from '../../src/view/text/markdown.ts';
import { approvable, exact, own, prose, saidLine, shown, shownLine } from '../../src/view/text/shown.ts';
import { KEYS, showView } from './stage.tsx';

const ESC = '\u001b';
/** Titles, the clipboard, modes, other screens, the cursor, colours for good, answers of the terminal, in 7 and in 8 bits. */
const KNOWN = [
  `${ESC}]0;taken${ESC}\\`,
  `${ESC}]2;taken\u0007`,
  `${ESC}]52;c;dGFrZW4=\u0007`,
  `${ESC}]8;;http://evil.example\u0007link${ESC}]8;;\u0007`,
  `${ESC}[?1049l`,
  `${ESC}[?25h`,
  `${ESC}[?2004h${ESC}[?1000h${ESC}[?1h${ESC}[4h`,
  `${ESC}[2J${ESC}[H`,
  `${ESC}[6n${ESC}[c${ESC}[>q`,
  `${ESC}c`,
  `${ESC}[!p`,
  `${ESC}(0`,
  `${ESC}P1$qm${ESC}\\`,
  `${ESC}_Gf=100;AAAA${ESC}\\`,
  `${ESC}^private${ESC}\\`,
  `${ESC}[1;1H${ESC}[31mred`,
  `${ESC}[20T${ESC}[20S${ESC}[5L`,
  `\u009b2J\u009d0;taken\u009c\u0090q\u009c`,
  '\r\n\b\b\b\u0007\u0000\u000e\u000f\u007f\u0085',
  `${ESC}]0;never ended`,
  `${ESC}[`,
  '\u202egnp.exe\u2066\u200b\u200f\ufeff\u{e0041}\u2028\ud800',
];

/** What the view itself may write: rows at their places, and colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are made of
const OURS = /\u001b\[(?:\d+;1H|2K|2J|\?2026[hl]|[\d;]*m)/g;

async function everyScreen(payload: string): Promise<readonly string[]> {
  const live = { runId: 'r', state: 'waiting', since: 1, isOurs: true, waiting: 1, subagents: 1 } as const;
  const progress = { phase: payload, activity: payload, percentage: 3, basis: 'estimated' } as const;
  const session = testSession('session-r', {
    title: payload,
    project: payload,
    cwd: `/${payload}`,
    model: payload,
    agent: payload,
    tags: [payload],
    lastText: payload,
    live: { ...live, progress },
  });
  const input = { command: payload, [payload]: payload, deep: [payload] };
  const client = createTestClient({
    sessions: [
      session,
      testSession('session-other', { title: payload, live: { ...live, progress } }),
      testSession('works', { title: payload, live: { ...live, state: 'working', progress } }),
    ],
    runs: [
      testRun(
        'r',
        [
          {
            type: 'permission-request',
            seq: 1,
            requestId: 'q1',
            toolName: payload,
            input,
            title: payload,
            reason: payload,
            options: [{ optionId: 'a', kind: 'allow_always', name: payload }],
          },
        ],
        { agent: payload },
      ),
      testRun(
        'other',
        [
          {
            type: 'question-request',
            seq: 2,
            requestId: 'q2',
            message: payload,
            questions: [{ question: payload, options: [{ label: payload, description: payload }] }],
          },
        ],
        { agent: payload },
      ),
    ],
    past: messagesOf(hostileEvents(payload, 1)),
  });
  const stage = showView({ client, columns: 150, rows: 50 });
  Object.assign(client.http, {
    line: async () => new Response(payload),
    projects: async () => [{ id: 'p', name: payload, folder: `/${payload}` }],
    agents: async () => [{ name: 'claude', title: payload, takes: [] }],
  });
  // What the folder brings is shown whole, and what went wrong in its own words.
  const folder = { digest: 'd', brought: [{ kind: 'hook', name: payload, detail: payload, file: payload }] } as const;
  const problem = { type: 'about:blank', code: 'refused', title: payload, status: 403 } as const;
  let isFolder = true;
  client.onCommand = ({ action }) => {
    if (action !== 'start') return;
    const told = isFolder ? { ...problem, folder } : problem;
    isFolder = false;
    throw new ClientError('refused', payload, { problem: told });
  };
  await stage.see('WAITING FOR YOU');
  await stage.see('3 %');
  await stage.press(KEYS.enter);
  await stage.see('3 Output');
  for (const key of [
    'g',
    KEYS.enter,
    'j',
    KEYS.enter,
    'j',
    KEYS.enter,
    KEYS.pageDown,
    '1',
    'g',
    KEYS.enter,
    '2',
    '4',
    '5',
    'i',
  ])
    await stage.press(key);
  for (const key of ['3', 's', 't', 'f', 'r', KEYS.enter, KEYS.escape, KEYS.escape, '/', ...'taken', KEYS.enter, 'n'])
    await stage.press(key);
  await stage.press('a');
  await stage.see('asks to use');
  await stage.press('G');
  const end = performance.now() + 20_000;
  while (!stage.frame().includes('It runs with this input') && performance.now() < end) await stage.press('e');
  await stage.see('It runs with this input');
  await stage.press(
    `${ESC}[200~${payload}`,
    `${ESC}[201~`,
    KEYS.escape,
    KEYS.escape,
    KEYS.escape,
    KEYS.escape,
    KEYS.escape,
  );
  await stage.see('WAITING FOR YOU');
  await stage.press('c');
  await stage.see('what is to be done');
  await stage.press('x', `${ESC}[200~\u202e\u200b${ESC}[201~`, KEYS.enter);
  await stage.see('This folder brings');
  await stage.press('G', 'n');
  await stage.see('what is to be done');
  await stage.press(KEYS.enter);
  await stage.see('what is to be done');
  await stage.press(KEYS.escape);
  await stage.see('WAITING FOR YOU');
  await stage.press('j', 'a');
  await stage.see('asks you');
  return stage.frames;
}

/** What becomes of a terminal that is shown these frames. */
async function afterwards(frames: readonly string[]): Promise<{ readonly written: string; readonly state: object }> {
  const terminal = new xterm.Terminal({ cols: 150, rows: 50, allowProposedApi: true });
  const seen = { title: '', clipboard: 0, answers: 0 };
  terminal.onTitleChange((title) => {
    seen.title = title;
  });
  terminal.onData(() => void seen.answers++);
  terminal.parser.registerOscHandler(52, () => {
    seen.clipboard++;
    return true;
  });
  let written = '';
  const writer = createFrameWriter({
    columns: 150,
    rows: 50,
    write: (text) => {
      written += text;
    },
    on: () => undefined,
    off: () => undefined,
  });
  await new Promise<void>((resolve) => terminal.write(`${ESC}[?1049h${ESC}[?25l`, resolve));
  for (const frame of frames) writer.stdout.write(frame);
  await new Promise<void>((resolve) => terminal.write(written, resolve));
  return { written, state: { ...seen, buffer: terminal.buffer.active.type, modes: { ...terminal.modes } } };
}

test('[T-18] [T-19] known sequences in every field of everything leave the terminal as it was', async () => {
  const before = await afterwards([]);
  for (const payload of [KNOWN.join(' '), ...KNOWN.slice(0, 6)]) {
    const frames = await everyScreen(payload);
    const { written, state } = await afterwards(frames);
    expect(state).toEqual(before.state);
    const rest = written.replaceAll(OURS, '');
    // Nothing that steers or hides is left: it would be written out.
    expect(revealHidden(rest)).toBe(rest);
    expect(rest).not.toContain('\n');
    expect(rest).not.toContain('\t');
  }
});

const anySequence = fc
  .array(
    fc.oneof(
      fc.constantFrom(...KNOWN, ESC, '\u009b', '\u009d', '[', ']', ';', '\u0007', 'm', '52;c;', '\\', '?1049l'),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const asMarkdown = (text: string): string =>
  markdownLines(text, 80)
    .flatMap((line) => line.map((one) => one.text))
    .join('');

test(`[T-18] [T-19] ${counts.viewSequences} random texts come out with nothing that steers or hides`, () => {
  fc.assert(
    fc.property(anySequence, (text) => {
      for (const safe of [exact, shown, shownLine, saidLine, prose, approvable, own, asMarkdown]) {
        const out = safe(text).replaceAll('\n', '');
        expect(revealHidden(out)).toBe(out);
        expect(out).not.toContain('\t');
      }
      expect(shownLine(text)).not.toContain('\n');
      expect(own(text)).not.toContain('\n');
    }),
    { numRuns: counts.viewSequences },
  );
});

test('[T-19] what only colours or joins signs is not written out in what is said or printed; anywhere else it is', () => {
  const signs =
    '\u26a0\ufe0f careful, \u2714\ufe0f done, 1\ufe0f\u20e3, \u2764\ufe0f\u200d\u{1f525}, \u{1f469}\u{1f3fd}\u200d\u{1f4bb}';
  const seen = '\u26a0 careful, \u2714 done, 1\u20e3, \u2764\u{1f525}, \u{1f469}\u{1f3fd}\u{1f4bb}';
  for (const safe of [shown, saidLine, prose]) expect(safe(signs)).toBe(seen);
  for (const safe of [exact, shownLine, approvable]) expect(safe(signs)).toBe(revealHidden(signs));
  // Behind a letter, twice, or between letters it says something that nobody sees.
  expect(shown('a\ufe0f \u26a0\ufe0f\ufe0f a\u200db')).toBe('a\\u{fe0f} \u26a0\\u{fe0f} a\\u{200d}b');
});

test('[T-28] secrets are taken out of what is shown', () => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  for (const safe of [exact, shown, shownLine, saidLine, prose]) {
    expect(safe(`token ${secret} here`)).not.toContain(secret);
    // What steers goes first: else it would hide a secret.
    expect(safe(`token ghp_0123456789abcdefghij${ESC}[0mABCDEFGHIJ012345 here`)).not.toContain('ABCDEFGHIJ012345');
  }
});

test('[T-19] what steers a terminal is written out with what stands in it: in rows, in what waits, in an opened call', async () => {
  const hidden = `${ESC}]0;rm -rf ~\u0007`;
  const live = {
    runId: 'r',
    state: 'waiting',
    since: 1,
    isOurs: true,
    waiting: 1,
    progress: null,
    subagents: 0,
  } as const;
  const client = createTestClient({
    sessions: [testSession('session-r', { title: `name ${hidden}`, live })],
    runs: [
      testRun('r', [
        { type: 'permission-request', seq: 1, requestId: 'q', toolName: 'Bash', input: { command: `ls ${hidden}` } },
      ]),
    ],
    past: messagesOf(
      [
        event({ type: 'tool-call-start', toolCallId: 'c', toolName: 'Bash', kind: 'execute' }),
        event({
          type: 'tool-call-input-end',
          toolCallId: 'c',
          input: { command: `cat ${hidden}`, note: `why ${hidden}` },
        }),
      ],
      'session-r',
    ),
  });
  const stage = showView({ client, columns: 120 });
  const written = '\\u{1b}]0;rm -rf ~\\u{7}';
  await stage.see('WAITING FOR YOU');
  await stage.see('Bash: ls');
  expect(stage.frame()).toContain(`name ${written}`);
  expect(stage.frame()).toContain(`Bash: ls ${written}`);
  await stage.press(KEYS.enter);
  await stage.see('cat ');
  expect(stage.frame()).toContain(`cat ${written}`);
  expect(stage.frame()).toContain(`Bash: ls ${written}`);
  await stage.press('k', KEYS.enter);
  expect(await stage.see('note: ')).toContain(`why ${written}`);
});
