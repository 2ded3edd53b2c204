// What the captures do not show: rows known from the published types, older shapes, and input that is bent out of shape.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../../../proof/counts.ts';
import { capture, captures, decodeAll, decodeMessages, ofType, summarize } from '../../../../test/captures.ts';
import { brokenPromises } from '../../../../test/promises.ts';
import type { AgentStreamEvent } from '../../../index.ts';

const S = { session_id: 's' };
const init = {
  type: 'system',
  subtype: 'init',
  ...S,
  model: 'opus',
  cwd: '/p',
  tools: ['Read'],
  mcp_servers: [],
  claude_code_version: '9',
};
const system = (subtype: string, fields: object = {}): object => ({
  type: 'system',
  subtype,
  uuid: 'u',
  ...S,
  ...fields,
});
const assistant = (id: string, content: unknown, more: object = {}): object => ({
  type: 'assistant',
  message: { id, model: 'opus', role: 'assistant', content, usage: { input_tokens: 5, output_tokens: 1 } },
  parent_tool_use_id: null,
  ...S,
  ...more,
});
const text = (value: string): object => ({ type: 'text', text: value });
const use = (id: string, name = 'Bash', input: object = {}): object => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, more: object = {}, line: object = {}): object => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
  parent_tool_use_id: null,
  ...S,
  ...line,
});
const end = { type: 'result', subtype: 'success', is_error: false, result: 'ok', ...S };
const stream = (event: object, more: object = {}): object => ({
  type: 'stream_event',
  event,
  ...S,
  parent_tool_use_id: null,
  uuid: 'u',
  api_message_id: 'm',
  ...more,
});

/** The events of these lines after an `init`, without the session's own. */
function translate(...lines: readonly unknown[]): AgentStreamEvent[] {
  const events = decodeMessages([init, ...lines]);
  expect(brokenPromises(events)).toEqual([]);
  return events.filter(({ line, synthetic, type }) => line !== 1 && !synthetic && type !== 'session-end');
}

describe('[A-05] system lines', () => {
  test.each<[string, object, object]>([
    ['status', { permissionMode: 'plan' }, { type: 'session-update', permissionMode: 'plan' }],
    ['local_command_output', { content: 'printed' }, { type: 'text-end', text: 'printed' }],
    ['hook_progress', { hook_id: 'h' }, { type: 'raw', reason: 'no_counterpart' }],
    [
      'plugin_install',
      { status: 'installed', name: 'p' },
      { type: 'notice', severity: 'info', title: 'plugin p installed' },
    ],
    [
      'plugin_install',
      { status: 'failed', error: 'no' },
      { type: 'notice', severity: 'warning', title: 'plugin failed', description: 'no' },
    ],
    [
      'thinking_tokens',
      { estimated_tokens: 7 },
      { type: 'usage-update', estimated: true, usage: { reasoningTokens: 7 } },
    ],
    ['thinking_tokens', {}, { type: 'raw', reason: 'no_counterpart' }],
    ['session_state_changed', { state: 'idle' }, { type: 'session-update', state: 'idle' }],
    ['session_state_changed', { state: 'odd' }, { type: 'raw', reason: 'no_counterpart' }],
    [
      'worker_shutting_down',
      { reason: 'over' },
      { type: 'notice', severity: 'warning', title: 'the worker is shutting down: over' },
    ],
    ['commands_changed', { commands: [{ name: 'a' }, 'b', 3] }, { type: 'session-update', commands: ['a', 'b'] }],
    ['commands_changed', {}, { type: 'raw', reason: 'no_counterpart' }],
    ['notification', { text: 'look' }, { type: 'notice', severity: 'info', title: 'look' }],
    ['notification', {}, { type: 'raw', reason: 'no_counterpart' }],
    ['files_persisted', { files: [{}, {}] }, { type: 'notice', title: '2 files persisted' }],
    ['memory_recall', { memories: [{}] }, { type: 'notice', title: '1 memories recalled' }],
    ['elicitation_complete', { mcp_server_name: 'm' }, { type: 'notice', title: 'm has its answer' }],
    ['mirror_error', { error: 'lost' }, { type: 'notice', severity: 'warning', title: 'lost' }],
    ['informational', { content: 'c', level: 'warning' }, { type: 'notice', severity: 'warning', title: 'c' }],
    ['informational', { content: 'c', level: 'suggestion' }, { type: 'notice', severity: 'info', title: 'c' }],
    [
      'session_writes_lost',
      { lost: 'transcript', error_code: 'ENOSPC' },
      { type: 'notice', severity: 'error', title: 'the transcript could not be written: ENOSPC' },
    ],
    [
      'model_refusal_no_fallback',
      { original_model: 'm', content: '' },
      { type: 'notice', severity: 'error', title: 'm refused to answer' },
    ],
    ['model_fallback', { original_model: 'a', fallback_model: 'b' }, { type: 'notice', title: 'a was replaced by b' }],
    [
      'api_error',
      { error: { message: 'x', type: 'overloaded_error' } },
      { type: 'error', fatal: false, error: { code: 'overloaded', message: 'x', nativeCode: 'overloaded_error' } },
    ],
    ['session_title_changed', { title: 't' }, { type: 'session-update', title: 't' }],
    ['vcs_state_changed', { kind: 'commit' }, { type: 'notice', title: 'version control: commit' }],
    ['post_turn_summary', { status_detail: 'd' }, { type: 'notice', title: 'd' }],
    ['task_summary', { detail: 'd' }, { type: 'notice', title: 'd' }],
    ['memory_saved', { written_paths: ['a', 'b'] }, { type: 'notice', title: 'memory saved: a, b' }],
    [
      'permission_denied',
      { tool_use_id: 'x', message: 'no' },
      { type: 'permission-resolve', toolCallId: 'x', decision: 'denied', by: 'policy', reason: 'no' },
    ],
    [
      'turn_duration',
      { duration_ms: 5 },
      { type: 'raw', reason: 'no_counterpart', nativeType: 'system/turn_duration' },
    ],
    ['ui_prompt', {}, { type: 'raw', reason: 'no_counterpart', nativeType: 'system/ui_prompt' }],
    ['task_progress', { task_id: 'nobody' }, { type: 'raw', reason: 'no_counterpart' }],
    ['task_updated', { task_id: 'nobody' }, { type: 'raw', reason: 'no_counterpart' }],
    ['task_started', {}, { type: 'raw', reason: 'no_counterpart' }],
    ['task_notification', {}, { type: 'raw', reason: 'no_counterpart' }],
    ['invented', {}, { type: 'raw', reason: 'unknown_type', nativeType: 'system/invented' }],
    ['constructor', {}, { type: 'raw', reason: 'unknown_type', nativeType: 'system/constructor' }],
  ])('%s %j', (subtype, fields, expected) => {
    expect(translate(system(subtype, fields))).toContainEqual(expect.objectContaining(expected));
  });

  test('a text without a subtype is informational', () => {
    expect(translate({ type: 'system', content: 'old', ...S })).toMatchObject([{ type: 'notice', title: 'old' }]);
  });

  test('a refusal that is tried on another model takes back what was shown and names the model', () => {
    const events = translate(
      assistant('m', [text('half')], { uuid: 'line' }),
      system('model_refusal_fallback', {
        retracted_message_uuids: ['line', 'prompt'],
        original_model: 'a',
        fallback_model: 'b',
        content: 'sorry',
      }),
    );
    expect(ofType(events, 'message-retract')).toMatchObject([{ messageIds: ['m', 'prompt'], blockIds: ['m:0'] }]);
    expect(ofType(events, 'session-update')).toMatchObject([{ model: 'b' }]);
    expect(
      summarize(
        decodeMessages([
          init,
          assistant('m', [text('half')], { uuid: 'line' }),
          system('model_refusal_fallback', { retracted_message_uuids: ['line'] }),
        ]),
      ).text,
    ).toBeNull();
  });

  test('compaction that fails ends with an error, and one that is only announced ends unknown', () => {
    const failed = translate(
      system('status', { status: 'compacting' }),
      system('status', { status: null, compact_result: 'failed', compact_error: 'e' }),
    );
    expect(ofType(failed, 'compaction-end')).toMatchObject([{ outcome: 'error' }]);
    expect(ofType(failed, 'notice')).toMatchObject([{ title: 'compaction failed: e' }]);
    const open = decodeMessages([init, system('status', { status: 'compacting' }), end]);
    expect(ofType(open, 'compaction-end')).toMatchObject([{ outcome: 'unknown', synthetic: true }]);
    expect(summarize(open).compactions).toBe(0);
  });

  test('a hook that was never announced, and one that never answers, are whole all the same', () => {
    const events = decodeMessages([
      init,
      system('hook_response', { hook_id: 'h', hook_name: 'n', hook_event_name: 'Stop', outcome: 'odd', stdout: 'o' }),
      system('hook_started', { hook_id: 'h' }),
      system('hook_started', { hook_id: 'h' }),
    ]);
    expect(ofType(events, 'hook-start')).toMatchObject([{ hookId: 'h', name: 'n', on: 'Stop' }, { hookId: 'h#2' }]);
    expect(ofType(events, 'hook-end')).toMatchObject([
      { hookId: 'h', outcome: 'unknown', output: 'o' },
      { hookId: 'h#2', synthetic: true },
    ]);
    expect(brokenPromises(events)).toEqual([]);
  });
});

describe('other lines', () => {
  test.each<[string, object, object]>([
    [
      'rate_limit_event',
      { rate_limit_info: { status: 'allowed_warning', resetsAt: 1000, rateLimitType: 'five_hour', utilization: 0.9 } },
      { type: 'rate-limit-update', status: 'warning', window: 'five_hour', resetsAt: 1_000_000, used: 0.9 },
    ],
    [
      'rate_limit_event',
      { rate_limit_info: { status: 'rejected' } },
      { type: 'rate-limit-update', status: 'rejected' },
    ],
    ['rate_limit_event', { rate_limit_info: { status: 'allowed' } }, { type: 'rate-limit-update', status: 'ok' }],
    ['rate_limit_event', {}, { type: 'raw', reason: 'no_counterpart' }],
    [
      'auth_status',
      { isAuthenticating: true, output: ['a', 'b'] },
      { type: 'notice', title: 'signing in', description: 'a\nb' },
    ],
    ['auth_status', { isAuthenticating: false }, { type: 'notice', title: 'signed in' }],
    ['auth_status', { error: 'no' }, { type: 'error', fatal: false, error: { code: 'authentication', message: 'no' } }],
    [
      'tool_use_summary',
      { summary: 'did it', preceding_tool_use_ids: ['x'] },
      { type: 'notice', title: 'did it', extra: { claude: { toolCallIds: ['x'] } } },
    ],
    ['tool_use_summary', {}, { type: 'raw', reason: 'no_counterpart' }],
    ['tool_progress', { tool_use_id: 'nobody' }, { type: 'raw', reason: 'no_counterpart' }],
    [
      'prompt_suggestion',
      { suggestion: 'x' },
      { type: 'raw', reason: 'no_counterpart', nativeType: 'prompt_suggestion' },
    ],
    ['active_goal', { value: null }, { type: 'raw', reason: 'no_counterpart' }],
    ['transcript_mirror', { entries: [] }, { type: 'raw', reason: 'no_counterpart' }],
    ['autocompact_state', {}, { type: 'raw', reason: 'no_counterpart' }],
    [
      'conversation_reset',
      { new_conversation_id: 'n' },
      { type: 'notice', extra: { claude: { trigger: 'clear', newSessionId: 'n' } } },
    ],
    [
      'control_response',
      { response: { subtype: 'success', request_id: 'mine' } },
      { type: 'raw', reason: 'no_counterpart' },
    ],
    ['control_cancel_request', { request_id: 'mine' }, { type: 'raw', reason: 'no_counterpart' }],
    [
      'control_request',
      { request_id: 'r', request: { subtype: 'set_model' } },
      { type: 'raw', reason: 'no_counterpart', nativeType: 'control_request/set_model' },
    ],
    [
      'control_request',
      { request_id: 'r', request: { subtype: 'invented' } },
      { type: 'raw', reason: 'unknown_type', nativeType: 'control_request/invented' },
    ],
    ['invented', { any: 1 }, { type: 'raw', reason: 'unknown_type', nativeType: 'invented' }],
    ['__proto__', {}, { type: 'raw', reason: 'unknown_type', nativeType: '__proto__' }],
  ])('%s %j', (type, fields, expected) => {
    expect(translate({ type, ...S, ...fields })).toContainEqual(expect.objectContaining(expected));
  });

  test('a heartbeat is nothing at all', () => {
    expect(translate({ type: 'keep_alive' })).toEqual([]);
  });

  test('[A-13] an unknown type is kept whole, and unknown fields harm nothing', () => {
    const odd = { type: 'from_the_future', payload: { deep: [1, 2] }, ...S };
    expect(translate(odd)).toMatchObject([{ type: 'raw', reason: 'unknown_type', value: odd }]);
    const plain = translate(assistant('m', [text('hi')]));
    expect(translate(assistant('m', [{ ...text('hi'), future: 1 }], { future: { a: 1 } }))).toEqual(plain);
    expect(summarize(decodeMessages([init, odd])).lines).toMatchObject({
      unknown: 1,
      unknownTypes: { from_the_future: 1 },
    });
  });

  test('progress shows on the call while it is open', () => {
    const events = translate(
      assistant('m', [use('x')]),
      { type: 'tool_progress', tool_use_id: 'x', elapsed_time_seconds: 2.5, ...S },
      result('x', 'done'),
      { type: 'tool_progress', tool_use_id: 'x', ...S },
    );
    expect(ofType(events, 'tool-call-update')).toMatchObject([
      { toolCallId: 'x', status: 'in_progress', elapsedMs: 2500 },
    ]);
  });
});

describe('content blocks', () => {
  test('[M-07] one bad block is stepped over, its neighbours are kept', () => {
    const events = translate(
      assistant('m', [text('a'), 17, null, { type: 'hologram', x: 1 }, { no: 'type' }, text('b')]),
    );
    expect(ofType(events, 'text-end').map((event) => [event.blockId, event.text])).toEqual([
      ['m:0', 'a'],
      ['m:5', 'b'],
    ]);
    expect(ofType(events, 'raw').map(({ reason, nativeType }) => [reason, nativeType])).toEqual([
      ['unknown_block', 'number'],
      ['unknown_block', 'object'],
      ['unknown_block', 'hologram'],
      ['unknown_block', 'object'],
    ]);
  });

  test('a lone signature, a redacted thought and an empty one are reasoning', () => {
    const events = translate(
      assistant(
        'm',
        [
          { type: 'thinking', thinking: 'hm' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'thinking', thinking: '' },
        ],
        { thinking_display: 'full', thinking_duration_ms: 9 },
      ),
    );
    expect(ofType(events, 'reasoning-end').map(({ text, form, durationMs }) => [text, form, durationMs])).toEqual([
      ['hm', 'full', 9],
      ['', 'redacted', undefined],
      ['', 'full', 9],
    ]);
  });

  test.each<[string, unknown, string, object]>([
    [
      'web_search_tool_result',
      [{ type: 'web_search_result', url: 'https://a', title: 'A' }, { odd: 1 }],
      'success',
      {
        content: [
          { type: 'resource', uri: 'https://a', title: 'A' },
          { type: 'json', value: { odd: 1 } },
        ],
      },
    ],
    [
      'web_search_tool_result',
      { type: 'web_search_tool_result_error', error_code: 'unavailable' },
      'error',
      { error: { code: 'unknown', message: 'unavailable', nativeCode: 'unavailable' } },
    ],
    [
      'code_execution_tool_result',
      { type: 'code_execution_result', stdout: 'o', stderr: 'e', return_code: 0 },
      'success',
      { exitCode: 0, content: [{ type: 'text', text: 'o\ne' }] },
    ],
    [
      'bash_code_execution_tool_result',
      { type: 'bash_code_execution_result', stdout: '', stderr: 'e', return_code: 2 },
      'error',
      { exitCode: 2 },
    ],
    [
      'advisor_tool_result',
      { type: 'advisor_result', text: 'do it' },
      'success',
      { content: [{ type: 'text', text: 'do it' }] },
    ],
    ['mcp_tool_result', 'plain', 'success', { output: 'plain' }],
  ])('%s ends the call of the provider', (type, content, outcome, expected) => {
    const events = translate(
      assistant('m', [
        { type: 'server_tool_use', id: 'x', name: 'web_search', input: { query: 'q' } },
        { type, tool_use_id: 'x', content },
      ]),
    );
    expect(ofType(events, 'tool-call-start')).toMatchObject([
      { serverSide: true, kind: 'fetch', tags: ['web_search'] },
    ]);
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome, ...expected }]);
  });

  test('a result of the provider without its call is kept', () => {
    expect(
      translate(assistant('m', [{ type: 'web_fetch_tool_result', tool_use_id: 'nobody', content: [] }])),
    ).toContainEqual(expect.objectContaining({ type: 'raw', reason: 'no_counterpart' }));
  });

  test('[A-11] an MCP call names server and tool, also where either holds two underscores', () => {
    const call = (name: string, meta?: object) =>
      ofType(
        translate(assistant('m', [use('x', name)], meta ? { tool_use_meta: [{ id: 'x', ...meta }] } : {})),
        'tool-call-start',
      )[0];
    expect(call('mcp__calc__add')).toMatchObject({
      kind: 'other',
      tags: ['mcp'],
      mcp: { server: 'calc', tool: 'add' },
    });
    expect(call('mcp__my__srv__do__it', { tool_name: 'do__it', display_name: 'Do it' })).toMatchObject({
      mcp: { server: 'my__srv', tool: 'do__it' },
      title: 'Do it',
    });
    expect(call('mcp__lonely')).toMatchObject({ mcp: { server: 'lonely', tool: '' } });
    const connector = translate(
      assistant('m', [{ type: 'mcp_tool_use', id: 'x', name: 'add', server_name: 'calc', input: {} }]),
    );
    expect(ofType(connector, 'tool-call-start')).toMatchObject([
      { toolName: 'add', kind: 'other', mcp: { server: 'calc', tool: 'add' }, serverSide: true },
    ]);
  });

  test('the blocks that say nothing to people are kept, and a change of model is a notice', () => {
    const events = translate(
      assistant('m', [
        { type: 'container_upload', file_id: 'f' },
        { type: 'compaction', content: null },
        { type: 'mcp_tool_listing' },
        { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } },
      ]),
    );
    expect(ofType(events, 'raw').map(({ reason, nativeType }) => [reason, nativeType])).toEqual([
      ['no_counterpart', 'container_upload'],
      ['no_counterpart', 'compaction'],
      ['no_counterpart', 'mcp_tool_listing'],
    ]);
    expect(ofType(events, 'notice')).toMatchObject([{ severity: 'warning', title: 'a was replaced by b' }]);
  });

  test('citations stay with their text', () => {
    const citations = [{ type: 'char_location', cited_text: 'c' }];
    expect(ofType(translate(assistant('m', [{ ...text('t'), citations }])), 'text-end')).toMatchObject([
      { extra: { claude: { citations } } },
    ]);
  });
});

describe('[A-09] stream events', () => {
  const start = stream({
    type: 'message_start',
    message: { id: 'm', model: 'opus', usage: { input_tokens: 3, output_tokens: 1 } },
  });
  const block = (index: number, content_block: object) => stream({ type: 'content_block_start', index, content_block });
  const delta = (index: number, fields: object) => stream({ type: 'content_block_delta', index, delta: fields });
  const stop = (index: number) => stream({ type: 'content_block_stop', index });

  test('interleaved blocks are kept apart by index', () => {
    const events = translate(
      start,
      block(0, { type: 'text', text: '' }),
      block(1, { type: 'tool_use', id: 'x', name: 'Read', input: {} }),
      block(2, { type: 'thinking', thinking: 'So' }),
      delta(0, { type: 'text_delta', text: 'a' }),
      delta(1, { type: 'input_json_delta', partial_json: '{"file_' }),
      delta(2, { type: 'thinking_delta', thinking: ' what' }),
      delta(0, { type: 'text_delta', text: 'b' }),
      delta(1, { type: 'input_json_delta', partial_json: 'path":"p"}' }),
      delta(2, { type: 'signature_delta', signature: 'sig' }),
      stop(2),
      stop(0),
      stop(1),
      stream({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } }),
      stream({ type: 'message_stop' }),
    );
    expect(ofType(events, 'text-end')).toMatchObject([{ blockId: 'm:0', text: 'ab' }]);
    expect(ofType(events, 'reasoning-end')).toMatchObject([{ blockId: 'm:2', text: 'So what', signature: 'sig' }]);
    expect(ofType(events, 'tool-call-input-end')).toMatchObject([
      { toolCallId: 'x', input: { file_path: 'p' }, title: 'p' },
    ]);
    expect(ofType(events, 'message-end')).toMatchObject([
      { stopReason: 'tool_use', usage: { inputTokens: 3, outputTokens: 9 } },
    ]);
  });

  test('[A-06] a message completes with its usage and stop reason; the last delta has the whole count', () => {
    const events = translate(
      start,
      stream({
        type: 'message_delta',
        delta: { stop_reason: 'max_tokens' },
        usage: { input_tokens: 4, cache_read_input_tokens: 2, output_tokens: 50 },
      }),
      stream({ type: 'message_stop' }),
    );
    expect(ofType(events, 'message-end')).toMatchObject([
      { stopReason: 'max_tokens', usage: { inputTokens: 6, cacheReadTokens: 2, outputTokens: 50 } },
    ]);
  });

  test('a line that goes on where the deltas stopped adds what was missing', () => {
    const events = translate(
      start,
      block(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'ab' }),
      assistant('m', [text('abc')]),
    );
    expect(ofType(events, 'text-delta').map((event) => event.delta)).toEqual(['ab', 'c']);
    expect(ofType(events, 'text-end')).toMatchObject([{ text: 'abc' }]);
  });

  test('a line that says something else than the deltas did takes them back', () => {
    const events = decodeMessages([
      init,
      start,
      block(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'xy' }),
      assistant('m', [text('abc')]),
      end,
    ]);
    expect(brokenPromises(events)).toEqual([]);
    expect(ofType(events, 'message-retract')).toMatchObject([{ blockIds: ['m:0'] }]);
    expect(ofType(events, 'text-end').map(({ blockId, text }) => [blockId, text])).toEqual([
      ['m:0', 'xy'],
      ['m:1', 'abc'],
    ]);
    expect(summarize(events).text).toBe('abc');
  });

  test('reading that begins in the middle of a block begins the block there', () => {
    const events = translate(
      delta(3, { type: 'text_delta', text: 'rest' }),
      delta(3, { type: 'input_json_delta', partial_json: 'x' }),
      stop(3),
      stop(7),
    );
    expect(ofType(events, 'text-start')).toMatchObject([{ messageId: 'm', blockId: 'm:3' }]);
    expect(ofType(events, 'text-end')).toMatchObject([{ text: 'rest' }]);
  });

  test('input that is no JSON is kept as text, and none is an empty object', () => {
    const input = (...pieces: string[]) =>
      ofType(
        translate(
          start,
          block(0, { type: 'tool_use', id: 'x', name: 'Read' }),
          ...pieces.map((partial_json) => delta(0, { type: 'input_json_delta', partial_json })),
          stop(0),
        ),
        'tool-call-input-end',
      )[0]?.input;
    expect(input('{"a":', 'oops')).toBe('{"a":oops');
    expect(input('')).toEqual({});
  });

  test('an error in the stream is told, a ping is not, and what is new is kept', () => {
    const events = translate(
      stream({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }),
      stream({ type: 'ping' }),
      stream({ type: 'error' }),
      stream({ type: 'invented' }),
      { type: 'stream_event', ...S },
      delta(0, { type: 'invented_delta' }),
      delta(0, { type: 'citations_delta' }),
    );
    expect(ofType(events, 'error')).toMatchObject([
      { error: { message: 'busy', nativeCode: 'overloaded_error' }, fatal: false },
      { error: { message: 'the stream of the model broke' } },
    ]);
    expect(ofType(events, 'raw').map(({ nativeType }) => nativeType)).toEqual([
      'stream_event/invented',
      'stream_event/undefined',
      'content_block_delta/invented_delta',
    ]);
  });

  test('a stream that broke takes its blocks back, and its calls are over', () => {
    const events = translate(
      start,
      block(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'a' }),
      stop(0),
      block(1, { type: 'tool_use', id: 'x', name: 'Read' }),
      stream({ type: 'message_stop' }, { abandoned_blocks: { from_block_index: 0 } }),
    );
    expect(ofType(events, 'message-retract')).toMatchObject([
      { messageIds: ['m'], blockIds: ['m:0', 'm:1'], toolCallIds: ['x'] },
    ]);
  });

  test('an index that is counted from zero again does not end the block before', () => {
    const events = translate(
      start,
      block(0, { type: 'text', text: 'a' }),
      stop(0),
      block(0, { type: 'tool_use', id: 'x', name: 'Read' }),
      stop(1),
      assistant('m', [text('a')]),
      assistant('m', [use('x', 'Read', { file_path: 'f' })]),
    );
    expect(ofType(events, 'text-start')).toHaveLength(1);
    expect(ofType(events, 'tool-call-start')).toHaveLength(1);
  });
});

describe('tool results', () => {
  const outcome = (more: object, line: object = {}) =>
    ofType(translate(assistant('m', [use('x')]), result('x', 'text', more, line)), 'tool-call-end')[0];
  const meta = (fields: object) => ({ tool_result_meta: [{ id: 'x', ...fields }] });

  test.each<[string, object, object, string]>([
    ['no flag', {}, {}, 'success'],
    ['is_error false', { is_error: false }, {}, 'success'],
    ['is_error', { is_error: true }, {}, 'error'],
    ['isError', { isError: true }, {}, 'error'],
    ['a rejection', { is_error: true }, meta({ permission_decision: { decision: 'reject' } }), 'denied'],
    ['a cancelled request', { is_error: true }, meta({ permission_decision: { decision: 'cancelled' } }), 'cancelled'],
    [
      'an accepted call that failed',
      { is_error: true },
      meta({ permission_decision: { decision: 'accept' } }),
      'error',
    ],
    ['an interrupt', { is_error: true }, meta({ non_execution_kind: 'interrupted' }), 'cancelled'],
    ['a rule', { is_error: true }, meta({ non_execution_kind: 'permission-rule' }), 'denied'],
    ['auto mode', { is_error: true }, meta({ non_execution_kind: 'automode-blocked' }), 'denied'],
  ])('%s', (_name, more, line, expected) => {
    expect(outcome(more, line)?.outcome).toBe(expected);
  });

  test('a command that exits with a code says which', () => {
    const code = (content: string, more: object, tool_use_result?: unknown) =>
      ofType(translate(assistant('m', [use('x')]), result('x', content, more, { tool_use_result })), 'tool-call-end')[0]
        ?.exitCode;
    expect(code('Exit code 3\nout', { is_error: true })).toBe(3);
    expect(code('Exit code 127', { is_error: true })).toBe(127);
    expect(code('Exit codes 3', { is_error: true })).toBeUndefined();
    expect(code('fine', {}, { stdout: 'fine' })).toBe(0);
    expect(code('fine', {}, { stdout: '', backgroundTaskId: 'b' })).toBeUndefined();
    expect(code('fine', {}, { stdout: '', interrupted: true })).toBeUndefined();
    expect(code('fine', {}, { stdout: '', returnCodeInterpretation: 'No matches' })).toBeUndefined();
  });

  test('say how long they took: their own word, or the time between the lines', () => {
    const took = (output: unknown, times: [string?, string?] = []) =>
      ofType(
        translate(
          assistant('m', [use('x')], times[0] ? { timestamp: times[0] } : {}),
          result('x', 't', {}, { tool_use_result: output, ...(times[1] && { timestamp: times[1] }) }),
        ),
        'tool-call-end',
      )[0]?.durationMs;
    expect(took({ durationMs: 7 })).toBe(7);
    expect(took({ durationSeconds: 1.5 })).toBe(1500);
    expect(took({ totalDurationMs: 9 })).toBe(9);
    expect(took({}, ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.250Z'])).toBe(250);
    expect(took({}, ['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:00.000Z'])).toBe(0);
    expect(took({}, ['no time', 'either'])).toBeUndefined();
  });

  test('of any shape are content', () => {
    const content = (value: unknown) =>
      ofType(translate(assistant('m', [use('x')]), result('x', value)), 'tool-call-end')[0]?.content;
    expect(content('plain')).toEqual([{ type: 'text', text: 'plain' }]);
    expect(content(undefined)).toEqual([]);
    expect(
      content([
        text('a'),
        'b',
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'x' } },
        { type: 'image', source: { type: 'url', url: 'u' } },
        { type: 'image' },
        { type: 'document', source: { type: 'url', url: 'd', media_type: 'application/pdf' }, title: 'T' },
        { type: 'search_result', source: 'https://s', title: 'S' },
        { type: 'tool_reference', tool_name: 'X' },
      ]),
    ).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'image', mediaType: 'image/png', data: 'x' },
      { type: 'image', mediaType: 'image/*', uri: 'u' },
      { type: 'json', value: { type: 'image' } },
      { type: 'resource', uri: 'd', mediaType: 'application/pdf', title: 'T' },
      { type: 'resource', uri: 'https://s', title: 'S' },
      { type: 'json', value: { type: 'tool_reference', tool_name: 'X' } },
    ]);
  });

  test('without a call are kept', () => {
    expect(translate(result('nobody', 'x'))).toMatchObject([
      { type: 'raw', reason: 'no_counterpart', nativeType: 'tool_result' },
    ]);
  });
});

describe('effects', () => {
  const run = (name: string, input: object, output: unknown, content = '') =>
    translate(assistant('m', [use('x', name, input)]), result('x', content, {}, { tool_use_result: output }));

  test('an edit is a change with its patch', () => {
    const hunk = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' a', '-b', '+c'] };
    expect(
      ofType(
        run('Edit', { file_path: 'f' }, { filePath: '/p/f', originalFile: 'a\nb', structuredPatch: [hunk] }),
        'file-change',
      ),
    ).toMatchObject([
      {
        toolCallId: 'x',
        outcome: 'success',
        changes: [
          {
            path: '/p/f',
            operation: 'modify',
            oldText: 'a\nb',
            patch: '@@ -1,2 +1,2 @@\n a\n-b\n+c',
            linesAdded: 1,
            linesRemoved: 1,
          },
        ],
      },
    ]);
  });

  test('a new file comes with its whole text', () => {
    const output = { type: 'create', filePath: 'f', content: 'a\nb\n', originalFile: null, structuredPatch: [] };
    expect(ofType(run('Write', { file_path: 'f' }, output), 'file-change')[0]?.changes).toEqual([
      { path: 'f', operation: 'add', oldText: null, newText: 'a\nb\n' },
    ]);
  });

  test('inside a sub-agent the input and the words of the result tell', () => {
    expect(
      ofType(
        run('Write', { file_path: 'f', content: 'x' }, undefined, 'File created successfully at: f'),
        'file-change',
      )[0]?.changes,
    ).toEqual([{ path: 'f', operation: 'add', newText: 'x' }]);
    expect(ofType(run('Edit', { file_path: 'f' }, undefined, 'updated'), 'file-change')[0]?.changes).toEqual([
      { path: 'f', operation: 'modify' },
    ]);
    expect(
      ofType(
        run('NotebookEdit', { notebook_path: 'n' }, { notebook_path: '/n', original_file: 'o', updated_file: 'u' }),
        'file-change',
      )[0]?.changes,
    ).toEqual([{ path: '/n', operation: 'modify', oldText: 'o', newText: 'u' }]);
    expect(ofType(run('Edit', {}, undefined), 'file-change')).toEqual([]);
  });

  test('a failed edit changes nothing', () => {
    const events = translate(
      assistant('m', [use('x', 'Edit', { file_path: 'f' })]),
      result('x', 'no', { is_error: true }),
    );
    expect(ofType(events, 'file-change')).toEqual([]);
  });

  test('todo lists of both families', () => {
    const whole = run(
      'TodoWrite',
      { todos: [{ content: 'a', status: 'completed' }, { content: 'b', status: 'odd' }, 'bad', {}] },
      {},
    );
    expect(ofType(whole, 'todo-update')).toMatchObject([
      {
        toolCallId: 'x',
        entries: [
          { content: 'a', status: 'completed' },
          { content: 'b', status: 'pending' },
        ],
      },
    ]);
    const create = (id: string, subject: string) => [
      assistant(`m${id}`, [use(`c${id}`, 'TaskCreate', { subject })]),
      result(`c${id}`, '', {}, { tool_use_result: { task: { id, subject } } }),
    ];
    const update = (id: string, n: number, output: object, input: object = {}) => [
      assistant(`u${n}`, [use(`u${n}`, 'TaskUpdate', { taskId: id, ...input })]),
      result(`u${n}`, '', {}, { tool_use_result: output }),
    ];
    const events = translate(
      ...create('1', 'one'),
      ...create('2', 'two'),
      ...update('1', 1, { taskId: '1', statusChange: { from: 'pending', to: 'in_progress' } }, { subject: 'uno' }),
      ...update('2', 2, { taskId: '2', statusChange: { to: 'deleted' } }),
      ...update('9', 3, {}),
    );
    expect(
      ofType(events, 'todo-update').map(({ entries }) => entries.map(({ content, status }) => `${content} ${status}`)),
    ).toEqual([
      ['one pending'],
      ['one pending', 'two pending'],
      ['uno in_progress', 'two pending'],
      ['uno in_progress'],
    ]);
  });

  test('[A-12] plan mode is a change of the session, and a plan is put forward', () => {
    const events = translate(
      assistant('m', [use('x', 'ExitPlanMode', { plan: '1. go' })]),
      system('status', { status: null, permissionMode: 'default' }),
      result('x', 'ok', {}, { tool_use_result: { plan: null, filePath: '/plan.md' } }),
    );
    expect(ofType(events, 'tool-call-start')).toMatchObject([{ kind: 'switch_mode' }]);
    expect(ofType(events, 'plan-update')).toMatchObject([{ text: '1. go', toolCallId: 'x' }, { path: '/plan.md' }]);
    expect(ofType(events, 'session-update')).toMatchObject([{ permissionMode: 'default' }]);
  });
});

describe('[A-10] tool kinds', () => {
  test('every tool that the captures offer or call has the kind of its table', () => {
    const kinds = {
      Read: 'read',
      Write: 'edit',
      Edit: 'edit',
      Bash: 'execute',
      Glob: 'search',
      Grep: 'search',
      WebFetch: 'fetch',
      WebSearch: 'fetch',
      TodoWrite: 'think',
      Agent: 'think',
      Task: 'think',
      EnterPlanMode: 'switch_mode',
      AskUserQuestion: 'other',
      Unheard: 'other',
      LS: 'read',
      KillShell: 'execute',
      constructor: 'other',
    };
    for (const [name, kind] of Object.entries(kinds))
      expect(ofType(translate(assistant('m', [use('x', name)])), 'tool-call-start')[0]?.kind, name).toBe(kind);
  });

  test('what tells two calls of a tool apart is their title', () => {
    const title = (input: unknown) =>
      ofType(translate(assistant('m', [{ ...use('x'), input }])), 'tool-call-input-end')[0];
    expect(title({ command: 'ls', description: 'list' })).toMatchObject({ title: 'ls' });
    expect(title({ file_path: 'f', offset: 7 })).toMatchObject({ title: 'f', locations: [{ path: 'f', line: 7 }] });
    for (const [key, value] of Object.entries({
      pattern: 'p',
      url: 'u',
      query: 'q',
      description: 'd',
      skill: 's',
      subject: 't',
      notebook_path: 'n',
    }))
      expect(title({ [key]: value })?.title).toBe(value);
    expect(title('text')?.title).toBeUndefined();
    expect(title(undefined)?.input).toEqual({});
  });
});

describe('questions to the host', () => {
  const ask = (request: object, id = 'r') => ({ type: 'control_request', request_id: id, request });
  const answer = (response: object, id = 'r', subtype = 'success') => ({
    type: 'control_response',
    response: { subtype, request_id: id, response },
  });
  const permission = {
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input: { command: 'rm' },
    tool_use_id: 'x',
    permission_suggestions: [{}],
    description: 'd',
    decision_reason: 'why',
  };

  test('a permission is asked with all there is to know', () => {
    expect(translate(ask(permission))).toContainEqual(
      expect.objectContaining({
        type: 'permission-request',
        requestId: 'r',
        toolCallId: 'x',
        toolName: 'Bash',
        input: { command: 'rm' },
        title: 'd',
        reason: 'why',
        options: [
          expect.objectContaining({ kind: 'allow_once' }),
          expect.objectContaining({ kind: 'allow_always' }),
          expect.objectContaining({ kind: 'reject_once' }),
        ],
      }),
    );
    const [once] = ofType(translate(ask({ ...permission, suppress_always_allow_rule: true })), 'permission-request');
    expect(once?.options?.map(({ kind }) => kind)).toEqual(['allow_once', 'reject_once']);
  });

  test.each<[object, string, object]>([
    [{ behavior: 'allow' }, 'success', { decision: 'allowed', by: 'user', optionId: 'allow_once' }],
    [{ behavior: 'allow', updatedPermissions: [{}] }, 'success', { decision: 'allowed', optionId: 'allow_always' }],
    [{ behavior: 'deny', message: 'no' }, 'success', { decision: 'denied', by: 'user', reason: 'no' }],
    [{}, 'error', { decision: 'cancelled' }],
  ])('the answer %j is told once', (response, subtype, expected) => {
    const events = translate(
      assistant('m', [use('x')]),
      ask(permission),
      answer(response, 'r', subtype),
      answer(response, 'r', subtype),
      result('x', 't'),
    );
    expect(ofType(events, 'permission-resolve')).toMatchObject([{ requestId: 'r', toolCallId: 'x', ...expected }]);
  });

  test('a denial makes its call denied', () => {
    const events = translate(
      assistant('m', [use('x')]),
      ask(permission),
      answer({ behavior: 'deny' }),
      result('x', 'no', { is_error: true }),
    );
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'denied' }]);
    expect(ofType(events, 'permission-resolve')).toHaveLength(1);
  });

  test('a request that is called off, and one that nobody answers, are cancelled', () => {
    expect(
      ofType(translate(ask(permission), { type: 'control_cancel_request', request_id: 'r' }), 'permission-resolve'),
    ).toMatchObject([{ decision: 'cancelled', by: 'agent' }]);
    const open = decodeMessages([init, ask(permission), ask({ subtype: 'elicitation', message: 'q' }, 'e')]);
    expect(ofType(open, 'permission-resolve')).toMatchObject([{ decision: 'cancelled', synthetic: true }]);
    expect(ofType(open, 'question-resolve')).toMatchObject([{ requestId: 'e', outcome: 'cancelled', synthetic: true }]);
  });

  test('a question has its choices and its answer', () => {
    const questions = [{ question: 'Which?', options: [{ label: 'A' }, 'B', {}] }];
    const asked = ask({
      subtype: 'can_use_tool',
      tool_name: 'AskUserQuestion',
      input: { questions },
      tool_use_id: 'x',
    });
    const call = assistant('m', [use('x', 'AskUserQuestion', { questions })]);
    const told = translate(call, asked, result('x', 'B', {}, { tool_use_result: { answers: { 'Which?': 'B' } } }));
    expect(ofType(told, 'question-request')).toMatchObject([
      { requestId: 'r', toolCallId: 'x', message: 'Which?', choices: ['A', 'B'] },
    ]);
    expect(ofType(told, 'question-resolve')).toMatchObject([
      { requestId: 'r', answer: { 'Which?': 'B' }, outcome: 'success' },
    ]);
    expect(ofType(told, 'permission-resolve')).toEqual([]);
    expect(
      ofType(
        translate(call, asked, answer({ behavior: 'allow', updatedInput: { answers: { q: 'A' } } })),
        'question-resolve',
      ),
    ).toMatchObject([{ answer: { q: 'A' }, outcome: 'success' }]);
    expect(ofType(translate(call, asked, answer({ behavior: 'deny' })), 'question-resolve')).toMatchObject([
      { outcome: 'cancelled' },
    ]);
    expect(ofType(translate(call, asked, result('x', 'no', { is_error: true })), 'question-resolve')).toMatchObject([
      { outcome: 'cancelled' },
    ]);
  });

  test('an elicitation and a dialog are questions, too', () => {
    expect(
      translate(
        ask({ subtype: 'elicitation', message: 'Token?', requested_schema: { type: 'object' } }),
        answer({ action: 'accept', content: { token: 't' } }),
      ),
    ).toMatchObject([
      { type: 'question-request', message: 'Token?', schema: { type: 'object' } },
      { type: 'question-resolve', answer: { token: 't' }, outcome: 'success' },
    ]);
    expect(
      ofType(
        translate(ask({ subtype: 'request_user_dialog', dialog_kind: 'k' }), answer({ action: 'cancel' })),
        'question-resolve',
      ),
    ).toMatchObject([{ outcome: 'cancelled' }]);
  });

  test('a hook that the host runs starts with the request and ends with the answer', () => {
    const hook = ask({ subtype: 'hook_callback', input: { hook_event_name: 'PreToolUse', tool_name: 'Bash' } }, 'h');
    expect(translate(hook, hook, answer({}, 'h'))).toMatchObject([
      { type: 'hook-start', hookId: 'h', name: 'PreToolUse:Bash', on: 'PreToolUse' },
      { type: 'hook-end', outcome: 'success' },
    ]);
    expect(
      translate(
        ask({ subtype: 'hook_callback', input: { hook_event_name: 'Invented' } }, 'h'),
        answer({}, 'h', 'error'),
      ),
    ).toMatchObject([{ name: 'Invented' }, { outcome: 'error' }]);
  });

  test('denials that only the result tells are told with it', () => {
    const events = decodeMessages([
      init,
      { ...end, permission_denials: [{ tool_use_id: 'x' }, { tool_use_id: 'x' }, {}] },
    ]);
    expect(ofType(events, 'permission-resolve')).toMatchObject([
      { toolCallId: 'x', decision: 'denied', by: 'unknown' },
    ]);
    expect(summarize(events).permissionDenials).toBe(1);
  });
});

describe('[A-07] user lines', () => {
  const said = (fields: object, content: unknown = 'hello') =>
    ofType(
      translate({ type: 'user', message: { role: 'user', content }, uuid: 'p', ...S, ...fields }),
      'user-message',
    )[0];

  test.each<[object, unknown, string]>([
    [{ isReplay: true }, 'hi', 'replay'],
    [{ isReplay: false, isSynthetic: true }, 'hi', 'injected'],
    [{ isReplay: true }, '<local-command-stdout>x</local-command-stdout>', 'injected'],
    [{}, [text('[Request interrupted by user]')], 'injected'],
    [{ origin: { kind: 'human' } }, 'hi', 'prompt'],
    [{ origin: { kind: 'task-notification' } }, 'hi', 'injected'],
    [{}, 'hi', 'prompt'],
  ])('%j %j come from the right place', (fields, content, origin) => {
    expect(said(fields, content)).toMatchObject({ messageId: 'p', origin });
  });

  test('prompts are places to rewind to, once each and a hundred at the most', () => {
    const prompts = Array.from({ length: 105 }, (_, index) => ({
      type: 'user',
      message: { content: 'x' },
      uuid: `p${index}`,
      isReplay: true,
      ...S,
    }));
    const summary = summarize(
      decodeMessages([
        init,
        ...prompts,
        prompts[104],
        result('x', 'y'),
        { type: 'user', message: { content: 'x' }, uuid: 'sub', parent_tool_use_id: 't', ...S },
      ]),
    );
    expect(summary.checkpoints).toHaveLength(100);
    expect(summary.checkpoints[0]).toBe('p5');
    expect(summary.checkpoints.at(-1)).toBe('p104');
  });
});

describe('[A-08] results', () => {
  const ended = (fields: object) => ofType(decodeMessages([init, { ...end, ...fields }]), 'turn-end')[0];

  test.each<[object, object]>([
    [{}, { outcome: 'success' }],
    [
      { is_error: true, api_error_status: 400, result: 'API Error', terminal_reason: 'api_error' },
      {
        outcome: 'error',
        stopReason: 'error',
        error: { code: 'invalid_request', message: 'API Error', httpStatus: 400 },
      },
    ],
    [{ is_error: true, api_error_status: 529 }, { error: { code: 'overloaded' } }],
    [
      { is_error: true, subtype: 'error_max_turns', result: undefined, errors: ['too many'] },
      { outcome: 'error', stopReason: 'max_turn_requests', error: { code: 'max_turns', message: 'too many' } },
    ],
    [
      { is_error: true, subtype: 'error_max_budget_usd', errors: ['$'] },
      { stopReason: 'max_budget', error: { code: 'max_budget' } },
    ],
    [{ is_error: true, subtype: 'error_max_structured_output_retries' }, { error: { code: 'structured_output' } }],
    [
      { is_error: true, terminal_reason: 'aborted_streaming' },
      { outcome: 'cancelled', stopReason: 'cancelled', error: { code: 'cancelled', message: 'interrupted' } },
    ],
    [
      { is_error: true, stop_reason: 'refusal' },
      { outcome: 'error', stopReason: 'refusal', error: { code: 'content_filter' } },
    ],
    [
      { is_error: true, terminal_reason: 'prompt_too_long' },
      { stopReason: 'context_full', error: { code: 'context_full' } },
    ],
    [{ stop_reason: 'pause_turn' }, { stopReason: 'unknown', extra: { claude: { stopReason: 'pause_turn' } } }],
    [{ stop_reason: 'model_context_window_exceeded' }, { stopReason: 'context_full' }],
    [
      {
        is_error: true,
        subtype: 'error_during_execution',
        startup_failure_reason: 'cwd_unavailable',
        result: undefined,
      },
      { error: { code: 'unknown', message: 'error_during_execution', nativeCode: 'cwd_unavailable' } },
    ],
    [
      { structured_output: { a: 1 }, local_command: 'usage', deferred_tool_use: { id: 'd' } },
      { structured: { a: 1 }, extra: { claude: { localCommand: 'usage', deferredToolUse: { id: 'd' } } } },
    ],
  ])('%j', (fields, expected) => {
    expect(ended(fields)).toMatchObject(expected);
  });

  test('[M-08] may be an object, or say their error in an old way', () => {
    expect(
      ended({
        result: {
          content: [text('a'), text('b')],
          usage: { input_tokens: 3, output_tokens: 4 },
          stop_reason: 'end_turn',
        },
      }),
    ).toMatchObject({
      outcome: 'success',
      result: 'ab',
      stopReason: 'end_turn',
      usage: { inputTokens: 3, outputTokens: 4 },
    });
    expect(ended({ is_error: undefined, subtype: undefined, result: undefined, error: 'broke' })).toMatchObject({
      outcome: 'error',
      error: { message: 'broke' },
    });
    expect(ended({ is_error: undefined, error: { message: 'broke' } })).toMatchObject({ outcome: 'error' });
    expect(ended({ is_error: undefined, subtype: 'error_max_turns' })).toMatchObject({ outcome: 'error' });
    expect(ended({ is_error: undefined, subtype: undefined })).toMatchObject({ outcome: 'success' });
    expect(ended({ isError: true })).toMatchObject({ outcome: 'error' });
  });

  test('several in one process are several turns, in order', () => {
    const { bytes, messages } = capture('stdin-multiturn');
    expect(messages.filter(({ type }) => type === 'result')).toHaveLength(2);
    const events = decodeMessages(Buffer.from(bytes).toString().trimEnd().split('\n'));
    expect(ofType(events, 'turn-end').map(({ result }) => result)).toEqual([
      'The file says alpha.',
      'Backwards that is ahpla.',
    ]);
  });

  test('a message that was folded into the turn before leaves no turn open', () => {
    const events = decodeMessages([init, assistant('m', [text('a')]), init, end]);
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'success' }, { outcome: 'success', synthetic: true }]);
    expect(summarize(events)).toMatchObject({ outcome: 'success', turns: 1 });
  });

  test('an abort that is seen makes an unfinished run cancelled', () => {
    const interrupted = { type: 'user', message: { content: [text('[Request interrupted by user]')] }, ...S };
    expect(summarize(decodeMessages([init, interrupted])).outcome).toBe('cancelled');
  });

  describe('older figures', () => {
    const opus = (inputTokens: number, outputTokens: number, costUSD: number) => ({
      opus: { inputTokens, outputTokens, cacheReadInputTokens: 1, cacheCreationInputTokens: 2, costUSD },
    });
    const totals = (fields: readonly object[]) => {
      const { usage, costUsd } = summarize(
        decodeMessages(fields.flatMap((one) => [init, assistant('m', []), { ...end, ...one }])),
      );
      return [usage.inputTokens, usage.outputTokens, usage.state, costUsd];
    };

    test('running totals by model are taken apart, and a reset is seen', () => {
      expect(totals([{ modelUsage: opus(10, 5, 1) }, { modelUsage: opus(30, 15, 2.5) }])).toEqual([
        30 + 3,
        15,
        'reconciled',
        2.5,
      ]);
      expect(totals([{ modelUsage: opus(10, 5, 1) }, { modelUsage: opus(4, 2, 0.5) }])).toEqual([
        14 + 6,
        7,
        'reconciled',
        1.5,
      ]);
      expect(totals([{ modelUsage: opus(10, 5, 1) }, { modelUsage: opus(10, 5, 1) }])).toEqual([
        13,
        5,
        'reconciled',
        1,
      ]);
    });

    test.each(['total_cost_usd', 'cost_usd', 'costUSD'])('[G-08] the cost is read from %s', (name) => {
      expect(totals([{ usage: { input_tokens: 7, output_tokens: 3 }, [name]: 0.25 }])).toEqual([
        7,
        3,
        'reconciled',
        0.25,
      ]);
    });

    test('a running cost is taken apart, one of the turn is not', () => {
      const usage = { input_tokens: 1, output_tokens: 1 };
      expect(
        totals([
          { usage, total_cost_usd: 1 },
          { usage, total_cost_usd: 1.5 },
        ])[3],
      ).toBe(1.5);
      expect(
        totals([
          { usage, total_cost_usd: 1 },
          { usage, total_cost_usd: 0.5 },
        ])[3],
      ).toBe(1.5);
      expect(
        totals([
          { usage, cost_usd: 1 },
          { usage, cost_usd: 1.5 },
        ])[3],
      ).toBe(2.5);
    });

    test('one-hour cache writes are told apart', () => {
      const summary = summarize(
        decodeMessages([
          init,
          {
            ...end,
            model_usage_since_last_result: {
              opus: {
                inputTokens: 1,
                outputTokens: 1,
                cacheCreationInputTokens: 10,
                cacheCreationEphemeral1hInputTokens: 4,
                thinkingTokens: 1,
                costUSD: 1,
              },
            },
          },
        ]),
      );
      expect(summary.usage).toMatchObject({
        inputTokens: 11,
        cacheWriteTokens: 10,
        cacheWrite1hTokens: 4,
        reasoningTokens: 1,
      });
      const message = summarize(
        decodeMessages([
          init,
          {
            type: 'assistant',
            message: {
              id: 'm',
              content: [],
              usage: {
                input_tokens: 1,
                output_tokens: 2,
                cache_creation_input_tokens: 9,
                cache_creation: { ephemeral_1h_input_tokens: 3 },
                output_tokens_details: { thinking_tokens: 1 },
              },
            },
            ...S,
          },
        ]),
      );
      expect(message.usage).toMatchObject({ cacheWrite1hTokens: 3, reasoningTokens: 1, state: 'known' });
    });
  });
});

describe('older and look-alike shapes', () => {
  const types = (...lines: readonly unknown[]) => decodeMessages(lines).map(({ type }) => type);

  test('init without system, and init that tells little', () => {
    expect(decodeMessages([{ type: 'init', session_id: 'old' }])[0]).toEqual({
      type: 'session-start',
      seq: 0,
      line: 1,
      sessionId: 'old',
      agent: 'claude',
    });
    expect(
      decodeMessages([{ ...init, mcp_servers: ['a', { name: 'b', status: 'failed' }, 3], slash_commands: ['/x'] }])[0],
    ).toMatchObject({ mcpServers: [{ name: 'a' }, { name: 'b', status: 'failed' }], commands: ['/x'] });
  });

  test('a bare block, content moved up, and content that is a string', () => {
    const texts = (line: object) => ofType(decodeMessages([{ ...line, ...S }]), 'text-end').map(({ text }) => text);
    expect(texts({ type: 'assistant', message: { type: 'text', text: 'bare' } })).toEqual(['bare']);
    expect(texts({ type: 'assistant', content: 'up' })).toEqual(['up']);
    expect(texts({ type: 'assistant', content: [text('up')] })).toEqual(['up']);
    expect(texts({ type: 'assistant', message: { content: 'string' } })).toEqual(['string']);
    expect(texts({ type: 'assistant' })).toEqual([]);
  });

  test('calls and results at the top, without ids, are paired in order', () => {
    const events = decodeMessages([
      { type: 'tool_use', name: 'Read', input: { file_path: 'a' } },
      { type: 'tool_use', tool: 'Bash', input: {} },
      { type: 'tool_result', output: 'one' },
      { type: 'tool_result', content: 'two', is_error: true },
    ]);
    expect(
      ofType(events, 'tool-call-end').map(({ toolName, outcome, content }) => [toolName, outcome, content]),
    ).toEqual([
      ['Read', 'success', [{ type: 'text', text: 'one' }]],
      ['Bash', 'error', [{ type: 'text', text: 'two' }]],
    ]);
    expect(brokenPromises(events)).toEqual([]);
  });

  test('bare events of the API, and lines of a server-sent stream', () => {
    const bare = [
      { type: 'message_start', message: { id: 'm' } },
      { type: 'content_block_start', index: 0, content_block: text('') },
      'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}',
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
      { type: 'ping' },
      { type: 'error', error: { message: 'e' } },
    ];
    expect(ofType(decodeMessages(bare), 'text-end')).toMatchObject([{ text: 'hi' }]);
    expect(types(...bare)).toContain('error');
  });

  test('each of them alone tells that it is Claude', () => {
    const agent = (...lines: readonly object[]) =>
      summarize(decodeAll([Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))])).agent;
    expect(agent({ type: 'assistant', content: 'hi' })).toBe('claude');
    expect(agent({ type: 'user', content: 'hi' })).toBe('claude');
    expect(agent({ type: 'system', content: 'hi' })).toBe('claude');
    expect(agent({ type: 'tool_use', name: 'Read', input: {} }, { type: 'tool_result', content: 'x' })).toBe('claude');
    expect(agent({ type: 'message_start', message: { id: 'm' } })).toBe('claude');
    expect(agent({ type: 'init', session_id: 's' })).toBe('claude');
    expect(agent({ type: 'hello' })).toBeNull();
  });

  test('camel-case names, and sub-agents without an id of their own', () => {
    const events = decodeMessages([
      { type: 'assistant', message: { id: 'm', content: [text('sub')] }, parentToolUseId: 'call', sessionId: 'camel' },
    ]);
    expect(ofType(events, 'task-start')).toMatchObject([
      { taskId: 'call', toolCallId: 'call', kind: 'agent', synthetic: true },
    ]);
    expect(ofType(events, 'text-end')).toMatchObject([{ subagentId: 'call', sessionId: 'camel' }]);
  });
});

describe('tasks', () => {
  const started = (fields: object = {}) => system('task_started', { task_id: 'a', tool_use_id: 'x', ...fields });
  const notified = (status: string, fields: object = {}) =>
    system('task_notification', { task_id: 'a', status, ...fields });
  const kind = (fields: object, tool = 'Agent') =>
    ofType(decodeMessages([init, assistant('m', [use('x', tool)]), started(fields)]), 'task-start')[0]?.kind;

  test('are of the kind their type says', () => {
    expect(kind({ task_type: 'local_agent' })).toBe('agent');
    expect(kind({ task_type: 'remote_agent' })).toBe('agent');
    expect(kind({ task_type: 'local_bash' })).toBe('command');
    expect(kind({ task_type: 'local_workflow' })).toBe('workflow');
    expect(kind({ task_type: 'mcp_task' })).toBe('other');
    expect(kind({ subagent_type: 'general' })).toBe('agent');
    expect(kind({}, 'Bash')).toBe('command');
    expect(kind({})).toBe('other');
  });

  test.each([
    ['completed', 'success'],
    ['failed', 'error'],
    ['stopped', 'cancelled'],
    ['odd', 'unknown'],
  ])('that are %s end with %s', (status, outcome) => {
    expect(ofType(translate(started(), notified(status)), 'task-end')).toMatchObject([{ outcome }]);
  });

  test('that were announced over end so even if nothing follows', () => {
    const events = decodeMessages([
      init,
      started(),
      system('task_updated', { task_id: 'a', patch: { status: 'failed', error: 'why', is_backgrounded: true } }),
    ]);
    expect(ofType(events, 'task-end')).toMatchObject([
      { outcome: 'error', error: { message: 'why' }, synthetic: true },
    ]);
    expect(ofType(events, 'task-update')).toMatchObject([{ status: 'failed', background: true }]);
  });

  test('that start again have an id of their own', () => {
    const events = translate(started(), notified('completed'), started(), notified('completed'), notified('completed'));
    expect(ofType(events, 'task-end').map(({ taskId }) => taskId)).toEqual(['a', 'a#2']);
  });

  test('that nobody announced start with their first line, and are the same when they are announced late', () => {
    const events = translate(
      assistant('m', [text('first')], { parent_tool_use_id: 'x', agent_id: 'a' }),
      started({ description: 'd' }),
      notified('completed'),
    );
    expect(ofType(events, 'task-end')).toMatchObject([{ taskId: 'a', outcome: 'success' }]);
    const late = decodeMessages([
      init,
      assistant('m', [text('first')], { parent_tool_use_id: 'x' }),
      started(),
      notified('completed'),
    ]);
    expect(ofType(late, 'task-start').map(({ taskId }) => taskId)).toEqual(['x']);
    expect(ofType(decodeMessages([init, notified('completed', { tool_use_id: 'x' })]), 'task-start')).toMatchObject([
      { taskId: 'a', synthetic: true },
    ]);
  });

  test('in the foreground are over with the call that started them, those in the background are not', () => {
    const over = (fields: object, output: object, more: object = {}) =>
      ofType(
        decodeMessages([
          init,
          assistant('m', [use('x', 'Agent')]),
          started({ task_type: 'local_agent', ...fields }),
          result('x', 'r', more, { tool_use_result: output }),
          assistant('n', [text('t')]),
        ]),
        'task-end',
      )[0];
    expect(over({}, { status: 'completed', totalToolUseCount: 3, totalDurationMs: 9 })).toMatchObject({
      outcome: 'success',
      toolUses: 3,
      durationMs: 9,
      line: 4,
    });
    expect(over({}, {}, { is_error: true })).toMatchObject({ outcome: 'error', line: 4 });
    expect(over({}, { status: 'async_launched' })).toMatchObject({ outcome: 'unknown', synthetic: true });
    expect(over({ is_backgrounded: true }, {})).toMatchObject({ outcome: 'unknown', synthetic: true });
  });

  test('nest: the parent is the task in which the call was made, also when that is told late', () => {
    const lines = [
      init,
      assistant('m', [use('outer', 'Agent')]),
      system('task_started', { task_id: 'A', tool_use_id: 'outer', task_type: 'local_agent' }),
      system('task_started', { task_id: 'B', tool_use_id: 'inner', task_type: 'local_agent' }),
      assistant('n', [use('inner', 'Agent')], { parent_tool_use_id: 'outer', agent_id: 'A' }),
      assistant('o', [use('leaf', 'Read')], { parent_tool_use_id: 'inner', agent_id: 'B' }),
    ];
    const { subagents, toolCalls } = summarize(decodeMessages(lines));
    expect(subagents.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['A', null],
      ['B', 'outer'],
    ]);
    expect(toolCalls.map(({ id, parentId, subagentId }) => [id, parentId, subagentId])).toEqual([
      ['outer', null, null],
      ['inner', 'outer', 'A'],
      ['leaf', 'inner', 'B'],
    ]);
  });
});

describe('errors that the CLI prints as an answer', () => {
  const synthetic = (fields: object, words = 'API Error') => ({
    type: 'assistant',
    message: { id: 'e', model: '<synthetic>', content: [text(words)] },
    ...S,
    ...fields,
  });

  test('are errors, not text of the model', () => {
    const events = decodeMessages([
      init,
      synthetic({
        is_api_error_message: true,
        error: 'unknown',
        api_error_type: 'rate_limit_error',
        api_error_status: 429,
      }),
    ]);
    expect(ofType(events, 'error')).toMatchObject([
      {
        error: { code: 'rate_limit', message: 'API Error', httpStatus: 429, nativeCode: 'rate_limit_error' },
        fatal: true,
      },
    ]);
    expect(ofType(events, 'text-end')).toEqual([]);
    expect(summarize(events)).toMatchObject({ text: null, steps: 0 });
    expect(ofType(translate(synthetic({ error: 'billing_error' })), 'error')).toMatchObject([
      { error: { code: 'billing' } },
    ]);
  });

  test('and the result that follows has the same error', () => {
    const failed = { ...end, is_error: true, terminal_reason: 'api_error', result: 'API Error' };
    const events = decodeMessages([
      init,
      synthetic({ is_api_error_message: true, error: 'billing_error' }),
      failed,
      init,
      failed,
    ]);
    expect(ofType(events, 'turn-end').map(({ error }) => error?.code)).toEqual(['billing', 'unknown']);
  });

  test('do not end the turn while a call is running', () => {
    expect(
      ofType(translate(assistant('m', [use('x')]), synthetic({ is_api_error_message: true })), 'error'),
    ).toMatchObject([{ fatal: false }]);
  });

  test('what a local command prints is text, but no step', () => {
    const summary = summarize(decodeMessages([init, synthetic({ local_command_source: 'x' }, 'printed')]));
    expect(summary).toMatchObject({ text: 'printed', steps: 0 });
  });

  test('a word of error on an answer of the model stays with its message', () => {
    expect(
      ofType(decodeMessages([init, assistant('m', [text('half')], { error: 'max_output_tokens' })]), 'message-end'),
    ).toMatchObject([{ error: { nativeCode: 'max_output_tokens' } }]);
  });

  test('text that an interrupt cut is partial and not the last word', () => {
    const events = decodeMessages([
      init,
      assistant('m', [text('whole')]),
      assistant('n', [text('hal')], { aborted: true }),
    ]);
    expect(ofType(events, 'text-end')).toMatchObject([{ text: 'whole' }, { text: 'hal', partial: true }]);
    expect(summarize(events).text).toBeNull();
  });
});

test('a late line of a message that has ended does not begin it again', () => {
  const events = decodeMessages([
    init,
    assistant('m', [text('a')]),
    assistant('n', [text('b')]),
    assistant('m', [text('c')]),
  ]);
  expect(brokenPromises(events)).toEqual([]);
  expect(ofType(events, 'text-end').map(({ blockId }) => blockId)).toEqual(['m:0', 'n:0', 'm:1']);
});

describe('[T-25] hostile keys', () => {
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'as the word of an error, a stop, a hook or a tool, %s is a word',
    (word) => {
      const failed = { type: 'result', subtype: word, is_error: true, api_error_type: word, stop_reason: word, ...S };
      const events = decodeMessages([
        init,
        assistant('m', [use('x', word)]),
        { ...failed, is_error: false },
        init,
        failed,
        {
          type: 'control_request',
          request_id: 'h',
          request: { subtype: 'hook_callback', input: { hook_event_name: word } },
        },
        { type: 'control_request', request_id: 'q', request: { subtype: word } },
      ]);
      expect(ofType(events, 'turn-end').map(({ stopReason, error }) => [stopReason, error?.code])).toEqual([
        ['unknown', undefined],
        ['error', 'unknown'],
      ]);
      expect(ofType(events, 'hook-start')).toMatchObject([{ name: word }]);
      expect(ofType(events, 'tool-call-start')).toMatchObject([{ kind: 'other' }]);
      expect(JSON.parse(JSON.stringify(events))).toEqual(events);
    },
  );

  test('are data wherever they stand', () => {
    const key = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'x');
    const hostile = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constant({ x: 'polluted' }),
        fc.string(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
      ),
    })).value;
    const type = fc.constantFrom(
      'assistant',
      'user',
      'result',
      'system',
      'stream_event',
      'control_request',
      '__proto__',
      'constructor',
    );
    fc.assert(
      fc.property(type, key, hostile, hostile, (kind, subtype, a, b) => {
        const raw = `{"__proto__":${JSON.stringify(a)},"type":"${kind}","subtype":"${subtype}","session_id":"s","message":{"__proto__":{"x":1},"id":"m","content":[{"type":"${subtype}","input":${JSON.stringify(b)}},{"type":"tool_use","id":"__proto__","name":"${subtype}","input":${JSON.stringify(b)}}],"usage":${JSON.stringify(a)}},"modelUsage":{"__proto__":{"inputTokens":1,"costUSD":1}},"model_usage_since_last_result":{"__proto__":{"inputTokens":1,"costUSD":1}}}`;
        const events = decodeMessages([raw]);
        summarize(events);
        expect(({} as Record<string, unknown>)['x']).toBeUndefined();
        expect(Object.getPrototypeOf({})).toBe(Object.prototype);
        expect(Object.hasOwn(Object.prototype, 'inputTokens')).toBe(false);
      }),
      { numRuns: counts.hostileLines },
    );
  });

  test('of a model called __proto__ are counted like any other', () => {
    const events = decodeMessages([
      init,
      '{"type":"result","is_error":false,"session_id":"s","model_usage_since_last_result":{"__proto__":{"inputTokens":3,"outputTokens":4,"costUSD":1}}}',
    ]);
    const { models, usage } = summarize(events);
    expect(Object.keys(models)).toEqual(['__proto__']);
    expect(usage).toMatchObject({ inputTokens: 3, outputTokens: 4 });
  });
});

test('a request id that is used again is another request', () => {
  const ask = {
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'can_use_tool', tool_name: 'Read', input: {} },
  };
  const done = { type: 'result', subtype: 'success', is_error: false, session_id: 's' };
  const events = decodeMessages([ask, done, ask]);
  expect(ofType(events, 'permission-request').map(({ requestId }) => requestId)).toEqual(['r', 'r#2']);
  expect(brokenPromises(events)).toEqual([]);
});

test('messages that are bent out of shape never throw and keep every promise', () => {
  const lines = captures
    .flatMap(({ messages }) => messages)
    .filter((message) => JSON.stringify(message).length < 4_000);
  const values = [null, 17, -1, true, '', 'text', [], {}, [null], { type: 'text' }, '\ud800'];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(), fc.array(fc.nat(), { minLength: 1, maxLength: 3 })), { minLength: 1, maxLength: 12 }),
      (picks) => {
        const bent = picks.map(([pick, bends]) => {
          const message = structuredClone(lines[pick % lines.length]);
          for (const bend of bends) bendOne(message, bend, values);
          return message;
        });
        expect(brokenPromises(decodeMessages(bent))).toEqual([]);
      },
    ),
    { numRuns: counts.bentMessages },
  );
});

/** Puts another value in the place of one that is found by walking down. */
function bendOne(message: Record<string, unknown>, seed: number, values: readonly unknown[]): void {
  let at: Record<string, unknown> = message;
  for (let step = seed; ; step = Math.floor(step / 7) + 1) {
    const keys = Object.keys(at);
    const key = keys[step % Math.max(keys.length, 1)];
    if (key === undefined) return;
    const next = at[key];
    if (typeof next === 'object' && next !== null && step % 4 !== 0) at = next as Record<string, unknown>;
    else {
      at[key] = structuredClone(values[step % values.length]);
      return;
    }
  }
}
