import { describe, expect, test } from 'vitest';
import { ofType, summarize } from '../../../test/captures.ts';
import { brokenPromises } from '../../../test/promises.ts';
import { eventsOfMessages, messagesOf } from '../../../test/recordings.ts';
import { command } from './command.ts';
import { detect } from './detect.ts';
import { readError, readRetry } from './errors.ts';
import { codex } from './index.ts';

const THREAD = { type: 'thread.started', thread_id: 't1' };
const TURN = { type: 'turn.started' };
const started = (item: object) => ({ type: 'item.started', item });
const updated = (item: object) => ({ type: 'item.updated', item });
const completed = (item: object) => ({ type: 'item.completed', item });
const usage = (input: number, output: number) => ({
  type: 'turn.completed',
  usage: { input_tokens: input, cached_input_tokens: 0, output_tokens: output, reasoning_output_tokens: 0 },
});

/** Events of a turn that is still open at the end, which every test may break no promise with. */
function eventsOf(...messages: readonly unknown[]) {
  const events = eventsOfMessages(codex, [THREAD, TURN, ...messages]);
  expect(brokenPromises(events)).toEqual([]);
  return events;
}

describe('calls', () => {
  const command_execution = { id: 'item_0', type: 'command_execution', command: 'ls', aggregated_output: '' };

  test('one that completes without having started is started and ended at once', () => {
    const events = eventsOf(completed({ ...command_execution, exit_code: 0, status: 'completed' }));
    const [call] = ofType(events, 'tool-call-start');
    expect(call).toMatchObject({ line: 3, toolCallId: 'item_0' });
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ line: 3, outcome: 'success', exitCode: 0 }]);
  });

  test('a refused command is denied, by policy', () => {
    const events = eventsOf(completed({ ...command_execution, exit_code: null, status: 'declined' }));
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'denied', nativeStatus: 'declined' }]);
    expect(ofType(events, 'permission-resolve')).toMatchObject([
      { toolCallId: 'item_0', decision: 'denied', by: 'policy' },
    ]);
  });

  test.each([
    ['completed', 0, 'success'],
    ['completed', 2, 'error'],
    ['failed', 0, 'error'],
    ['failed', null, 'error'],
    ['in_progress', null, 'unknown'],
    ['paused', 0, 'unknown'],
  ])('status %s and exit code %s is %s', (status, exit_code, outcome) => {
    const events = eventsOf(completed({ ...command_execution, status, exit_code }));
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome, nativeStatus: status }]);
  });

  test('output that comes while a command runs is a snapshot', () => {
    const events = eventsOf(started(command_execution), updated({ ...command_execution, aggregated_output: 'one\n' }));
    expect(ofType(events, 'tool-call-update')).toMatchObject([{ toolCallId: 'item_0', outputSnapshot: 'one\n' }]);
  });

  test.each([
    ["/bin/bash -lc 'ls -l'", 'ls -l'],
    ['/bin/bash -c ls', 'ls'],
    ['/bin/zsh -c "echo \'hi\'"', '/bin/zsh -c "echo \'hi\'"'],
    ['bash -c \'a\'"b"', 'bash -c \'a\'"b"'],
    ['make test', 'make test'],
  ])('the title of %s is %s', (shell, title) => {
    const events = eventsOf(started({ ...command_execution, command: shell }));
    expect(ofType(events, 'tool-call-start')).toMatchObject([{ title }]);
  });

  test('an MCP call that failed says why, and its sentence tells nothing about the model', () => {
    const item = { id: 'item_0', type: 'mcp_tool_call', server: 'web', tool: 'get', arguments: { id: 1 } };
    const events = eventsOf(
      completed({ ...item, result: null, error: { message: 'status 404 Not Found' }, status: 'failed' }),
    );
    expect(ofType(events, 'tool-call-start')).toMatchObject([{ toolName: 'get', mcp: { server: 'web', tool: 'get' } }]);
    expect(ofType(events, 'tool-call-end')).toMatchObject([
      { outcome: 'error', error: { code: 'unknown', message: 'status 404 Not Found' } },
    ]);
  });

  test('an MCP tool that says itself that it failed says why in its result', () => {
    const item = { id: 'item_0', type: 'mcp_tool_call', server: 'calc', tool: 'fail', error: null, status: 'failed' };
    const result = { content: [{ type: 'text', text: 'The calculator is broken.' }], structured_content: null };
    expect(ofType(eventsOf(completed({ ...item, result })), 'tool-call-end')).toMatchObject([
      { outcome: 'error', error: { code: 'unknown', message: 'The calculator is broken.' } },
    ]);
  });

  test('an MCP result may be structured', () => {
    const item = { id: 'item_0', type: 'mcp_tool_call', server: 'web', tool: 'get', status: 'completed' };
    const result = { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }], structured_content: { a: 1 } };
    expect(ofType(eventsOf(completed({ ...item, result })), 'tool-call-end')).toMatchObject([
      { content: [{ type: 'image', mediaType: 'image/png' }], output: { a: 1 } },
    ]);
  });

  test('a search that starts without a query tells it when it knows it', () => {
    const item = { id: 'ws_1', type: 'web_search', query: '', action: { type: 'other' } };
    const opened = { ...item, action: { type: 'open_page', url: 'https://example.org/' } };
    const events = eventsOf(started(item), completed(opened));
    expect(ofType(events, 'tool-call-input-end')).toMatchObject([
      { line: 4, title: 'https://example.org/', input: { action: opened.action } },
    ]);
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ line: 4, outcome: 'success' }]);
  });

  test('of a key that is there twice the second counts, for the start as for the end', () => {
    const line = (type: string) =>
      `{"type":"${type}","item":{"id":"item_1","type":"web_search","id":"ws_9","query":"q"}}`;
    const events = eventsOf(line('item.started'), line('item.completed'));
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ toolCallId: 'ws_9', outcome: 'success' }]);
  });
});

describe('file changes', () => {
  const patch = (changes: readonly object[], status = 'completed') =>
    eventsOf(completed({ id: 'item_0', type: 'file_change', changes, status }));

  test.each([
    [['add'], 'edit', ['patch']],
    [['update', 'delete'], 'edit', ['patch']],
    [['delete', 'delete'], 'delete', undefined],
    [[{ type: 'update', move_path: '/new' }], 'move', undefined],
    [[{ type: 'update', move_path: null }], 'edit', ['patch']],
  ])('%j is %s', (kinds, kind, tags) => {
    const [call] = ofType(patch(kinds.map((one, index) => ({ path: `/${index}`, kind: one }))), 'tool-call-start');
    expect(call?.kind).toBe(kind);
    expect(call?.tags).toEqual(tags);
  });

  test('a move tells where from, and a diff becomes a patch', () => {
    const change = { path: '/a', kind: { type: 'update', move_path: '/b' }, diff: '@@ -1 +1 @@\n-x\n+y\n' };
    expect(ofType(patch([change]), 'file-change')).toMatchObject([
      { changes: [{ path: '/b', operation: 'move', fromPath: '/a', linesAdded: 1, linesRemoved: 1 }] },
    ]);
  });

  test('a patch that failed has changed nothing', () => {
    const events = patch([{ path: '/a', kind: 'update' }], 'failed');
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'error' }]);
    expect(ofType(events, 'file-change')).toEqual([]);
  });

  test('a patch that grows while it is written is one call', () => {
    const item = { id: 'item_0', type: 'file_change', changes: [{ path: '/a', kind: 'add' }], status: 'in_progress' };
    const events = eventsOf(started(item), updated(item), completed({ ...item, status: 'completed' }));
    expect(ofType(events, 'tool-call-end')).toHaveLength(1);
    expect(ofType(events, 'file-change')).toMatchObject([{ toolCallId: 'item_0', changes: [{ operation: 'add' }] }]);
  });
});

describe('sub-agents', () => {
  const collab = (tool: string, fields: object = {}) =>
    completed({
      id: `item_${tool}`,
      type: 'collab_tool_call',
      tool,
      status: 'completed',
      agents_states: {},
      ...fields,
    });
  const spawn = collab('spawn_agent', { receiver_thread_ids: ['a1'], prompt: 'Count.\nAll of them.' });
  const state = (status: string, message: string | null = null) => ({ agents_states: { a1: { status, message } } });

  test.each([
    ['completed', 'Two.', { outcome: 'success', result: 'Two.' }],
    [
      'errored',
      'stream disconnected',
      { outcome: 'error', error: { code: 'network', message: 'stream disconnected' } },
    ],
    ['interrupted', null, { outcome: 'cancelled' }],
    ['shutdown', null, { outcome: 'cancelled' }],
    ['not_found', null, { outcome: 'unknown' }],
  ])('one that is %s has ended', (status, message, end) => {
    const wait = collab('wait', { ...state(status, message), status: status === 'errored' ? 'failed' : 'completed' });
    const events = eventsOf(spawn, wait);
    expect(ofType(events, 'task-start')).toMatchObject([{ taskId: 'a1', toolCallId: 'item_spawn_agent' }]);
    expect(ofType(events, 'task-end')).toMatchObject([{ taskId: 'a1', line: 4, ...end }]);
  });

  test.each(['pending_init', 'running', 'dreaming'])('one that is %s goes on, until it is closed', (status) => {
    const events = eventsOf(spawn, collab('wait', state(status)), collab('close_agent', state(status)));
    expect(ofType(events, 'task-end')).toMatchObject([{ line: 5, outcome: 'cancelled' }]);
  });

  test('one that has ended and gets more to do is a task again', () => {
    const more = collab('send_input', { receiver_thread_ids: ['a1'], prompt: 'More.', ...state('completed', 'Two.') });
    const events = eventsOf(spawn, collab('wait', state('completed', 'Two.')), more);
    expect(ofType(events, 'task-start')).toMatchObject([{ prompt: 'Count.\nAll of them.' }, { prompt: 'More.' }]);
    expect(ofType(events, 'task-end')).toMatchObject([{ result: 'Two.' }, { outcome: 'unknown', synthetic: true }]);
    // What it said before is no answer to what it is told now.
    expect(ofType(events, 'tool-call-end').map(({ content }) => content)).toEqual([
      [],
      [{ type: 'text', text: 'Two.' }],
      [],
    ]);
  });

  test('waiting for one that failed fails with what it says', () => {
    const message = JSON.stringify({ error: { message: 'Bad sub-agent.', type: 'server_error', code: null } });
    const events = eventsOf(spawn, collab('wait', { ...state('errored', message), status: 'failed' }));
    const error = { message: 'Bad sub-agent.', httpStatus: 400 };
    expect(ofType(events, 'tool-call-end').at(-1)).toMatchObject({ outcome: 'error', error });
    expect(ofType(events, 'task-end')).toMatchObject([{ outcome: 'error', error }]);
  });

  test('one that could not be started is none', () => {
    const events = eventsOf(collab('spawn_agent', { receiver_thread_ids: ['a1'], status: 'failed' }));
    expect(ofType(events, 'task-start')).toEqual([]);
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'error' }]);
  });
});

describe('turns', () => {
  test('a turn used what the thread has used since the one before', () => {
    const events = eventsOf(usage(100, 10), TURN, usage(250, 30));
    expect(ofType(events, 'turn-end').map(({ usage: used }) => [used?.inputTokens, used?.outputTokens])).toEqual([
      [100, 10],
      [150, 20],
    ]);
    expect(ofType(events, 'session-end')).toMatchObject([{ usage: { inputTokens: 250, outputTokens: 30 }, turns: 2 }]);
  });

  test('a thread that is gone on with counts on, another one counts anew', () => {
    const inputs = (thread: object) =>
      ofType(eventsOf(usage(100, 10), thread, TURN, usage(120, 12)), 'turn-end').map((end) => end.usage?.inputTokens);
    expect(inputs(THREAD)).toEqual([100, 20]);
    expect(inputs({ ...THREAD, thread_id: 't2' })).toEqual([100, 120]);
  });

  test('a total that is less than before is taken as it is', () => {
    const events = eventsOf(usage(100, 10), TURN, usage(40, 4));
    expect(ofType(events, 'turn-end').at(-1)?.usage).toMatchObject({ inputTokens: 40, outputTokens: 4 });
  });

  test('counts that are all 0 are none: a review prints them', () => {
    const events = eventsOf(usage(0, 0));
    expect(ofType(events, 'turn-end')[0]).not.toHaveProperty('usage');
    expect(ofType(events, 'session-end')[0]?.usage).toBeUndefined();
  });

  test.each([
    ['Incomplete response returned, reason: max_output_tokens', 'max_tokens'],
    ['stream disconnected before completion: Incomplete response returned, reason: content_filter', 'content_filter'],
    ["Codex ran out of room in the model's context window.", 'context_full'],
    ['shared rollout token budget exhausted', 'max_budget'],
  ])('%s: it stopped by %s', (message, stopReason) => {
    const events = eventsOf({ type: 'error', message }, { type: 'turn.failed', error: { message } });
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'error', stopReason }]);
  });

  test('an error and the failure that repeats it are one error', () => {
    const message = "You've hit your usage limit. Try again later.";
    const events = eventsOf({ type: 'error', message }, { type: 'turn.failed', error: { message } });
    expect(ofType(events, 'error')).toMatchObject([{ fatal: true, error: { code: 'rate_limit' } }]);
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'error', stopReason: 'error', error: { message } }]);
  });

  test('retries that lead somewhere end well, and are no errors', () => {
    const retry = (n: number) => ({ type: 'error', message: `Reconnecting... ${n}/5 (stream disconnected)` });
    const message = completed({ id: 'item_0', type: 'agent_message', text: 'Back.' });
    const events = eventsOf(retry(1), retry(2), message, usage(1, 1));
    expect(ofType(events, 'retry-start')).toMatchObject([
      { attempt: 1, maxAttempts: 5, error: { code: 'network' } },
      { attempt: 2, maxAttempts: 5 },
    ]);
    expect(ofType(events, 'retry-end').map(({ outcome }) => outcome)).toEqual(['error', 'success']);
    expect(ofType(events, 'error')).toEqual([]);
    expect(ofType(events, 'session-end')).toMatchObject([{ outcome: 'success' }]);
  });

  test('a retry that leads nowhere ends before the failure is told', () => {
    const retry = { type: 'error', message: 'Reconnecting... 1/1' };
    const failure = { type: 'turn.failed', error: { message: 'stream disconnected' } };
    for (const messages of [
      [retry, failure],
      [retry, { type: 'error', message: 'stream disconnected' }, failure],
    ]) {
      const types = eventsOf(...messages).map(({ type }) => type);
      expect(types.slice(2)).toEqual(['retry-start', 'retry-end', 'error', 'turn-end', 'session-end']);
    }
  });

  test('a warning is a notice and begins no turn', () => {
    const warning = completed({ id: 'item_0', type: 'error', message: 'model rerouted: a -> b' });
    const events = eventsOfMessages(codex, [THREAD, warning]);
    expect(ofType(events, 'notice')).toMatchObject([{ severity: 'warning', title: 'model rerouted: a -> b' }]);
    expect(ofType(events, 'turn-start')).toEqual([]);
  });

  test('a failure without a turn is told by the exit code too', () => {
    const events = eventsOfMessages(codex, [THREAD, { type: 'error', message: 'no such thread' }], { code: 1 });
    expect(ofType(events, 'session-end')).toMatchObject([{ outcome: 'error', error: { message: 'no such thread' } }]);
  });

  test('a process that was stopped leaves its calls open, and they end with it', () => {
    const call = started({ id: 'item_0', type: 'command_execution', command: 'sleep 9', status: 'in_progress' });
    const ends = (exit: object) => {
      const events = eventsOfMessages(codex, [THREAD, TURN, call], exit);
      return [...ofType(events, 'tool-call-end'), ...ofType(events, 'session-end')].map(({ outcome }) => outcome);
    };
    expect(ends({ signal: 'SIGINT' })).toEqual(['cancelled', 'cancelled']);
    expect(ends({ code: 130 })).toEqual(['cancelled', 'cancelled']);
    // It exits with 1 for that too; a failure would have been told.
    expect(ends({ code: 1 })).toEqual(['cancelled', 'cancelled']);
    expect(ends({ code: 101 })).toEqual(['unknown', 'error']);
    expect(ends({})).toEqual(['unknown', 'unknown']);
  });
});

test('a total that leaves out sub-agents is the main thread alone, and one that is told twice counts once', () => {
  const spawned = {
    id: 'item_0',
    type: 'collab_tool_call',
    tool: 'spawn_agent',
    receiver_thread_ids: ['t2'],
    status: 'completed',
  };
  const done = usage(10, 2);
  const plain = eventsOfMessages(codex, [THREAD, TURN, done, done]);
  expect(summarize(plain)).toMatchObject({ turns: 1, usage: { inputTokens: 10, state: 'reconciled' } });
  const helped = eventsOfMessages(codex, [THREAD, TURN, completed(spawned), done]);
  expect(summarize(helped)).toMatchObject({
    usage: { inputTokens: 10, state: 'known' },
    mainUsage: { inputTokens: 10 },
  });
});

test('a text that is none is kept as it came', () => {
  const events = eventsOfMessages(codex, [
    THREAD,
    TURN,
    completed({ id: 'item_0', type: 'agent_message', text: ['part'] }),
  ]);
  expect(ofType(events, 'raw')).toMatchObject([{ reason: 'no_counterpart', nativeType: 'agent_message' }]);
});

test('a todo list is told when it changes, and only then', () => {
  const list = (done: boolean) => ({ id: 'item_0', type: 'todo_list', items: [{ text: 'Read', completed: done }] });
  const events = eventsOf(started(list(false)), updated(list(false)), updated(list(true)), completed(list(true)));
  expect(ofType(events, 'todo-update').map(({ entries }) => entries)).toEqual([
    [{ content: 'Read', status: 'pending' }],
    [{ content: 'Read', status: 'completed' }],
  ]);
  expect(ofType(events, 'tool-call-start')).toEqual([]);
});

test('an item that nobody knows is kept with its type', () => {
  const dance = completed({ id: 'item_0', type: 'dance' });
  expect(ofType(eventsOf(dance), 'raw')).toMatchObject([
    { reason: 'unknown_type', nativeType: 'item.completed/dance', value: dance },
  ]);
});

test.each([
  ['Codex ran out of room in the model’s context window.', 'context_full', undefined],
  ['exceeded retry limit, last status: 429 Too Many Requests', 'rate_limit', 429],
  ['Quota exceeded. Check your plan and billing details.', 'billing', undefined],
  ['Selected model is at capacity. Please try a different model.', 'overloaded', undefined],
  ['Flex capacity unavailable.', 'overloaded', undefined],
  ['shared rollout token budget exhausted', 'max_budget', undefined],
  [
    'stream disconnected before completion: Incomplete response returned, reason: content_filter',
    'content_filter',
    undefined,
  ],
  ['unexpected status 503 Service Unavailable: busy, url: http://127.0.0.1:19300/v1', 'overloaded', 503],
  ['{"error":{"message":"Unsupported value: verbosity","type":"invalid_request_error"}}', 'invalid_request', 400],
  ['{"error":{"message":"The requested model \'x\' does not exist."}}', 'model_not_found', 400],
  ['{"error":', 'unknown', undefined],
])('%s is %s', (message, code, httpStatus) => {
  const error = readError(message);
  expect([error.code, error.httpStatus]).toEqual([code, httpStatus]);
  expect(error.message.startsWith('{"error":{')).toBe(false);
});

test.each([
  ['Reconnecting... 2/5', { attempt: 2, maxAttempts: 5 }],
  ['Reconnecting... waiting for network', { attempt: 1 }],
  ['Reconnecting... 1/1 (status 500)', { attempt: 1, maxAttempts: 1, error: { code: 'server', httpStatus: 500 } }],
])('%s is a retry', (message, retry) => expect(readRetry(message)).toMatchObject(retry));

test.each(['Reconnecting', 'Reconnecting... soon', 'not Reconnecting... 1/5'])('%s is no retry', (message) =>
  expect(readRetry(message)).toBeUndefined(),
);

describe('detection', () => {
  test('every line tells whose it is, but an error, which could be anybody’s', () => {
    const unsure = messagesOf('codex').filter((message) => detect([message]) < 0.5);
    expect(unsure.length).toBeGreaterThan(0);
    for (const message of unsure) expect(message).toMatchObject({ type: 'error' });
  });

  test.each(['claude', 'copilot', 'gemini', 'goose', 'grok', 'kimi', 'opencode', 'pi', 'qwen'])(
    'no line of %s is taken for one',
    (agent) => expect(messagesOf(agent).filter((message) => detect([message]) >= 0.5)).toEqual([]),
  );
});

describe('command', () => {
  test('the prompt goes to stdin', () => {
    expect(command({ prompt: '-h' })).toEqual({
      program: 'codex',
      args: ['exec', '--json', '--skip-git-repo-check', '--', '-'],
      stdin: '-h',
      signals: 'process',
    });
  });

  test('a thread is gone on with, by a model, without asking', () => {
    expect(command({ prompt: 'Go on.', resume: 't1', model: 'm', approveAll: true }).args).toEqual([
      'exec',
      'resume',
      '--json',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '--model=m',
      '--',
      't1',
      '-',
    ]);
  });
});
