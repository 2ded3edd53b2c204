import { describe, expect, test } from 'vitest';
import { eventsOfMessages, recordingsOf } from '../../../test/recordings.ts';
import type { AgentStreamEvent, EventOf, EventType } from '../../event/event.ts';
import { grok } from './index.ts';
import { readOutput } from './tools.ts';

const USAGE = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_input_tokens: 3,
  cache_creation_input_tokens: 2,
  reasoning_tokens: 1,
};
const HELLO = { type: 'available_commands', tools: ['write'], commands: ['compact'] };
const TEXT = { type: 'text', data: 'Hi.' };
const STEP = { type: 'usage', usage: USAGE };
const end = (stopReason: string, more: object = {}): unknown => ({
  type: 'end',
  stopReason,
  sessionId: 's-1',
  requestId: '',
  usage: USAGE,
  num_turns: 1,
  modelUsage: {
    'grok-4.6': { inputTokens: 10, outputTokens: 5, cacheReadInputTokens: 3, cacheCreationInputTokens: 2 },
  },
  ...more,
});
const call = (toolName: string, rawInput: unknown = {}, more: object = {}): unknown => ({
  type: 'tool_call',
  toolCallId: 'c-1',
  title: toolName,
  kind: 'other',
  status: 'pending',
  toolName,
  rawInput,
  content: [],
  locations: [],
  ...more,
});
const update = (status: string | null, more: object = {}): unknown => ({
  type: 'tool_call_update',
  toolCallId: 'c-1',
  status,
  content: [],
  rawOutput: null,
  locations: [],
  ...more,
});

function only<T extends EventType>(events: readonly AgentStreamEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}
const tell = (...messages: unknown[]): AgentStreamEvent[] => eventsOfMessages(grok, [HELLO, ...messages]);

describe('a turn', () => {
  test.each([
    ['end_turn', 'success', undefined],
    ['max_tokens', 'success', undefined],
    ['max_turn_requests', 'error', 'max_turns'],
    ['refusal', 'error', 'content_filter'],
    ['cancelled', 'cancelled', undefined],
    ['something', 'unknown', undefined],
  ])('that ends by %s is %s', (stopReason, outcome, code) => {
    const [told] = only(tell(TEXT, STEP, end(stopReason)), 'turn-end');
    expect([told?.outcome, told?.error?.code]).toEqual([outcome, code]);
  });

  test('that was too long says so before it ends', () => {
    const [told] = only(tell(TEXT, STEP, { type: 'max_turns_reached' }, end('cancelled')), 'turn-end');
    expect(told).toMatchObject({ outcome: 'error', stopReason: 'max_turn_requests', error: { code: 'max_turns' } });
  });

  test('tells what it took', () => {
    const costs = { total_cost_usd: 0.5, modelUsage: { m: { inputTokens: 10, outputTokens: 5, costUSD: 0.5 } } };
    const [told] = only(tell(TEXT, STEP, end('end_turn', costs)), 'turn-end');
    expect(told).toMatchObject({
      sessionId: 's-1',
      usage: { inputTokens: 15, cacheReadTokens: 3, cacheWriteTokens: 2, outputTokens: 5, reasoningTokens: 1 },
      cost: { amount: 0.5, currency: 'USD' },
      models: { m: { inputTokens: 10, outputTokens: 5, cost: { amount: 0.5, currency: 'USD' } } },
    });
  });

  test('whose count is not whole leaves it to the steps', () => {
    const events = tell(
      TEXT,
      STEP,
      end('end_turn', { usage_is_incomplete: true, usage: { ...USAGE, input_tokens: 1 } }),
    );
    expect(only(events, 'turn-end')[0]).not.toHaveProperty('usage');
    expect(only(events, 'session-end')[0]?.usage?.inputTokens).toBe(15);
  });

  test('with a structure that could not be made is an error', () => {
    const [told] = only(tell(TEXT, STEP, end('end_turn', { structuredOutputError: 'No.' })), 'turn-end');
    expect(told).toMatchObject({ outcome: 'error', error: { code: 'structured_output', message: 'No.' } });
    const [other] = only(tell(TEXT, STEP, end('end_turn', { structuredOutput: { a: 1 } })), 'turn-end');
    expect(other?.structured).toEqual({ a: 1 });
  });

  test('that failed tells what it took until then', () => {
    const events = tell(TEXT, { type: 'error', message: 'Too many requests (429)', usage: USAGE, modelUsage: {} });
    expect(only(events, 'turn-end')[0]).toMatchObject({
      outcome: 'error',
      error: { httpStatus: 429 },
      usage: { inputTokens: 15 },
    });
  });

  test('goes on after a line that could not be printed', () => {
    const events = tell(TEXT, { type: 'error', message: 'serialize failed: NaN' }, STEP, end('end_turn'));
    expect(only(events, 'turn-end').map(({ outcome }) => outcome)).toEqual(['success']);
    expect(only(events, 'error')[0]?.fatal).toBe(false);
  });
});

describe('a model call', () => {
  test('may tell why it stopped and sign its thoughts', () => {
    const thought = { type: 'thought', data: 'Hm.' };
    const events = tell(thought, { type: 'usage', messageId: 'm', stopReason: 'tool_use', signature: 'sig' });
    expect(only(events, 'reasoning-end')[0]).toMatchObject({ text: 'Hm.', signature: 'sig' });
    expect(only(events, 'step-end')[0]?.stopReason).toBe('tool_use');
    expect(only(events, 'message-end')[0]).not.toHaveProperty('usage');
  });

  test('that is discarded is taken back', () => {
    const events = tell(
      TEXT,
      { type: 'response_discarded', messageId: 'x', streamStartMs: 1 },
      TEXT,
      STEP,
      end('end_turn'),
    );
    const [first] = only(events, 'message-start');
    expect(only(events, 'message-retract')[0]?.messageIds).toEqual([first?.messageId]);
    expect(only(events, 'message-start')).toHaveLength(2);
  });
});

describe('a call', () => {
  test('is not over while its status is null', () => {
    const events = tell(call('list_dir'), update(null, { locations: [{ path: 'src', line: 3 }] }));
    expect(only(events, 'tool-call-update')[0]?.locations).toEqual([{ path: 'src', line: 3 }]);
    expect(only(events, 'tool-call-end')[0]?.synthetic).toBe(true);
  });

  test('that prints bytes gives text', () => {
    const output = [...new TextEncoder().encode('grüße\n')];
    const events = tell(
      call('run_terminal_command', { command: 'x' }),
      update('in_progress', { rawOutput: { type: 'Bash', output, exit_code: 0 } }),
      update('completed', { rawOutput: { type: 'Bash', output, exit_code: 0 } }),
    );
    expect(only(events, 'tool-call-update')[0]?.outputSnapshot).toBe('grüße\n');
    expect(only(events, 'tool-call-end')[0]).toMatchObject({
      outcome: 'success',
      content: [{ type: 'text', text: 'grüße\n' }],
      output: { output: 'grüße\n' },
    });
  });

  test('that took too long is an error', () => {
    const rawOutput = { type: 'Bash', output: [], exit_code: 0, timed_out: true };
    const [told] = only(tell(call('run_terminal_command'), update('completed', { rawOutput })), 'tool-call-end');
    expect(told).toMatchObject({ outcome: 'error', error: { code: 'timeout' } });
  });

  test('of a tool that nobody knows is of the kind Grok says', () => {
    const kinds = ['search', 'list', 'plan', 'zap'].map(
      (kind) => only(tell(call('new_tool', null, { kind, title: 'A title' })), 'tool-call-start')[0],
    );
    expect(kinds.map((one) => [one?.kind, one?.tags, one?.title])).toEqual([
      ['search', undefined, 'A title'],
      ['read', ['list'], 'A title'],
      ['think', ['todo'], 'A title'],
      ['other', undefined, 'A title'],
    ]);
  });

  test.each([
    [
      'a new file',
      { content: [{ type: 'diff', path: '/a', oldText: null, newText: 'x' }] },
      { path: '/a', operation: 'add', oldText: null, newText: 'x' },
    ],
    [
      'no diff',
      { rawOutput: { type: 'SearchReplace', EditsApplied: { absolute_path: '/b' } } },
      { path: '/b', operation: 'modify' },
    ],
    ['nothing', {}, { path: 'c', operation: 'modify' }],
  ])('of write that shows %s', (_name, more, change) => {
    const events = tell(call('write', { file_path: 'c' }), update('completed', more));
    expect(only(events, 'file-change')[0]?.changes).toEqual([change]);
  });

  test('that makes a file', () => {
    const diff = { type: 'diff', path: '/a', oldText: '', newText: 'b' };
    const made = (words: string) => ({ type: 'SearchReplace', EditsApplied: { tool_output_for_prompt: words } });
    const changes = (rawOutput: object) =>
      only(tell(call('write'), update('completed', { content: [diff], rawOutput })), 'file-change')[0]?.changes;
    expect(changes(made('The file /a has been created.'))).toEqual([
      { path: '/a', operation: 'add', oldText: null, newText: 'b' },
    ]);
    expect(changes(made('Wrote file successfully to /a.'))).toMatchObject([{ operation: 'modify', oldText: '' }]);
  });

  test('that failed changes nothing', () => {
    const diff = { type: 'diff', path: '/a', oldText: 'a', newText: 'b' };
    expect(only(tell(call('write'), update('failed', { content: [diff] })), 'file-change')).toEqual([]);
  });

  test('of a sub-agent is a task', () => {
    const input = { description: 'Look', prompt: 'Look around', subagent_type: 'explore' };
    const rawOutput = { type: 'SubagentCompleted', output: 'Found.', tool_calls: 3, duration_ms: 9 };
    const events = tell(call('spawn_subagent', input), update('completed', { rawOutput }));
    expect(only(events, 'task-start')[0]).toMatchObject({
      kind: 'agent',
      name: 'explore',
      prompt: 'Look around',
      toolCallId: 'c-1',
    });
    expect(only(events, 'task-end')[0]).toMatchObject({
      outcome: 'success',
      result: 'Found.',
      toolUses: 3,
      durationMs: 9,
    });
    const later = tell(
      call('spawn_subagent', input),
      update('completed', { rawOutput: { type: 'BackgroundTaskStarted' } }),
    );
    expect(only(later, 'task-update')[0]?.background).toBe(true);
    expect(only(later, 'task-end')[0]).toMatchObject({ outcome: 'unknown', synthetic: true });
  });

  test('of an MCP tool names the server', () => {
    const input = { tool_name: 'demo__add', tool_input: { a: 1 } };
    const told = (output: object) => ({ rawOutput: { type: 'MCP', tool_name: 'add', server_name: 'demo', output } });
    const good = tell(call('use_tool', input), update('completed', told({ OkayOutput: '3' })));
    expect(only(good, 'tool-call-start')[0]?.mcp).toEqual({ server: 'demo', tool: 'add' });
    expect(only(good, 'tool-call-end')[0]?.content).toEqual([{ type: 'text', text: '3' }]);
    const bad = tell(call('use_tool', input), update('failed', told({ Error: 'it failed' })));
    expect(only(bad, 'tool-call-end')[0]).toMatchObject({
      outcome: 'error',
      content: [{ type: 'text', text: 'it failed' }],
    });
  });

  test.each([
    ['Tool `write` was not executed: Denied by permission policy: deny rule on edit', 'policy'],
    ['User cancelled the execution for tool `write`', 'unknown'],
  ])('that was refused: %s', (text, by) => {
    const refused = update('failed', { content: [{ type: 'content', content: { type: 'text', text } }] });
    const stopped = tell(call('write'), refused, { type: 'end', stopReason: 'cancelled', sessionId: 's' });
    const error = { code: 'denied', message: text };
    expect(only(stopped, 'tool-call-end')[0]).toMatchObject({ outcome: 'error', error });
    expect(only(stopped, 'permission-resolve')).toMatchObject([{ toolCallId: 'c-1', decision: 'denied', by }]);
    expect(only(stopped, 'turn-end')[0]).toMatchObject({ outcome: 'error', error, stopReason: 'cancelled' });
    const gone = tell(call('write'), refused, { type: 'text', data: 'Hm.' }, { type: 'end', stopReason: 'cancelled' });
    expect(only(gone, 'turn-end')[0]).toMatchObject({ outcome: 'cancelled' });
  });

  test('that makes a plan', () => {
    const rawOutput = { type: 'ExitPlanMode', PlanReady: { plan_content: '# Plan', plan_file_path: '/p.md' } };
    const [plan] = only(tell(call('exit_plan_mode'), update('completed', { rawOutput })), 'plan-update');
    expect(plan).toMatchObject({ text: '# Plan', path: '/p.md', toolCallId: 'c-1' });
  });

  test('that nobody announced is kept', () => {
    expect(only(tell(update('completed')), 'raw')[0]?.reason).toBe('no_counterpart');
  });
});

describe('lines known by their types', () => {
  test('compaction', () => {
    const started = { type: 'auto_compact_started', percentage: 90 };
    const events = tell(
      started,
      { type: 'auto_compact_completed' },
      { type: 'auto_continue_completed', total_tokens: 9 },
      started,
      { type: 'auto_compact_failed', error: 'No.' },
      started,
      { type: 'auto_compact_cancelled' },
    );
    expect(only(events, 'compaction-end').map(({ outcome }) => outcome)).toEqual(['success', 'error', 'cancelled']);
    expect(only(events, 'notice')[0]?.title).toBe('No.');
  });

  test.each([
    { type: 'max_turns_reached' },
    { type: 'auto_compact_failed', error: '' },
    { type: 'image_compressed', message: 'Smaller.' },
    { type: 'memory_flush_started' },
    { type: 'memory_flush_completed', result: 'ok', path: null },
    { type: 'memory_capture_activity', activity: 'retry', from_turn: 1, through_turn: 2, attempt: 1 },
    { type: 'config_notice', message: 'Mind.' },
    { type: 'response_discarded', messageId: 'x', streamStartMs: 1 },
  ])('%j is known', (line) => {
    const raw = only(tell(line), 'raw').filter(({ reason }) => reason !== 'no_counterpart');
    expect(raw).toEqual([]);
  });

  test('what is repeated is told once', () => {
    expect(only(tell(HELLO, HELLO), 'session-update')).toEqual([]);
    const changed = { ...HELLO, tools: ['write', 'grep'] };
    expect(only(tell(changed), 'session-update')).toMatchObject([{ tools: ['write', 'grep'] }]);
  });
});

test.each([
  ['a sentence', 'Done.', 'Done.'],
  ['an error', { type: 'ReadFile', FileNotFound: 'No such file' }, 'No such file'],
  ['a content', { type: 'ListDir', Content: { content: '- a' } }, '- a'],
  ['a number', 3, ''],
  ['nothing', null, ''],
])('an output that is %s is readable', (_name, output, text) => {
  const { content } = readOutput(output);
  expect(content).toEqual(text === '' ? [] : [{ type: 'text', text }]);
});

test('is started so that no prompt is a flag', () => {
  expect(grok.command?.({ prompt: '-x', model: 'm', approveAll: true })?.args).toEqual([
    '--no-auto-update',
    '--output-format',
    'streaming-json',
    '--always-approve',
    '--model=m',
    '--single=-x',
  ]);
});

describe('detection', () => {
  const linesOf = (agent: string): readonly (readonly [string, Record<string, unknown>])[] =>
    recordingsOf(agent).flatMap(({ name, bytes }) =>
      Buffer.from(bytes)
        .toString()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => [name, JSON.parse(line)] as const),
    );

  test('each of its lines is enough, but for an error', () => {
    const own = linesOf('grok').filter(([name, line]) => !name.startsWith('messages-') && line['type'] !== 'error');
    expect(own.filter(([, line]) => grok.detect([line]) < 0.5)).toEqual([]);
  });

  test.each(['codex', 'copilot', 'gemini', 'goose', 'kimi', 'opencode', 'pi', 'qwen'])(
    'no line of %s is its own',
    (agent) => {
      expect(linesOf(agent).filter(([, line]) => grok.detect([line]) >= 0.3)).toEqual([]);
    },
  );
});

describe('a sub-agent speaks among the main agent’s lines', () => {
  const usage = { type: 'usage', usage: { input_tokens: 5, output_tokens: 1 } };
  const say = (data: string): unknown => ({ type: 'text', data });
  const begin = (toolCallId: string, toolName: string): unknown => ({ ...(call(toolName) as object), toolCallId });
  const end = (toolCallId: string, rawOutput: object): unknown => ({
    ...(update('completed', { rawOutput }) as object),
    toolCallId,
  });
  const sentOff = { type: 'Text', text: 'Subagent started in background.\nsubagent_id: a-1\ndescription: Look' };
  const spoken = (...messages: unknown[]): (readonly [string, string | undefined])[] =>
    only(tell(...messages), 'text-end').map(({ text, subagentId }) => [text, subagentId] as const);

  test('while the main agent waits for it', () => {
    const lines = [
      say('Go.'),
      usage,
      begin('c-1', 'spawn_subagent'),
      begin('c-2', 'list_dir'),
      end('c-2', { type: 'ListDir' }),
      say('Looking.'),
      usage,
      begin('c-3', 'read_file'),
      end('c-3', { type: 'ReadFile' }),
      say('Seen.'),
      usage,
      end('c-1', { type: 'SubagentCompleted', output: 'Seen.' }),
      say('Done.'),
      usage,
    ];
    expect(spoken(...lines)).toEqual([
      ['Go.', undefined],
      ['Looking.', 'c-1'],
      ['Seen.', 'c-1'],
      ['Done.', undefined],
    ]);
    const events = tell(...lines);
    expect(only(events, 'tool-call-start').map(({ toolCallId, subagentId }) => [toolCallId, subagentId])).toEqual([
      ['c-1', undefined],
      ['c-2', undefined],
      ['c-3', 'c-1'],
    ]);
    expect(only(events, 'task-end')).toMatchObject([{ outcome: 'success', result: 'Seen.' }]);
  });

  test('while the main agent waits for something else, or is done', () => {
    const sent = [usage, begin('c-1', 'spawn_subagent'), end('c-1', sentOff)];
    expect(spoken(...sent, usage, begin('c-2', 'run_terminal_command'), say('Looking.'), usage)).toEqual([
      ['Looking.', 'c-1'],
    ]);
    // Once it is done too, somebody has woken the main agent.
    expect(spoken(...sent, say('Sent.'), usage, say('Seen.'), usage, say('Good.'), usage)).toEqual([
      ['Sent.', undefined],
      ['Seen.', 'c-1'],
      ['Good.', undefined],
    ]);
  });

  test('and is over when somebody is told how it did', () => {
    const result = { task_id: 'a-1', status: 'completed', output: 'Seen.\n\n<subagent_meta>id=a-1</subagent_meta>' };
    const asked = [begin('c-2', 'get_command_or_subagent_output'), end('c-2', { type: 'TaskOutput', Result: result })];
    const events = tell(usage, begin('c-1', 'spawn_subagent'), end('c-1', sentOff), usage, ...asked, say('Good.'));
    expect(only(events, 'task-end')).toMatchObject([{ taskId: 'c-1', outcome: 'success', result: 'Seen.' }]);
    expect(only(events, 'text-end')[0]?.subagentId).toBeUndefined();
  });
});

test('an error is said without its wrapping', () => {
  const wrapped = (inner: unknown): unknown => ({ type: 'error', message: `Internal error: ${JSON.stringify(inner)}` });
  const endOf = (message: unknown) => only(tell(message), 'turn-end')[0]?.error;
  expect(endOf(wrapped({ message: 'cut by max_tokens', error_kind: 'max_tokens_truncation' }))).toMatchObject({
    message: 'cut by max_tokens',
    nativeCode: 'max_tokens_truncation',
  });
  expect(endOf(wrapped({ message: 'API error: forbidden', http_status: 403 }))).toMatchObject({
    code: 'authentication',
    message: 'API error: forbidden',
    httpStatus: 403,
  });
  expect(endOf(wrapped('Unauthorized (401)'))).toMatchObject({ message: 'Unauthorized (401)', httpStatus: 401 });
  expect(endOf({ type: 'error', message: 'Internal error: {' })).toMatchObject({ message: 'Internal error: {' });
});

test('a todo may have been cancelled, for which ACP has no word', () => {
  const entries = [{ content: 'one', priority: 'low', status: 'completed', _meta: { cancelled: true } }];
  expect(only(tell({ type: 'plan', entries }), 'todo-update')[0]?.entries).toMatchObject([{ status: 'cancelled' }]);
});

test('what Grok ticks off by itself at the end was not said by the model', () => {
  const plan = (...statuses: string[]): unknown => ({
    type: 'plan',
    entries: statuses.map((status, index) => ({ content: `${index}`, priority: 'low', status })),
  });
  const lists = (...messages: unknown[]): string[][] =>
    only(tell(...messages), 'todo-update').map(({ entries }) => entries.map(({ status }) => status));
  const write = [call('todo_write'), update('completed')];
  expect(lists(...write, plan('completed', 'in_progress'), plan('completed', 'completed'))).toEqual([
    ['completed', 'in_progress'],
  ]);
  expect(lists(...write, plan('in_progress'), ...write, plan('completed'))).toEqual([['in_progress'], ['completed']]);
  // Anything else is news: a session that goes on may begin with its list.
  expect(lists(plan('pending'), plan('completed'))).toEqual([['pending'], ['completed']]);
});

test('an end that is told twice counts once', () => {
  const done = end('end_turn', { usage: { ...USAGE, total_tokens: 9 } });
  const once = only(tell(TEXT, STEP, done), 'session-end')[0]?.usage;
  expect(only(tell(TEXT, STEP, done, done), 'session-end')[0]?.usage).toEqual(once);
  expect(only(tell(TEXT, STEP, done, done), 'turn-end')).toHaveLength(1);
});
