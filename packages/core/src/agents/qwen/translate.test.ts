// What Qwen Code prints that no recording shows, by its own source; and what tells it from the others who speak its dialect.

import { describe, expect, test } from 'vitest';
import { ofType, summarize } from '../../../test/captures.ts';
import { eventsOfMessages } from '../../../test/recordings.ts';
import { qwen } from './index.ts';

const line = (fields: object) => ({ uuid: 'u-1', session_id: 's-1', parent_tool_use_id: null, ...fields });
const init = {
  type: 'system',
  subtype: 'init',
  uuid: 's-1',
  session_id: 's-1',
  qwen_code_version: '0.24.4',
  tools: [],
};
const system = (subtype: string, data: object) => line({ type: 'system', subtype, data });
const answer = (id: string, content: readonly object[], usage: object = { input_tokens: 0, output_tokens: 0 }) =>
  line({
    type: 'assistant',
    uuid: id,
    message: { id, role: 'assistant', model: 'm', content, stop_reason: null, usage },
  });
const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string, name: string, input: object = {}) => ({ type: 'tool_use', id, name, input });
const toolResult = (id: string, content: string, isError = false) =>
  line({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, is_error: isError, content }] },
  });
const done = (fields: object = {}) =>
  line({ type: 'result', subtype: 'success', is_error: false, duration_ms: 9, num_turns: 1, result: 'ok', ...fields });
const piece = (event: object, parent: string | null = null) =>
  line({ type: 'stream_event', parent_tool_use_id: parent, event });
const begin = (id: string) =>
  piece({ type: 'message_start', message: { id, role: 'assistant', model: 'm', content: [] } });
const events = (...messages: readonly unknown[]) => eventsOfMessages(qwen, [init, ...messages]);

describe('an answer', () => {
  test('that comes in three lines with three ids is one message, and its tokens count once', () => {
    const all = events(
      answer('a', [{ type: 'thinking', thinking: 'Hm.' }]),
      answer('b', [text('Look.')]),
      answer('c', [call('c-1', 'read_file')], { input_tokens: 100, output_tokens: 7, cache_read_input_tokens: 60 }),
      toolResult('c-1', 'x'),
      answer('d', [text('Done.')], { input_tokens: 120, output_tokens: 3 }),
      done({ usage: { input_tokens: 220, output_tokens: 10, cache_read_input_tokens: 60, total_tokens: 230 } }),
    );
    expect(ofType(all, 'message-end').map(({ messageId, usage }) => [messageId, usage?.inputTokens])).toEqual([
      ['a', 100],
      ['d', 120],
    ]);
    expect(summarize(all).usage).toMatchObject({
      inputTokens: 220,
      cacheReadTokens: 60,
      outputTokens: 10,
      state: 'reconciled',
    });
  });

  test('whose blocks count from zero again keeps them apart', () => {
    const event = (fields: object) => line({ type: 'stream_event', event: fields });
    const all = events(
      event({ type: 'message_start', message: { id: 'a', role: 'assistant', model: 'm', content: [] } }),
      ...['One', 'Two'].flatMap((words, index) => [
        event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
        event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } }),
        event({ type: 'content_block_stop', index: 0 }),
        answer(`a-${index}`, [text(words)]),
      ]),
      event({ type: 'message_stop' }),
      done(),
    );
    expect(ofType(all, 'text-end').map(({ blockId, text: words }) => [blockId, words])).toEqual([
      ['a:0', 'One'],
      ['a:1', 'Two'],
    ]);
    expect(ofType(all, 'message-start')).toHaveLength(1);
  });

  test('is taken back by a retry that does not keep its text', () => {
    const all = events(
      answer('a', [text('Half an ans')]),
      system('retry', {
        reason: 'retry',
        attempt: 1,
        maxRetries: 5,
        delayMs: 200,
        discardedToolCalls: 0,
        preserveText: false,
      }),
      answer('b', [text('A whole answer.')], { input_tokens: 5, output_tokens: 2 }),
      done(),
    );
    expect(ofType(all, 'retry-start')[0]).toMatchObject({ attempt: 1, maxAttempts: 5, delayMs: 200 });
    expect(ofType(all, 'message-retract')).toHaveLength(1);
    expect(summarize(all).text).toBe('A whole answer.');
  });

  test('is taken back before the next one begins, though the retry is told twice', () => {
    const retry = system('retry', { reason: 'retry', discardedToolCalls: 0, preserveText: false });
    const all = events(answer('a', [text('Half')]), retry, retry, answer('b', [text('Whole.')]), done());
    const order = all.map(({ type }) => type);
    expect(ofType(all, 'message-retract')).toMatchObject([{ messageIds: ['a'], reason: 'retry' }]);
    expect(order.indexOf('message-retract')).toBeLessThan(order.indexOf('retry-start'));
  });

  test('whose calls were skipped by a retry is taken back with them', () => {
    const all = events(
      answer('a', [call('c-1', 'glob')]),
      toolResult('c-1', 'Skipped because the provider attempt was retried before execution.', true),
      system('retry', { reason: 'retry', discardedToolCalls: 1, preserveText: false }),
      answer('b', [text('Whole.')]),
      done(),
    );
    expect(ofType(all, 'message-retract')).toMatchObject([{ messageIds: ['a'], toolCallIds: ['c-1'] }]);
    expect(ofType(all, 'tool-call-end')).toMatchObject([{ outcome: 'error' }]);
  });

  test('that a retry goes on with stays one text', () => {
    const all = events(
      begin('a'),
      piece({ type: 'content_block_start', index: 0, content_block: text('') }),
      piece({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Too' } }),
      piece({ type: 'content_block_stop', index: 0 }),
      system('retry', { reason: 'retry', discardedToolCalls: 0, preserveText: true }),
      piece({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' long.' } }),
      answer('a', [text('Too long.')], { input_tokens: 5, output_tokens: 2 }),
      piece({ type: 'message_stop' }),
      done(),
    );
    expect(ofType(all, 'text-delta').map(({ delta }) => delta)).toEqual(['Too', ' long.']);
    expect(ofType(all, 'text-end').map((end) => end.text)).toEqual(['Too long.']);
    expect(ofType(all, 'message-retract')).toEqual([]);
  });

  test.each([
    ['alone', '', []],
    ['behind what was said', 'Half. ', ['Half. ']],
  ])('that fails, the failure %s, is an error and no text', (_where, said, texts) => {
    const failure = '[API Error: 400 no]';
    const grown = [said, failure].filter(Boolean);
    const all = events(
      begin('a'),
      piece({ type: 'content_block_start', index: 0, content_block: text('') }),
      ...grown.map((words) =>
        piece({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } }),
      ),
      piece({ type: 'content_block_stop', index: 0 }),
      answer('a', [text(said + failure)]),
      piece({ type: 'message_stop' }),
      done({ subtype: 'error_during_execution', is_error: true, result: undefined, error: { message: failure } }),
    );
    expect(ofType(all, 'text-end').map((end) => end.text)).toEqual(texts);
    expect(ofType(all, 'turn-end')).toMatchObject([
      { outcome: 'error', error: { code: 'invalid_request', httpStatus: 400, message: failure } },
    ]);
  });
});

describe('totals', () => {
  test('of a process go on from turn to turn, and are told apart', () => {
    const usage = (n: number) => ({
      input_tokens: n,
      output_tokens: n,
      cache_read_input_tokens: 0,
      total_tokens: 2 * n,
    });
    const all = events(done({ uuid: 'r-1', usage: usage(10) }), init, done({ uuid: 'r-2', usage: usage(25) }));
    expect(ofType(all, 'turn-end').map(({ usage: own }) => own?.inputTokens)).toEqual([10, 15]);
    expect(summarize(all).usage.inputTokens).toBe(25);
  });
});

describe('a sub-agent', () => {
  test('that fails prints a result in the middle, which ends nothing', () => {
    const failure = done({
      subtype: 'error_during_execution',
      is_error: true,
      duration_ms: 0,
      num_turns: 0,
      error: { message: 'out of turns' },
      result: undefined,
    });
    const all = events(
      answer('a', [call('c-1', 'agent', { subagent_type: 'Explore', description: 'Look', prompt: 'go' })], {
        input_tokens: 1,
        output_tokens: 1,
      }),
      line({ type: 'user', parent_tool_use_id: 'c-1', message: { role: 'user', content: [text('go')] } }),
      line({
        type: 'assistant',
        parent_tool_use_id: 'c-1',
        message: { id: 'x', role: 'assistant', model: 'm', content: [call('c-2', 'glob')], usage: {} },
      }),
      failure,
      toolResult('c-1', 'Subagent execution failed.'),
      done({ uuid: 'r-2' }),
    );
    expect(ofType(all, 'turn-end')).toHaveLength(1);
    expect(ofType(all, 'task-start')).toMatchObject([{ name: 'Explore', description: 'Look', toolCallId: 'c-1' }]);
    expect(ofType(all, 'task-end')).toMatchObject([{ outcome: 'error', error: { message: 'out of turns' } }]);
    expect(ofType(all, 'tool-call-start').map(({ toolName, subagentId }) => [toolName, subagentId])).toEqual([
      ['agent', undefined],
      ['glob', 'c-1'],
    ]);
  });

  test('of two that were started, nobody says which has failed', () => {
    const failure = { is_error: true, duration_ms: 0, num_turns: 0, error: { message: 'no' }, result: undefined };
    const all = events(answer('a', [call('c-1', 'agent'), call('c-2', 'agent')]), done(failure), done({ uuid: 'r-2' }));
    expect(ofType(all, 'notice')).toMatchObject([{ severity: 'error', title: 'no' }]);
    expect(ofType(all, 'turn-end')).toHaveLength(1);
  });

  test('has each of its calls once, though they come in pieces without a message', () => {
    const glob = call('c-2', 'glob', { pattern: '*' });
    const all = events(
      answer('a', [call('c-1', 'agent', { prompt: 'go' })], { input_tokens: 1, output_tokens: 1 }),
      line({ type: 'user', parent_tool_use_id: 'c-1', message: { role: 'user', content: [text('go')] } }),
      piece({ type: 'content_block_start', index: 0, content_block: { ...glob, input: {} } }, 'c-1'),
      piece(
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"pattern":"*"}' } },
        'c-1',
      ),
      piece({ type: 'content_block_stop', index: 0 }, 'c-1'),
      line({
        type: 'assistant',
        parent_tool_use_id: 'c-1',
        message: { id: 'x', role: 'assistant', model: 'm', content: [glob], usage: {} },
      }),
      line({ ...toolResult('c-2', 'a.txt'), parent_tool_use_id: 'c-1' }),
      toolResult('c-1', 'One file.'),
      done({ uuid: 'r-2' }),
    );
    expect(ofType(all, 'tool-call-end').map(({ toolName, outcome }) => [toolName, outcome])).toEqual([
      ['glob', 'success'],
      ['agent', 'success'],
    ]);
  });

  test('an error before any call is no sub-agent: it ends the turn', () => {
    const all = events(
      done({ is_error: true, duration_ms: 0, num_turns: 0, error: { message: 'no such command' }, result: undefined }),
    );
    expect(ofType(all, 'turn-end')).toMatchObject([{ outcome: 'error', error: { message: 'no such command' } }]);
  });

  test('in the background ends with its notification, also when it was cancelled', () => {
    const all = events(
      answer('a', [call('c-1', 'agent')], { input_tokens: 1, output_tokens: 1 }),
      system('task_started', { task_id: 't-1', tool_use_id: 'c-1', description: 'Look', subagent_type: 'Explore' }),
      toolResult('c-1', 'Background agent launched successfully.'),
      system('task_notification', { task_id: 't-1', tool_use_id: 'c-1', status: 'cancelled' }),
      done(),
    );
    expect(ofType(all, 'task-end')).toMatchObject([{ taskId: 't-1', outcome: 'cancelled', line: 5 }]);
  });

  test("a monitor's event is no end", () => {
    const all = events(
      system('task_started', { task_id: 't-1', tool_use_id: 'c-1', description: 'Watch' }),
      system('task_notification', { task_id: 't-1', tool_use_id: 'c-1', status: 'running' }),
      system('task_notification', { task_id: 't-1', tool_use_id: 'c-1', status: 'completed' }),
      done(),
    );
    expect(ofType(all, 'task-update')).toHaveLength(1);
    expect(ofType(all, 'task-end')).toMatchObject([{ outcome: 'success' }]);
  });
});

describe('results of calls', () => {
  test.each([
    ['[Operation Cancelled] Reason: User intentionally cancelled.', 'cancelled'],
    ['Skipped because the provider attempt was retried before execution.', 'error'],
    ['Tool "run_shell_command" requires user approval but cannot execute in non-interactive mode.', 'denied'],
    ['File not found: x', 'error'],
  ])('%s', (words, outcome) => {
    const all = events(answer('a', [call('c-1', 'read_file')]), toolResult('c-1', words, true), done());
    expect(ofType(all, 'tool-call-end')[0]?.outcome).toBe(outcome);
  });

  test('a file that was written is a change, a todo list is one', () => {
    const all = events(
      answer('a', [
        call('c-1', 'write_file', { file_path: '/p/a.txt', content: 'A' }),
        call('c-2', 'todo_write', { todos: [{ id: '1', content: 'Begin', status: 'in_progress' }] }),
      ]),
      toolResult('c-1', 'Successfully created and wrote to new file: /p/a.txt'),
      toolResult('c-2', 'Todos updated'),
      done(),
    );
    expect(ofType(all, 'file-change')[0]?.changes).toEqual([{ path: '/p/a.txt', operation: 'add', newText: 'A' }]);
    expect(ofType(all, 'todo-update')[0]?.entries).toEqual([{ id: '1', content: 'Begin', status: 'in_progress' }]);
  });

  test('a heartbeat of a silent command is its progress', () => {
    const all = events(
      answer('a', [call('c-1', 'run_shell_command')]),
      line({
        type: 'stream_event',
        event: { type: 'tool_progress', tool_use_id: 'c-1', content: { type: 'shell_progress', elapsedMs: 5000 } },
      }),
      toolResult('c-1', 'ok'),
      done(),
    );
    expect(ofType(all, 'tool-call-update')).toMatchObject([{ toolCallId: 'c-1', elapsedMs: 5000 }]);
  });
});

test('every subtype that its source has is known', () => {
  const subtypes = [
    'worktree_started',
    'worktree_restored',
    'vision_routing',
    'vision_bridge',
    'vision_bridge_failed',
    'continue_turn_failed',
    'model_fallback',
    'session_start',
    'session_end',
  ];
  const goal = {
    type: 'goal_state',
    goal_state: { v: 2, goal: { objective: 'x', status: 'active' }, activity: 'running' },
  };
  const all = events(
    ...subtypes.map((subtype) => system(subtype, { notice: 'a remark', fromModel: 'a', toModel: 'b' })),
    line({ type: 'stream_event', event: goal }),
    done(),
  );
  expect(summarize(all).lines.unknown).toBe(0);
  expect(ofType(all, 'notice')).toHaveLength(subtypes.length);
});

describe('how it ends', () => {
  test.each([
    [53, 'max_turns'],
    [55, 'max_budget'],
    [52, 'invalid_request'],
    [1, 'unknown'],
  ])('exit code %i without a result', (code, word) => {
    const last = eventsOfMessages(qwen, [init, answer('a', [text('So far')])], { code }).at(-1);
    expect(last).toMatchObject({ type: 'session-end', outcome: 'error', error: { code: word } });
  });

  test('exit code 130 is a stop', () => {
    expect(eventsOfMessages(qwen, [init], { code: 130 }).at(-1)).toMatchObject({ outcome: 'cancelled' });
  });
});

test('a line that comes again is of the same answer, and its tokens count once', () => {
  const last = answer('b', [call('c-1', 'read_file')], { input_tokens: 100, output_tokens: 7 });
  const all = events(answer('a', [text('Look.')]), last, last);
  expect(summarize(all)).toMatchObject({ steps: 1, usage: { inputTokens: 100 } });
});
