// What Grok prints with `streaming-messages-json` that no recording shows, by its own source.

import { describe, expect, test } from 'vitest';
import { ofType, summarize } from '../../../test/captures.ts';
import { eventsOfMessages } from '../../../test/recordings.ts';
import { grok } from './index.ts';

const ids = { parent_tool_use_id: null, session_id: 's-1', uuid: 'u-1' };
const init = {
  type: 'system',
  subtype: 'init',
  session_id: 's-1',
  model: 'grok-4.6',
  cwd: '/p',
  tools: [],
  uuid: 'u-0',
};
const answer = (id: string, ...content: readonly object[]) => ({
  type: 'assistant',
  message: {
    id,
    type: 'message',
    role: 'assistant',
    model: 'grok-4.6',
    content,
    stop_reason: null,
    usage: { input_tokens: 3, output_tokens: 1 },
  },
  ...ids,
});
const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const results = (...content: readonly (readonly [string, unknown, boolean?])[]) => ({
  type: 'user',
  message: {
    role: 'user',
    content: content.map(([id, value, isError = false]) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: typeof value === 'string' ? value : JSON.stringify(value),
      is_error: isError,
    })),
  },
  ...ids,
});
const done = (fields: object) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: 1,
  ...fields,
  session_id: 's-1',
  uuid: 'u-9',
});
const events = (...messages: readonly unknown[]) => eventsOfMessages(grok, [init, ...messages]);

describe('a call', () => {
  test('whose command failed is an error, with the words and not the wrapping', () => {
    const bytes = [...Buffer.from('boom\n')];
    const [end] = ofType(
      events(
        answer('msg_0', call('c', 'run_terminal_command', { command: 'x' })),
        results(['c', { type: 'Bash', output: bytes, exit_code: 3 }]),
      ),
      'tool-call-end',
    );
    expect(end).toMatchObject({
      outcome: 'error',
      exitCode: 3,
      content: [{ type: 'text', text: 'boom\n' }],
      error: { message: 'boom\n' },
    });
    expect(end?.output).toMatchObject({ output: 'boom\n' });
  });

  test('that changes a todo list tells the whole of it', () => {
    const todos = [
      { content: 'Read', status: 'completed' },
      { content: 'Write', status: 'pending' },
    ];
    const all = events(
      answer(
        'msg_0',
        call('c', 'todo_write', { merge: true, todos: [{ id: '1', content: 'Read', status: 'completed' }] }),
      ),
      results(['c', { type: 'Todo', TodosUpdated: { summary_for_prompt: '…', todos } }]),
    );
    expect(ofType(all, 'todo-update')).toMatchObject([{ entries: todos }]);
  });

  test('that writes a file changes it; one whose result is no JSON is read as it is', () => {
    const all = events(
      answer(
        'msg_0',
        call('c', 'search_replace', { file_path: 'a.txt', old_string: 'a', new_string: 'b' }),
        call('d', 'grep', { pattern: 'x' }),
      ),
      results(
        ['c', { type: 'SearchReplace', EditsApplied: { absolute_path: '/p/a.txt' } }],
        ['d', 'tool call did not complete', true],
      ),
    );
    expect(ofType(all, 'file-change')).toMatchObject([{ changes: [{ path: 'a.txt', operation: 'modify' }] }]);
    expect(ofType(all, 'tool-call-end')[1]).toMatchObject({
      outcome: 'error',
      error: { message: 'tool call did not complete' },
    });
  });
});

describe('an answer', () => {
  test('whose whole line has another id than its pieces is one', () => {
    const event = (fields: object) => ({ type: 'stream_event', event: fields, ...ids });
    const all = events(
      event({ type: 'message_start', message: { id: 'msg_0', role: 'assistant', model: 'grok-4.6', content: [] } }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi.' } }),
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'message_stop' }),
      answer('resp_77', { type: 'text', text: 'Hi.' }),
    );
    expect(ofType(all, 'text-end')).toHaveLength(1);
    expect(ofType(all, 'message-start')).toHaveLength(1);
  });
});

describe('a result', () => {
  test.each([
    ['cancelled', 'cancelled', 'cancelled'],
    ['The model refused to continue', 'error', 'content_filter'],
    ['Internal error: "Unauthorized (401) from http://x"', 'error', 'authentication'],
  ])('with the error %j', (words, outcome, code) => {
    const failed = { subtype: 'error_during_execution', is_error: true, stop_reason: null, errors: [words] };
    expect(ofType(events(done(failed)), 'turn-end')[0]).toMatchObject({ outcome, error: { code } });
  });

  test('with a cost of zero tells none, with another it does', () => {
    const usage = (costUSD: number) => ({
      total_cost_usd: costUSD,
      modelUsage: { 'grok-4.6': { inputTokens: 3, outputTokens: 1, costUSD } },
    });
    expect(summarize(events(done(usage(0)))).costUsd).toBeNull();
    expect(summarize(events(done(usage(0.5))))).toMatchObject({ costUsd: 0.5, costState: 'reconciled' });
  });
});

test('the format is that of the first message that one of them knows', () => {
  const late = eventsOfMessages(grok, [
    { type: 'brand_new' },
    { foo: 1 },
    init,
    answer('msg_0', { type: 'text', text: 'Hi.' }),
  ]);
  expect(ofType(late, 'text-end')).toMatchObject([{ text: 'Hi.' }]);
  expect(ofType(late, 'raw')).toHaveLength(2);
  expect(ofType(eventsOfMessages(grok, [{ type: 'text', data: 'Hi.' }]), 'text-end')).toMatchObject([{ text: 'Hi.' }]);
  expect(eventsOfMessages(grok, []).map(({ type }) => type)).toEqual(['session-start', 'session-end']);
});

test.each([
  [{ type: 'Bash', output: [], output_for_prompt: 'exit: 4\n', exit_code: 4 }, 'exit: 4'],
  [{ error: 'tool_execution_failed', message: 'Mcp error: -32000: gone' }, 'Mcp error: -32000: gone'],
  [{ type: 'SearchReplace', NoMatchesFound: { message: 'not found', file_path: '/a' } }, 'not found'],
])('a failure is told in words: %j', (output, message) => {
  const told = events(answer('msg_0', call('c-1', 'use_tool', {})), results(['c-1', output, true]));
  expect(ofType(told, 'tool-call-end')[0]).toMatchObject({
    content: [{ type: 'text', text: message }],
    error: { message },
  });
});

test('a command that says nothing has no content', () => {
  const silent = { type: 'Bash', output: [], output_for_prompt: 'exit: 0\n', exit_code: 0 };
  const told = events(answer('msg_0', call('c-1', 'run_terminal_command', {})), results(['c-1', silent]));
  expect(ofType(told, 'tool-call-end')[0]).toMatchObject({ outcome: 'success', content: [] });
});

test('a file that was not there before is new', () => {
  const made = { type: 'SearchReplace', EditsApplied: { tool_output_for_prompt: 'The file /a has been created.' } };
  const told = events(answer('msg_0', call('c-1', 'write', { file_path: '/a', content: 'b' })), results(['c-1', made]));
  expect(ofType(told, 'file-change')[0]?.changes).toEqual([{ path: '/a', operation: 'add', newText: 'b' }]);
});

test('a plan is in the result', () => {
  const ready = { type: 'ExitPlanMode', PlanReady: { plan_content: '# Plan', plan_file_path: '/p.md' } };
  const told = events(answer('msg_0', call('c-1', 'exit_plan_mode', {})), results(['c-1', ready]));
  expect(ofType(told, 'plan-update')).toMatchObject([{ text: '# Plan', path: '/p.md' }]);
});

describe('a sub-agent', () => {
  const spawn = call('c-1', 'spawn_subagent', { description: 'Look', prompt: 'Look around', subagent_type: 'explore' });
  const text = (value: string) => ({ type: 'text', text: value });
  const completed = { type: 'SubagentCompleted', output: 'Seen.', tool_calls: 1, duration_ms: 9 };

  test('speaks while the main agent waits for it', () => {
    const told = events(
      answer('msg_0', spawn),
      answer('msg_1', text('Looking.'), call('c-2', 'list_dir', {})),
      results(['c-2', { type: 'ListDir', Content: { content: 'a' } }]),
      answer('msg_2', text('Seen.')),
      results(['c-1', completed]),
      answer('msg_3', text('Done.')),
      done({ result: 'Done.', usage: { input_tokens: 12, output_tokens: 4 }, modelUsage: {} }),
    );
    expect(ofType(told, 'text-end').map((event) => [event.text, event.subagentId])).toEqual([
      ['Looking.', 'c-1'],
      ['Seen.', 'c-1'],
      ['Done.', undefined],
    ]);
    expect(ofType(told, 'tool-call-end').map((event) => [event.toolCallId, event.subagentId])).toEqual([
      ['c-2', 'c-1'],
      ['c-1', undefined],
    ]);
    expect(ofType(told, 'task-start')).toMatchObject([{ name: 'explore', prompt: 'Look around', toolCallId: 'c-1' }]);
    expect(ofType(told, 'task-end')).toMatchObject([
      { outcome: 'success', result: 'Seen.', toolUses: 1, durationMs: 9 },
    ]);
    expect(summarize(told)).toMatchObject({ text: 'Done.', usage: { inputTokens: 12 }, mainUsage: { inputTokens: 6 } });
  });

  test('in the background speaks while the main agent waits for something else', () => {
    const sentOff = { type: 'Text', text: 'Subagent started in background.\nsubagent_id: a-1\n' };
    const told = events(
      answer('msg_0', spawn),
      results(['c-1', sentOff]),
      answer('msg_1', call('c-2', 'run_terminal_command', { command: 'sleep 1' })),
      answer('msg_2', text('Seen.')),
      results(['c-2', { type: 'Bash', output: [], exit_code: 0 }]),
      answer('msg_3', text('Done.')),
    );
    expect(ofType(told, 'text-end').map((event) => [event.text, event.subagentId])).toEqual([
      ['Seen.', 'c-1'],
      ['Done.', undefined],
    ]);
  });
});

describe('a call that nobody could allow', () => {
  const refusal = 'User cancelled the execution for tool `write`';
  const shown = JSON.stringify([{ type: 'content', content: { type: 'text', text: refusal } }]);
  const failed = { subtype: 'error_during_execution', is_error: true, stop_reason: 'cancelled', errors: ['cancelled'] };

  test('ends the run, which has failed', () => {
    const told = events(answer('msg_0', call('c-1', 'write', {})), results(['c-1', shown, true]), done(failed));
    expect(ofType(told, 'tool-call-end')[0]).toMatchObject({
      outcome: 'error',
      content: [{ type: 'text', text: refusal }],
    });
    expect(ofType(told, 'turn-end')[0]).toMatchObject({ outcome: 'error', error: { message: refusal } });
  });

  test('else it was cancelled', () => {
    const told = events(answer('msg_0', { type: 'text', text: 'Hm.' }), done(failed));
    expect(ofType(told, 'turn-end')[0]).toMatchObject({ outcome: 'cancelled' });
  });
});

test('an error is said without its wrapping', () => {
  const errors = [`Internal error: ${JSON.stringify({ message: 'API error: forbidden', http_status: 403 })}`];
  const told = events(done({ subtype: 'error_during_execution', is_error: true, errors }));
  expect(ofType(told, 'turn-end')[0]?.error).toMatchObject({ message: 'API error: forbidden', httpStatus: 403 });
});

test('init is known by its order, whatever the model is called', () => {
  expect(grok.detect([{ ...init, model: 'nobody' }])).toBe(0);
  const { type, subtype, session_id, ...rest } = { ...init, model: 'nobody' };
  expect(grok.detect([{ type, subtype, session_id, apiKeySource: 'user', ...rest }])).toBeGreaterThan(0.9);
});
