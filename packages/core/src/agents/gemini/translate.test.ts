import { describe, expect, test } from 'vitest';
import { ofType, summarize } from '../../../test/captures.ts';
import { brokenPromises } from '../../../test/promises.ts';
import { eventsOfMessages, messagesOf } from '../../../test/recordings.ts';
import { command } from './command.ts';
import { detect } from './detect.ts';
import { readExit } from './exit.ts';
import { gemini } from './index.ts';

const timestamp = '2026-11-15T06:53:16.216Z';
const INIT = { type: 'init', timestamp, session_id: 's1', model: 'gemini-2.5-pro' };
const USER = { type: 'message', timestamp, role: 'user', content: 'Go.' };
const said = (content: string) => ({ type: 'message', timestamp, role: 'assistant', content, delta: true });
const use = (tool_name: string, parameters: object = {}) => ({
  type: 'tool_use',
  timestamp,
  tool_name,
  tool_id: 'c1',
  parameters,
});
const result = (fields: object = {}) => ({
  type: 'tool_result',
  timestamp,
  tool_id: 'c1',
  status: 'success',
  ...fields,
});
const failed = (type: string, message = 'It failed.') =>
  result({ status: 'error', output: message, error: { type, message } });
const error = (severity: string, message: string) => ({ type: 'error', timestamp, severity, message });
const end = (status: string, fields: object = {}) => ({ type: 'result', timestamp, status, ...fields });

function eventsOf(...messages: readonly unknown[]) {
  const events = eventsOfMessages(gemini, [INIT, USER, ...messages]);
  expect(brokenPromises(events)).toEqual([]);
  return events;
}

describe('text', () => {
  test('it ends where anything else begins', () => {
    for (const other of [use('glob'), result(), error('warning', 'Careful.'), USER]) {
      const events = eventsOf(said('One'), said(' two'), other, said('Three'));
      expect(ofType(events, 'text-end').map(({ line, text }) => [line, text])).toEqual([
        [5, 'One two'],
        [6, 'Three'],
      ]);
    }
  });

  test('a line that nobody knows does not end it', () => {
    const events = eventsOf(said('One'), { type: 'thought', timestamp }, said(' two'));
    expect(ofType(events, 'text-end').map(({ text }) => text)).toEqual(['One two']);
  });

  test('what the run fails in the middle of is partial', () => {
    const cut = end('error', { error: { type: 'unknown', message: '[API Error: terminated]' } });
    expect(ofType(eventsOf(said('Hel'), cut), 'text-end')).toMatchObject([{ text: 'Hel', partial: true }]);
    const [whole] = ofType(eventsOf(said('Hello.'), end('success')), 'text-end');
    expect(whole).not.toHaveProperty('partial');
  });

  test('its time is the line’s', () => {
    const [delta] = ofType(eventsOf(said('Hi')), 'text-delta');
    expect(delta?.time).toBe(Date.parse(timestamp));
    const [untimed] = ofType(eventsOf({ ...said('Hi'), timestamp: 'noon' }), 'text-delta');
    expect(untimed).not.toHaveProperty('time');
  });
});

describe('calls', () => {
  test.each([
    ['run_shell_command', 'tool_not_registered', 'denied', 'denied'],
    ['no_such_tool', 'tool_not_registered', 'error', 'tool_not_found'],
    ['write_todos', 'tool_not_registered', 'denied', 'denied'],
    ['read_many_files', 'tool_not_registered', 'error', 'tool_not_found'],
    ['complete_task', 'tool_not_registered', 'error', 'tool_not_found'],
    ['run_shell_command', 'policy_violation', 'denied', 'denied'],
    ['read_file', 'invalid_tool_params', 'error', 'invalid_input'],
    ['read_file', 'permission_denied', 'error', 'permission'],
    ['web_fetch', 'web_fetch_processing_error', 'error', 'unknown'],
  ])('%s with %s is %s', (name, type, outcome, code) => {
    const events = eventsOf(use(name), failed(type, 'status code 404'));
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome, error: { code, nativeCode: type } }]);
    const refusals = ofType(events, 'permission-resolve').map(({ toolCallId, decision }) => [toolCallId, decision]);
    expect(refusals).toEqual(outcome === 'denied' ? [['c1', 'denied']] : []);
  });

  test('a call that a person would have to allow is denied', () => {
    const sentence =
      'Tool execution for "Shell" requires user confirmation, which is not supported in non-interactive mode.';
    const events = eventsOf(use('run_shell_command'), failed('unhandled_exception', sentence));
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'denied' }]);
  });

  test('a result without a status tells nothing, one without a call is kept', () => {
    const [call] = ofType(eventsOf(use('glob'), result({ status: null })), 'tool-call-end');
    expect(call?.outcome).toBe('unknown');
    expect(ofType(eventsOf(result()), 'raw')).toMatchObject([{ reason: 'no_counterpart', nativeType: 'tool_result' }]);
  });

  test.each([
    ['mcp_calc_add', { server: 'calc', tool: 'add' }],
    ['mcp_calc_add_all', { server: 'calc', tool: 'add_all' }],
    ['mcp_calc', { server: 'calc', tool: '' }],
  ])('%s is an MCP call', (name, mcp) => {
    expect(ofType(eventsOf(use(name)), 'tool-call-start')).toMatchObject([{ kind: 'other', tags: ['mcp'], mcp }]);
  });

  test.each([
    ['read_mcp_resource', 'read'],
    ['google_web_search', 'fetch'],
    ['enter_plan_mode', 'switch_mode'],
    ['constructor', 'other'],
  ])('%s is of kind %s', (name, kind) => {
    expect(ofType(eventsOf(use(name)), 'tool-call-start')).toMatchObject([{ toolName: name, kind }]);
  });
});

describe('what calls do', () => {
  test.each([
    ['write_file', { file_path: 'a', content: 'x' }, { path: 'a', operation: 'modify', newText: 'x' }],
    ['replace', { file_path: 'a', old_string: 'x', new_string: 'y' }, { path: 'a', operation: 'modify' }],
    ['replace', { file_path: 'a', old_string: '', new_string: 'y' }, { path: 'a', operation: 'add', newText: 'y' }],
  ])('%s of %j changes a file, if it succeeds', (name, parameters, change) => {
    const events = eventsOf(use(name, parameters), result());
    expect(ofType(events, 'file-change')).toMatchObject([{ toolCallId: 'c1', changes: [change], outcome: 'success' }]);
    expect(ofType(events, 'file-change')[0]?.changes).toEqual([change]);
    expect(ofType(eventsOf(use(name, parameters), failed('edit_no_occurrence_found')), 'file-change')).toEqual([]);
  });

  test('the todo list is the whole of it', () => {
    const statuses = ['pending', 'in_progress', 'completed', 'cancelled', 'blocked'];
    const todos = statuses.map((status) => ({ description: status, status }));
    expect(ofType(eventsOf(use('write_todos', { todos }), result()), 'todo-update')).toMatchObject([
      { entries: statuses.map((content) => ({ content, status: content === 'blocked' ? 'pending' : content })) },
    ]);
    expect(ofType(eventsOf(use('write_todos', { todos }), failed('invalid_tool_params')), 'todo-update')).toEqual([]);
  });

  test('a sub-agent is there from its call to its result', () => {
    const call = use('invoke_agent', { agent_name: 'generalist', prompt: 'Count.' });
    const events = eventsOf(call, result({ output: 'Two.' }));
    expect(ofType(events, 'task-start')).toMatchObject([{ taskId: 'c1', name: 'generalist', prompt: 'Count.' }]);
    expect(ofType(events, 'task-end')).toMatchObject([{ taskId: 'c1', outcome: 'success', result: 'Two.' }]);
    expect(ofType(eventsOf(call, failed('execution_failed')), 'task-end')).toMatchObject([{ outcome: 'error' }]);
    expect(ofType(eventsOf(call), 'task-end')).toMatchObject([{ outcome: 'unknown', synthetic: true }]);
  });

  test('a plan is put forward by its file', () => {
    const events = eventsOf(use('exit_plan_mode', { plan_filename: 'plan.md' }));
    expect(ofType(events, 'plan-update')).toMatchObject([{ path: 'plan.md', toolCallId: 'c1' }]);
  });
});

describe('how it ends', () => {
  const lastTurn = (...messages: readonly unknown[]) => ofType(eventsOf(...messages), 'turn-end').at(-1);

  test('a failure without an error is the error told before it, once', () => {
    const blocked = error('error', 'The model response was blocked due to safety settings.');
    const events = eventsOf(blocked, end('error'));
    expect(ofType(events, 'error')).toMatchObject([{ error: { code: 'content_filter' } }]);
    expect(ofType(events, 'turn-end')).toMatchObject([
      { outcome: 'error', stopReason: 'content_filter', error: { code: 'content_filter' } },
    ]);
  });

  test('an error belongs to its own turn', () => {
    const limit = error('error', 'Maximum session turns exceeded');
    expect(lastTurn(limit, end('error'), USER, end('success'))).toMatchObject({ stopReason: 'end_turn' });
  });

  test('a failure of which nothing is told has an error all the same', () => {
    expect(lastTurn(end('error'))).toMatchObject({ outcome: 'error', error: { code: 'unknown' } });
  });

  test.each([
    [error('error', 'Maximum session turns exceeded'), 'success', 'max_turn_requests'],
    [error('error', 'Model response was truncated because it exceeded the token limit.'), 'error', 'max_tokens'],
    [error('warning', 'Loop detected, stopping execution'), 'success', 'end_turn'],
  ])('%j, then %s, is %s', (before, status, stopReason) => {
    expect(lastTurn(before, end(status))).toMatchObject({ outcome: status, stopReason });
  });

  test('a warning is a notice, and no error', () => {
    const events = eventsOf(error('warning', 'Agent execution blocked: no'), end('success'));
    expect(ofType(events, 'notice')).toMatchObject([{ severity: 'warning', title: 'Agent execution blocked: no' }]);
    expect(ofType(events, 'error')).toEqual([]);
  });

  test('a run that was cancelled is no failure', () => {
    const cancelled = end('error', { error: { type: 'FatalCancellationError', message: 'Operation cancelled.' } });
    const events = eventsOf(use('glob'), cancelled);
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'cancelled', stopReason: 'cancelled' }]);
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'cancelled' }]);
    expect(ofType(events, 'session-end')).toMatchObject([{ outcome: 'cancelled' }]);
  });

  test.each([
    ['FatalAuthenticationError', 'Log in.', { code: 'authentication', nativeCode: 'FatalAuthenticationError' }],
    ['no_space_left', 'Error executing tool write_file: full', { code: 'unknown', nativeCode: 'no_space_left' }],
    ['unknown', '[API Error: terminated]', { code: 'network', message: 'terminated' }],
    ['unknown', '[API Error: models/gemini-9 is not found for API version v1beta.]', { code: 'model_not_found' }],
    [
      'unknown',
      '[API Error: You have exhausted your daily quota on this model.]\nPlease wait.',
      { code: 'rate_limit' },
    ],
    ['unknown', '[API Error: {"error":]', { code: 'unknown', message: '{"error":' }],
    [
      'ApiError',
      '[API Error: {"error":{"code":429,"message":"Slow down.","status":"RESOURCE_EXHAUSTED"}}]\nPlease wait and try again later.',
      { code: 'rate_limit', message: 'Slow down.', nativeCode: 'RESOURCE_EXHAUSTED', httpStatus: 429 },
    ],
    [
      'ApiError',
      '[API Error: {"error":{"code":503,"message":"Busy.","details":[]}}]',
      { code: 'overloaded', message: 'Busy.', nativeCode: 'ApiError', httpStatus: 503 },
    ],
  ])('%s: %s', (type, message, told) => {
    expect(lastTurn(end('error', { error: { type, message } }))?.error).toMatchObject(told);
  });

  const stats = {
    total_tokens: 1592,
    input_tokens: 1400,
    output_tokens: 12,
    cached: 1000,
    duration_ms: 87,
    models: {
      a: { total_tokens: 1500, input_tokens: 1400, output_tokens: 10, cached: 1000 },
      b: { total_tokens: 2, input_tokens: 0, output_tokens: 2, cached: 0 },
      c: null,
    },
  };

  test('what the total has beyond the rest was thought, and is output', () => {
    const turn = lastTurn(end('success', { stats }));
    expect(turn?.usage).toEqual({
      inputTokens: 1400,
      cacheReadTokens: 1000,
      outputTokens: 192,
      reasoningTokens: 180,
      totalTokens: 1592,
    });
    expect(turn?.models).toMatchObject({ a: { outputTokens: 100, reasoningTokens: 90 }, b: { outputTokens: 2 } });
    expect(Object.keys(turn?.models ?? {})).toEqual(['a', 'b']);
    expect(turn?.durationMs).toBe(87);
  });

  test('a total that is less than its parts has no reasoning', () => {
    const turn = lastTurn(end('success', { stats: { ...stats, total_tokens: 0 } }));
    expect(turn?.usage).toMatchObject({ outputTokens: 12, reasoningTokens: 0 });
  });

  test('a failed run that counted nothing tells nothing', () => {
    const none = { total_tokens: 0, input_tokens: 0, output_tokens: 0, cached: 0, duration_ms: 0, models: {} };
    const turn = lastTurn(end('error', { stats: none }));
    expect(turn).not.toHaveProperty('usage');
    expect(turn).not.toHaveProperty('durationMs');
  });
});

describe('exit codes', () => {
  test.each([
    [0, { outcome: 'cancelled' }],
    [41, { outcome: 'error', error: { code: 'authentication' } }],
    [42, { outcome: 'error', error: { code: 'invalid_request' } }],
    [44, { outcome: 'error', error: { nativeCode: 'FatalSandboxError' } }],
    [53, { outcome: 'error', error: { code: 'max_turns' } }],
    [55, { outcome: 'error', error: { code: 'permission' } }],
    [130, { outcome: 'cancelled' }],
    [144, { outcome: 'error', error: { code: 'invalid_request', httpStatus: 400 } }],
    [173, { outcome: 'error', error: { code: 'rate_limit', httpStatus: 429 } }],
    [244, { outcome: 'error', error: { code: 'server', httpStatus: 500 } }],
    [1, { outcome: 'error', error: { nativeCode: 'exit 1' } }],
  ])('%s without a result', (code, ending) => expect(readExit({ code }, {})).toMatchObject(ending));

  test('a result counts before the exit code', () => {
    expect(readExit({ code: 0 }, { ending: { outcome: 'success' } })).toEqual({ outcome: 'success' });
    expect(readExit({ code: 53 }, { ending: { outcome: 'error' } })).toEqual({ outcome: 'error' });
  });

  test('an error that was told counts before what the code means', () => {
    const told = { code: 'network', message: 'terminated' } as const;
    for (const code of [1, 53, 144])
      expect(readExit({ code }, { error: told })).toEqual({ outcome: 'error', error: told });
  });

  test('a run that was stopped ends with 0 and leaves its calls cancelled', () => {
    const events = eventsOfMessages(gemini, [INIT, USER, use('run_shell_command')], { code: 0 });
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'cancelled', synthetic: true }]);
    expect(ofType(events, 'session-end')).toMatchObject([{ outcome: 'cancelled' }]);
  });

  test('one that never began tells by its code alone', () => {
    const events = eventsOfMessages(gemini, [], { code: 41 });
    expect(ofType(events, 'session-end')).toMatchObject([{ outcome: 'error', error: { code: 'authentication' } }]);
  });
});

describe('detection', () => {
  test('every line tells whose it is', () => {
    const messages = [...messagesOf('gemini'), error('warning', 'Careful.')];
    expect(messages.filter((message) => detect([message]) < 0.9)).toEqual([]);
  });

  test.each(['claude', 'codex', 'copilot', 'goose', 'grok', 'kimi', 'opencode', 'pi', 'qwen'])(
    'no line of %s is taken for one',
    (agent) => expect(messagesOf(agent).filter((message) => detect([message]) > 0)).toEqual([]),
  );
});

describe('command', () => {
  test('it runs by itself', () => {
    expect(command({ prompt: '-h' })).toEqual({
      program: 'gemini',
      args: ['--output-format', 'stream-json', '--prompt=-h'],
      signals: 'group',
    });
  });

  test('a session is gone on with, by a model, without asking', () => {
    const { args, env } = command({ prompt: 'Go on.', resume: 's1', model: 'm', approveAll: true });
    expect(args.slice(2)).toEqual(['--approval-mode=yolo', '--model=m', '--resume=s1', '--prompt=Go on.']);
    expect(env).toEqual({ GEMINI_CLI_TRUST_WORKSPACE: 'true' });
  });
});

test('a result that is told twice counts once, and a content that is no text is kept', () => {
  const stats = { total_tokens: 12, input_tokens: 10, output_tokens: 2, cached: 0 };
  const events = eventsOf(USER, said('Hi.'), end('success', { stats }), end('success', { stats }));
  expect(summarize(events)).toMatchObject({ turns: 1, usage: { inputTokens: 10, state: 'reconciled' } });
  const odd = { type: 'message', timestamp, role: 'assistant', content: { x: 1 } };
  expect(ofType(eventsOf(USER, odd), 'raw')).toMatchObject([{ reason: 'no_counterpart', value: odd }]);
});
