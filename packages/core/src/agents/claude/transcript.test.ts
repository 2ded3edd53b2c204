// The CLI's own session files: every line known, the same events as the stream's where both tell, and the bill to the token.

import { describe, expect, test } from 'vitest';
import {
  type Capture,
  capture,
  captures,
  decodeAll,
  decodeMessages,
  foldStreams,
  inTurn,
  ofType,
  PRICES,
  streamsOf,
  summarize,
  transcriptStreams,
} from '../../../test/captures.ts';
import { brokenPromises } from '../../../test/promises.ts';
import { type AgentStreamEvent, createDecoder, priceOf, type Usage } from '../../index.ts';
import { transcripts as layout } from './layout.ts';

const recorded = captures.filter(({ transcripts }) => transcripts.length > 0);

const round = (amount: number | null | undefined): number | undefined =>
  amount === null || amount === undefined ? undefined : Number(amount.toFixed(9));

/** The runs whose lines are in the file of this one: a resumed session's file has all of them. */
const runsBefore: Readonly<Record<string, readonly string[]>> = {
  'resume-fork.run2': ['resume-fork.run1'],
  'resume-fork.run3': ['resume-fork.run1', 'resume-fork.run2'],
};

const counts = ({ inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens = 0 }: Usage): number[] => [
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  outputTokens,
];

test('there are files of sub-agents, forks, resumes, compactions, retries, refusals and kills', () => {
  const names = recorded.map(({ name }) => name);
  expect(recorded.length).toBeGreaterThanOrEqual(100);
  for (const name of [
    'subagents-two',
    'subagent-nested-three',
    'resume-fork.run3',
    'compact-manual',
    'api-retry',
    'refusal-first-turn',
    'sigkill',
    'clear',
  ])
    expect(names).toContain(name);
});

describe.each(recorded)('$name', (one) => {
  const { name, transcripts, expected } = one;
  const files = transcriptStreams(transcripts);
  const streams = streamsOf(one);
  const run = foldStreams(streams.slice(0, 1), inTurn(streams, [0]), PRICES).summary;
  const file = foldStreams(files, inTurn(files), PRICES).summary;
  const both = foldStreams(streams, inTurn(streams), PRICES).summary;

  test('no line of a file is unknown, and each file keeps the promises about events', () => {
    for (const { bytes, about } of transcripts) {
      const decoder = createDecoder({ about });
      const events = [...decoder.feed(bytes), ...decoder.end()];
      expect(decoder.agent).toBe('claude');
      expect(brokenPromises(events)).toEqual([]);
      const unknown = ofType(events, 'raw').filter(({ reason }) => reason !== 'no_counterpart');
      expect(unknown.map(({ reason }) => reason)).toEqual(name === 'unknown-block-partial' ? ['unknown_block'] : []);
      expect(ofType(events, 'turn-start')).toEqual([]);
    }
  });

  test('the bill is the truth: tokens and cost, by the totals in the file and by the answers alone', () => {
    const truth = truthOfAll(one);
    if (!truth) return;
    expect(counts(file.usage)).toEqual(truth.tokens);
    if (truth.cost !== undefined) expect(round(file.costUsd)).toBe(truth.cost);
  });

  test("the sub-agents' part is the truth to the token", () => {
    for (const { lane, spawned_by_tool_use_id: callId } of expected.subagents ?? []) {
      const served = expected.tokens_served_by_lane?.[lane];
      const told = file.subagents.find(({ toolCallId }) => toolCallId === callId);
      if (!served || (expected.incomplete_calls ?? []).length > 0) continue;
      expect(counts(told?.usage ?? {}), lane).toEqual(tokensOf(served));
    }
  });

  test('stdout and file together are never worse than the better of the two', () => {
    const isWhole = run.usage.state === 'reconciled' && !(name in runsBefore) && name !== 'session-chain.run4';
    if (isWhole) expect(both.usage).toEqual(run.usage);
    else expect(counts(both.usage).every((count, index) => count >= (counts(file.usage)[index] ?? 0))).toBe(true);
    for (const call of run.toolCalls) {
      const merged = both.toolCalls.find(({ id }) => id === call.id);
      if (call.outcome === 'unknown' || call.outcome === 'cancelled') expect(merged).toBeDefined();
      else expect(merged?.outcome, call.id).toBe(call.outcome);
    }
    for (const id of run.subagents.map((subagent) => subagent.id))
      expect(both.subagents.filter((subagent) => subagent.id === id)).toHaveLength(1);
    if (run.outcome !== 'incomplete') expect(both.outcome).toBe(run.outcome);
    if (run.text !== null && run.outcome === 'success') expect(both.text).toBe(run.text);
  });

  test('what both hold they tell alike', () => {
    const [stdout, ...rest] = streams;
    const told = contentOf(stdout?.events ?? []);
    for (const { events } of rest)
      for (const [id, content] of contentOf(events)) {
        const same = told.get(id);
        if (same !== undefined) expect(content, id).toEqual(same);
      }
  });
});

/** What happened, by id: texts, inputs, results. What the stream cut off, or cannot know in a file, is left out. */
function contentOf(events: readonly AgentStreamEvent[]): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const reused = new Set<string>();
  for (const event of events) {
    if (event.synthetic) continue;
    switch (event.type) {
      case 'tool-call-start':
        if (event.toolCallId.includes('SameIdentifier')) reused.add(event.toolCallId);
        break;
      case 'text-end':
        found.set(event.blockId, event.text);
        break;
      case 'reasoning-end':
        found.set(event.blockId, [event.text, event.signature]);
        break;
      case 'tool-call-input-end':
        if (!reused.has(event.toolCallId)) found.set(`input ${event.toolCallId}`, [event.input, event.title]);
        break;
      case 'tool-call-end': {
        const { toolCallId, outcome, content, exitCode, durationMs } = event;
        // A file does not know what the host said.
        const isDenied = outcome === 'denied' || outcome === 'cancelled';
        if (!reused.has(toolCallId))
          found.set(`result ${toolCallId}`, [isDenied ? 'not run' : outcome, content, exitCode, durationMs]);
        break;
      }
      case 'file-change':
        found.set(`files ${event.toolCallId}`, event.changes);
        break;
      case 'user-message':
        if (event.messageId !== undefined) found.set(`user ${event.messageId}`, event.content);
        break;
      case 'notice':
        found.set(`notice ${event.lineId}`, [event.title, event.severity]);
        break;
      case 'error':
        found.set(`error ${event.lineId}`, [event.error.code, event.error.message]);
        break;
      case 'compaction-end':
        found.set(`compaction ${event.lineId}`, [event.tokensBefore, event.tokensAfter, event.durationMs]);
        break;
    }
  }
  return found;
}

function tokensOf(served: Readonly<Record<string, number>>): number[] {
  const {
    input_tokens: fresh = 0,
    cache_read_input_tokens: read = 0,
    cache_creation_input_tokens: write = 0,
    output_tokens: output = 0,
  } = served;
  return [fresh + read + write, read, write, output];
}

/** Tokens and cost of one run. Its own total counts calls that broke off, as its bill does. */
function truthOf({ name, bytes, expected }: Capture): { tokens: number[]; cost: number | undefined } | undefined {
  if (name === 'session-chain.run4') return undefined; // the runs before it were not kept
  const own = summarize(decodeAll([bytes]));
  const isWhole = own.usage.state === 'reconciled';
  const tokens = isWhole ? counts(own.usage) : tokensOf(expected.tokens_served_total);
  const cost = isWhole ? (own.costUsd ?? 0) : undefined;
  return { tokens, cost: round(cost) };
}

/** The same of all runs whose lines the files hold. */
function truthOfAll(one: Capture): { tokens: number[]; cost: number | undefined } | undefined {
  const runs = [...(runsBefore[one.name] ?? []).map(capture), one].flatMap((run) => truthOf(run) ?? []);
  if (runs.length === 0) return undefined;
  return runs.reduce((a, b) => ({
    tokens: a.tokens.map((count, index) => count + (b.tokens[index] ?? 0)),
    cost: a.cost === undefined || b.cost === undefined ? undefined : round(a.cost + b.cost),
  }));
}

test('the price table of the tests is what the captures imply', () => {
  let checked = 0;
  for (const { transcripts } of recorded)
    for (const { bytes } of transcripts)
      for (const { models = {} } of ofType(decodeAll([bytes], { agent: 'claude' }), 'usage-update'))
        for (const [model, { cost, ...usage }] of Object.entries(models)) {
          const price = PRICES[model];
          if (!price || !cost) continue;
          checked++;
          // A web search costs a cent besides its tokens.
          const searches = Math.round((cost.amount - priceOf(usage, price)) * 100);
          expect(round(cost.amount)).toBe(round(priceOf(usage, price) + searches / 100));
        }
  expect(checked).toBeGreaterThan(50);
});

describe('a file without its totals', () => {
  const plain = ['tools-parallel', 'subagents-two', 'thinking', 'partial-messages', 'resume-fork.run2'];
  test.each(plain)('%s: the answers and a price table make the same bill', (name) => {
    const whole = foldOf(capture(name), () => true);
    const bare = foldOf(capture(name), (line) => !line.includes('"type":"cost-state"'));
    expect(counts(bare.usage)).toEqual(counts(whole.usage));
    expect(round(bare.costUsd)).toBe(round(whole.costUsd));
    expect([whole.usage.state, whole.costState]).toEqual(['reconciled', 'reconciled']);
    expect([bare.usage.state, bare.costState]).toEqual(['known', 'estimated']);
  });

  function foldOf(one: Capture, isKept: (line: string) => boolean) {
    const files = one.transcripts.map(({ bytes, ...rest }) => ({
      ...rest,
      bytes: Buffer.from(Buffer.from(bytes).toString().split('\n').filter(isKept).join('\n')),
    }));
    const streams = transcriptStreams(files);
    return foldStreams(streams, inTurn(streams), PRICES).summary;
  }
});

// ── Layouts and shapes of other versions ──────────────────────────────────────────────────────────

const base = { isSidechain: false, sessionId: 's', cwd: '/p', version: '1.0.0', userType: 'external' };
const user = (uuid: string, content: unknown, more: object = {}): object => ({
  ...base,
  type: 'user',
  uuid,
  parentUuid: null,
  message: { role: 'user', content },
  timestamp: '2026-01-01T00:00:00.000Z',
  ...more,
});
const answer = (uuid: string, id: string, content: unknown, more: object = {}): object => ({
  ...base,
  type: 'assistant',
  uuid,
  parentUuid: null,
  timestamp: '2026-01-01T00:00:01.000Z',
  message: {
    id,
    role: 'assistant',
    model: 'claude-opus-5-5',
    content,
    stop_reason: 'tool_use',
    usage: { input_tokens: 10, output_tokens: 5 },
  },
  ...more,
});

test("the oldest layout has a sub-agent's lines among the others: the prompt says whose they are", () => {
  const call = { type: 'tool_use', id: 'c1', name: 'Task', input: { prompt: 'look', subagent_type: 'Explore' } };
  const inside = { isSidechain: true };
  const events = decodeMessages([
    user('u1', 'go'),
    answer('a1', 'm1', [call]),
    user('x1', 'look', inside),
    answer('x2', 'm2', [{ type: 'text', text: 'looking' }], { ...inside, parentUuid: 'x1' }),
    answer('x3', 'm3', [{ type: 'text', text: 'found' }], { ...inside, parentUuid: 'x2' }),
    user('y1', 'something else', inside),
    answer('y2', 'm4', [{ type: 'text', text: 'elsewhere' }], { ...inside, parentUuid: 'y1' }),
    user('u2', [{ type: 'tool_result', tool_use_id: 'c1', content: 'found' }], { parentUuid: 'a1' }),
  ]);
  expect(brokenPromises(events)).toEqual([]);
  const [first, second] = ofType(events, 'task-start');
  expect(first).toMatchObject({ toolCallId: 'c1', name: 'Explore', kind: 'agent' });
  expect(second).toMatchObject({ taskId: 'sidechain-y1' });
  const texts = ofType(events, 'text-end').map(({ text, subagentId }) => [text, subagentId]);
  expect(texts).toEqual([
    ['looking', first?.taskId],
    ['found', first?.taskId],
    ['elsewhere', 'sidechain-y1'],
  ]);
  expect(ofType(events, 'task-end')[0]).toMatchObject({ taskId: first?.taskId, outcome: 'success' });
});

test('a file of a sub-agent without the file beside it still is one, named by its own id', () => {
  const inside = { isSidechain: true, agentId: 'abc', attributionAgent: 'Plan' };
  const events = decodeMessages([user('x1', 'look', inside), answer('x2', 'm2', 'seen', inside)]);
  expect(ofType(events, 'task-start')).toMatchObject([{ taskId: 'abc', name: 'Plan' }]);
  expect(ofType(events, 'task-start')[0]).not.toHaveProperty('toolCallId');
  expect(ofType(events, 'text-end')).toMatchObject([{ text: 'seen', subagentId: 'abc' }]);
});

test('early files tell the cost of each answer, once for all its lines', () => {
  const costs = { costUSD: 0.25, durationMs: 100 };
  const events = decodeMessages([
    user('u1', 'go'),
    answer('a1', 'm1', [{ type: 'text', text: 'one' }], costs),
    answer('a2', 'm1', [{ type: 'text', text: 'two' }], costs),
    answer('a3', 'm2', [{ type: 'text', text: 'three' }], { costUSD: null }),
  ]);
  expect(ofType(events, 'step-end').map(({ cost }) => cost?.amount)).toEqual([0.25, undefined]);
  const summary = summarize(events);
  expect(summary).toMatchObject({ costUsd: 0.25, costState: 'known', usage: { outputTokens: 10, state: 'known' } });
});

test('titles, modes and what a session is run with become facts of the session', () => {
  const events = decodeMessages([
    { type: 'summary', summary: 'An old title', leafUuid: 'x' },
    user('u1', 'go', { permissionMode: 'plan' }),
    { type: 'ai-title', aiTitle: 'A title', sessionId: 's' },
    { type: 'custom-title', customTitle: 'My title', sessionId: 's' },
    { type: 'permission-mode', permissionMode: 'acceptEdits', sessionId: 's' },
    { type: 'ai-title', aiTitle: 7, sessionId: 's' },
  ]);
  const updates = ofType(events, 'session-update');
  expect(updates.flatMap(({ title }) => title ?? [])).toEqual(['An old title', 'A title', 'My title']);
  expect(updates.flatMap(({ permissionMode }) => permissionMode ?? [])).toEqual(['plan', 'acceptEdits']);
  expect(updates.find(({ cwd }) => cwd)).toMatchObject({ cwd: '/p', agentVersion: '1.0.0' });
});

test.each([
  ['an answer that ended', [answer('a1', 'm1', 'done', {})], 'incomplete'],
  [
    'an answer that ended its turn',
    [{ ...answer('a1', 'm1', 'x'), message: { id: 'm', content: 'hi', role: 'assistant', stop_reason: 'end_turn' } }],
    'success',
  ],
  ['an interruption', [answer('a1', 'm1', 'x'), user('u', '[Request interrupted by user]')], 'cancelled'],
  [
    'a failure',
    [
      {
        ...answer('a1', 'm1', 'x'),
        isApiErrorMessage: true,
        error: 'rate_limit',
        message: { id: 'e', model: '<synthetic>', role: 'assistant', content: [{ type: 'text', text: 'no' }] },
      },
    ],
    'error',
  ],
  ['a prompt that nobody answered', [answer('a1', 'm1', 'x'), user('u9', 'again')], 'incomplete'],
])('a file that ends with %s', (_name, lines, outcome) => {
  expect(summarize(decodeMessages([user('u1', 'go'), ...lines]))).toMatchObject({ outcome });
});

test('a line that stands twice in a file counts once', () => {
  const { transcripts } = capture('tools-parallel');
  const bytes = transcripts[0]?.bytes ?? Buffer.alloc(0);
  const [once, twice] = [[bytes], [bytes, bytes]].map((pieces) => summarize(decodeAll(pieces, { agent: 'claude' })));
  expect(twice).toEqual({ ...once, lines: twice?.lines });
});

test('sub-agents among the lines of the session are told apart by their own ids, and joined to their calls', () => {
  const call = { type: 'tool_use', id: 'c1', name: 'Agent', input: { prompt: 'look', subagent_type: 'Explore' } };
  const inside = { isSidechain: true, agentId: 'abc' };
  const events = decodeMessages([
    answer('a1', 'm1', [call]),
    user('x1', 'look', inside),
    { ...base, ...inside, type: 'attachment', uuid: 'x2', parentUuid: 'x1', attachment: { type: 'date' } },
    answer('x3', 'm2', [{ type: 'text', text: 'seen' }], { ...inside, parentUuid: 'x2' }),
    user('u2', [{ type: 'tool_result', tool_use_id: 'c1', content: 'seen' }], {
      toolUseResult: { agentId: 'abc', status: 'completed', content: [{ type: 'text', text: 'seen' }] },
    }),
  ]);
  expect(brokenPromises(events)).toEqual([]);
  expect(ofType(events, 'task-start')).toMatchObject([{ taskId: 'abc', toolCallId: 'c1', name: 'Explore' }]);
  expect(ofType(events, 'task-end')).toMatchObject([{ taskId: 'abc', outcome: 'success', result: 'seen' }]);
});

test('nobody is paid for asking: a cost below zero is not believed', () => {
  const totals = { modelUsage: { m: { inputTokens: 1, outputTokens: 1, costUSD: -3 } }, totalCostUSD: -5 };
  const summary = summarize(decodeMessages([{ type: 'cost-state', sessionId: 's', startTime: 1, ...totals }]));
  expect(summary).toMatchObject({ usage: { inputTokens: 1, state: 'reconciled' }, costUsd: null });
});

test('a command is told as it was typed', () => {
  const line =
    '<command-message>model</command-message>\n<command-name>/model</command-name>\n<command-args>opus</command-args>';
  const events = decodeMessages([
    user('u1', line),
    user('u2', '<command-name>/clear</command-name><command-args></command-args>'),
    user('u3', '<command-line>'),
  ]);
  const texts = ofType(events, 'user-message').map(({ content }) => content.map((part) => 'text' in part && part.text));
  expect(texts).toEqual([['/model opus'], ['/clear'], ['<command-line>']]);
});

test('progress of a command in an older file is progress of its call', () => {
  const events = decodeMessages([
    answer('a1', 'm1', [{ type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'sleep 9' } }]),
    {
      ...base,
      type: 'progress',
      uuid: 'p',
      toolUseID: 'b1',
      parentToolUseID: 'c1',
      data: { type: 'bash_progress', elapsedTimeSeconds: 3 },
    },
    { ...base, type: 'progress', uuid: 'q', toolUseID: 'zz', data: { type: 'hook_progress' } },
  ]);
  expect(ofType(events, 'tool-call-update')).toMatchObject([{ toolCallId: 'c1', elapsedMs: 3000 }]);
  expect(ofType(events, 'raw')).toMatchObject([{ reason: 'no_counterpart', nativeType: 'progress/hook_progress' }]);
});

test('a session that was resumed after a kill counts both runs: the totals are only of the second', () => {
  const at = (seconds: number): { timestamp: string } => ({ timestamp: new Date(1e12 + seconds * 1000).toISOString() });
  const totals = { modelUsage: { 'claude-opus-5-5': { inputTokens: 10, outputTokens: 50 } }, totalCostUSD: 0.5 };
  const events = decodeMessages([
    user('u1', 'go', at(0)),
    answer('a1', 'm1', 'first', at(1)),
    user('u2', 'again', at(100)),
    answer('a2', 'm2', 'second', at(101)),
    { type: 'cost-state', sessionId: 's', startTime: 1e12 + 99_000, ...totals },
  ]);
  expect(summarize(events)).toMatchObject({
    usage: { inputTokens: 20, outputTokens: 55, state: 'known' },
    costUsd: 0.5,
    costState: 'known',
  });
});

describe('where the files are', () => {
  test("a session's sub-agents lie in a folder beside its file, or in older versions beside it", () => {
    expect(layout.folders('/h/projects/p/abc.jsonl')).toEqual([
      { path: '/h/projects/p/abc/subagents', isShared: false },
      { path: '/h/projects/p', isShared: true },
    ]);
    expect(layout.folders('abc.jsonl')[1]).toEqual({ path: '.', isShared: true });
    expect(layout.folders('run.ndjson')).toEqual([]);
    expect(layout.folders('/p/abc.jsonl.gz')).toEqual(layout.folders('/p/abc.jsonl'));
  });

  test('their names, and the file that tells about them', () => {
    expect(layout.aboutFile('agent-1f.jsonl')).toBe('agent-1f.meta.json');
    expect(layout.aboutFile('abc.jsonl')).toBeUndefined();
    expect(layout.aboutFile('agent-1f.meta.json')).toBeUndefined();
  });

  test('the task they belong to, and what would be told about it', () => {
    expect(layout.taskOf('agent-1f.jsonl')).toBe('1f');
    expect(layout.taskOf('abc.jsonl')).toBeUndefined();
    const task = { type: 'task-start', seq: 0, taskId: '1f', kind: 'agent', toolCallId: 'c', name: 'Plan' } as const;
    const about = layout.describe(task);
    const events = decodeAll([Buffer.from(JSON.stringify(user('x', 'look', { isSidechain: true, agentId: '1f' })))], {
      about,
    });
    expect(ofType(events, 'task-start')).toMatchObject([
      { taskId: '1f', toolCallId: 'c', name: 'Plan', prompt: 'look' },
    ]);
  });

  test('the lines say of which session they are', () => {
    expect(layout.isOf({ sessionId: 'abc' }, '/p/abc.jsonl')).toBe(true);
    expect(layout.isOf({ sessionId: 'abcd' }, '/p/abc.jsonl')).toBe(false);
    expect(layout.isOf(null, '/p/abc.jsonl')).toBe(false);
  });
});
