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

test('the format is that of the first message', () => {
  expect(ofType(eventsOfMessages(grok, [{ type: 'text', data: 'Hi.' }]), 'text-end')).toMatchObject([{ text: 'Hi.' }]);
  expect(eventsOfMessages(grok, []).map(({ type }) => type)).toEqual(['session-start', 'session-end']);
});
