// A session that tries to mislead whoever reads it later: every command that prints what is kept writes out what hides.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Outcome } from './command.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const CHECKPOINT = '99999999-2222-4333-8444-555555555555';

/** Turns the text, isolates a part of it, ends the line, says something nobody sees, and clears the screen. */
const EVIL = '\u202e\u2066\u2069\u2028\ufff9\u{e0041}\u001b[2J\u009b31m\u0007';
/** What is not seen in a path or a name. */
const UNSEEN = '\u200b\u2060';

const message = (content: unknown) => ({
  type: 'assistant',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: `claude-opus-5-5${EVIL}${UNSEEN}`,
    content,
    stop_reason: 'end_turn',
    usage: { input_tokens: 10, output_tokens: 5 },
  },
  parent_tool_use_id: null,
  session_id: ID,
  uuid: 'u2',
  timestamp: '2026-01-01T00:00:01Z',
});

const SESSION = [
  {
    type: 'system',
    subtype: 'init',
    cwd: `/home/dev/pro${EVIL}${UNSEEN}ject`,
    session_id: ID,
    tools: ['Bash'],
    model: `claude-opus-5-5${EVIL}${UNSEEN}`,
    permissionMode: 'default',
    uuid: 'u0',
  },
  {
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text: `please ${EVIL}do needle` }] },
    parent_tool_use_id: null,
    session_id: ID,
    uuid: CHECKPOINT,
    isReplay: true,
    timestamp: '2026-01-01T00:00:00Z',
  },
  message([
    { type: 'text', text: `# an answer ${EVIL}with needle\n\n| a | ${EVIL} |\n|--|--|\n| ${EVIL} | b |` },
    { type: 'tool_use', id: 't1', name: `Ba${EVIL}sh`, input: { command: `echo needle${EVIL}${UNSEEN}` } },
    { type: 'tool_use', id: 't2', name: 'Read', input: { file_path: `/home/dev/needle${EVIL}${UNSEEN}.txt` } },
  ]),
  {
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: `needle ${EVIL}${UNSEEN}` }],
    },
    parent_tool_use_id: null,
    session_id: ID,
    uuid: 'u3',
  },
  {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    session_id: ID,
    uuid: 'u4',
    num_turns: 1,
    duration_ms: 10,
    errors: [`it failed ${EVIL}`],
    usage: { input_tokens: 10, output_tokens: 5 },
  },
];

let folder = '';
let env: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-hostile-'));
  env = { HOME: folder, TAILRACE_HOME: join(folder, 'data'), COLUMNS: '200' };
  const lines = SESSION.map((line) => `${JSON.stringify(line)}\n`).join('');
  const recorded = await call(['--record'], { env, input: [Buffer.from(lines)] });
  expect(recorded.stderr).toBe('');
  lookFor(recorded);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Controls, what turns or splits a text, and what only machines can read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const MISLEADING = /(?![\n\t])[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;

function lookFor({ stdout, stderr }: Pick<Outcome, 'stdout' | 'stderr'>): void {
  for (const text of [stdout, stderr]) {
    const found = MISLEADING.exec(text);
    const near = found && JSON.stringify(text.slice(Math.max(0, found.index - 40), found.index + 20));
    expect(near, `U+${found?.[0].codePointAt(0)?.toString(16)}`).toBe(null);
  }
}

/** What goes where nothing is joined: in a path or a name it is written out as well. */
const UNSEEN_IN_NAMES = /[\u200b\u2060]/u;

const GROUPINGS = ['day', 'week', 'month', 'session', 'project', 'model', 'block', 'agent', 'subagent', 'tool'];

test.each([
  ...[['sessions'], ['sessions', '--plain'], ['search', 'needle'], ['search', 'needle', '--plain']],
  ...GROUPINGS.map((by) => ['usage', '--by', by]),
  ...[
    ['label', ID, '--star'],
    ['checkpoints', ID],
    ['resume', ID],
    ['show', ID, '--summary'],
  ],
])('[T-18] [T-19] %s %s shows nothing that misleads, and names whole', async (...words) => {
  const outcome = await call(words, { env });
  expect(outcome.code, outcome.stderr).toBe(0);
  expect(outcome.stdout).not.toBe('');
  lookFor(outcome);
  expect(UNSEEN_IN_NAMES.test(outcome.stdout)).toBe(false);
});

test.each([
  ...[
    ['show', ID],
    ['show', ID, '--full'],
    ['show', ID, '--plain'],
    ['export', ID, '--md'],
    ['forget', '--size'],
  ],
])('[T-18] [T-19] %s %s shows nothing that misleads', async (...words) => {
  const outcome = await call(words, { env });
  expect(outcome.code, outcome.stderr).toBe(0);
  expect(outcome.stdout).not.toBe('');
  lookFor(outcome);
});

test('[T-18] [T-19] nor does the status line, a going back, or what is said of what is not there', async () => {
  const status = JSON.stringify({
    session_id: ID,
    model: { display_name: `Opus${EVIL}` },
    cost: { total_cost_usd: 1 },
  });
  const line = await call(['statusline'], { env, input: [Buffer.from(status)] });
  expect(line.stdout).toContain('Opus');
  lookFor(line);
  for (const words of [
    ['rewind', ID, CHECKPOINT, '--dry-run'],
    ['show', `x${EVIL}`],
    ['view', `nothing${EVIL}`],
    ['import', `nothing${EVIL}`],
    ['sessions', '--agent', `x${EVIL}`],
    ['label', ID, '--tag', `x ${EVIL}`],
  ])
    lookFor(await call(words, { env }));
});
