import { describe, expect, test } from 'vitest';
import { event } from '../../../test/conversations.ts';
import { brokenRules, chunksOf } from '../../../test/ui-messages.ts';
import type { AgentStreamEvent } from '../../event/event.ts';
import type { UIMessageChunk } from './chunk.ts';
import { createUIMessageWriter } from './writer.ts';

const text = (blockId: string, said: string, messageId = 'm'): AgentStreamEvent[] => [
  event('text-start', { messageId, blockId }),
  event('text-delta', { messageId, blockId, delta: said }),
  event('text-end', { messageId, blockId, text: said }),
];
const call = (toolCallId: string, more: { subagentId?: string; messageId?: string } = {}): AgentStreamEvent[] => [
  event('tool-call-start', { toolCallId, toolName: 'Bash', kind: 'execute', ...more }),
  event('tool-call-input-end', { toolCallId, input: { command: 'ls' }, title: 'ls', ...more }),
];
const callEnd = (toolCallId: string, fields: object = {}): AgentStreamEvent =>
  event('tool-call-end', {
    toolCallId,
    toolName: 'Bash',
    outcome: 'success',
    content: [{ type: 'text', text: 'a file' }],
    ...fields,
  });
const step = (stepId: string): AgentStreamEvent => event('step-start', { stepId });

/** The chunks of the events, which have to obey the protocol. */
function written(...events: readonly AgentStreamEvent[]): UIMessageChunk[] {
  const chunks = chunksOf(events);
  expect(brokenRules(chunks)).toEqual([]);
  return chunks;
}

const typesOf = (chunks: readonly UIMessageChunk[]): string[] => chunks.map(({ type }) => type);
const ofType = <T extends UIMessageChunk['type']>(
  chunks: readonly UIMessageChunk[],
  type: T,
): (UIMessageChunk & { type: T })[] =>
  chunks.filter((chunk): chunk is UIMessageChunk & { type: T } => chunk.type === type);

test('a whole turn: start, steps, a text, a call with its output in the same step, finish', () => {
  const chunks = written(
    event('session-start', { agent: 'claude', model: 'opus', sessionId: 's' }),
    step('1'),
    ...text('b1', 'I look.'),
    ...call('c1'),
    event('step-end', { stepId: '1' }),
    callEnd('c1', { exitCode: 0 }),
    step('2'),
    ...text('b2', 'Done.'),
    event('turn-end', { turnId: 't', outcome: 'success', stopReason: 'end_turn', usage: { inputTokens: 5 } }),
    event('session-end', { outcome: 'success', usage: { inputTokens: 5 }, cost: { amount: 0.1, currency: 'USD' } }),
  );
  expect(typesOf(chunks)).toEqual([
    'start',
    'message-metadata',
    'start-step',
    ...['text-start', 'text-delta', 'text-end', 'tool-input-start', 'tool-input-available', 'tool-output-available'],
    'finish-step',
    'start-step',
    ...['text-start', 'text-delta', 'text-end'],
    'message-metadata',
    'finish-step',
    'message-metadata',
    'finish',
  ]);
  expect(chunks.at(-1)).toEqual({
    type: 'finish',
    finishReason: 'stop',
    messageMetadata: {
      agent: 'claude',
      model: 'opus',
      sessionId: 's',
      outcome: 'success',
      stopReason: 'end_turn',
      usage: { inputTokens: 5 },
      cost: { amount: 0.1, currency: 'USD' },
    },
  });
  expect(ofType(chunks, 'tool-output-available')[0]).toMatchObject({
    dynamic: true,
    providerExecuted: true,
    output: { content: [{ type: 'text', text: 'a file' }], exitCode: 0 },
    toolMetadata: { tailrace: { kind: 'execute', outcome: 'success', exitCode: 0 } },
  });
});

describe('texts', () => {
  test('a text that came without deltas is sent when it ends, and one that was cut is closed at the end', () => {
    const chunks = written(
      event('text-end', { messageId: 'm', blockId: 'whole', text: 'All of it.' }),
      event('text-delta', { messageId: 'm', blockId: 'cut', delta: 'Some' }),
    );
    expect(ofType(chunks, 'text-delta').map(({ delta }) => delta)).toEqual(['All of it.', 'Some']);
    expect(ofType(chunks, 'text-end').at(-1)?.providerMetadata).toMatchObject({ tailrace: { partial: true } });
  });

  test('a step waits for a text that goes on', () => {
    const chunks = written(
      step('1'),
      event('text-delta', { messageId: 'm', blockId: 'b', delta: 'One ' }),
      step('2'),
      event('text-delta', { messageId: 'm', blockId: 'b', delta: 'two' }),
      event('text-end', { messageId: 'm', blockId: 'b', text: 'One two' }),
      step('3'),
      ...text('c', 'Three'),
    );
    expect(ofType(chunks, 'start-step')).toHaveLength(2);
    expect(ofType(chunks, 'text-delta').map(({ delta }) => delta)).toEqual(['One ', 'two', 'Three']);
  });

  test('what a sub-agent says is no text of the answer', () => {
    const subagentId = 'helper';
    const chunks = written(
      event('text-delta', { messageId: 's', blockId: 'x', delta: 'I am ', subagentId }),
      event('text-end', { messageId: 's', blockId: 'x', text: 'I am a helper.', subagentId }),
      ...call('c', { subagentId }),
      callEnd('c'),
    );
    expect(ofType(chunks, 'text-start')).toEqual([]);
    expect(ofType(chunks, 'data-subagent')[0]).toMatchObject({
      id: 'x',
      data: { subagentId, kind: 'text', text: 'I am a helper.' },
    });
    expect(ofType(chunks, 'tool-input-available')[0]?.toolMetadata).toEqual({
      tailrace: { kind: 'execute', subagentId },
    });
  });

  test('the result of a turn is said when no text has said it', () => {
    const turn = (result: string): AgentStreamEvent =>
      event('turn-end', { turnId: result, outcome: 'success', result });
    const chunks = written(...text('b', 'Hello.'), turn('Hello.'), turn('Hello.'), turn('Compacted.'));
    expect(ofType(chunks, 'text-delta').map(({ delta }) => delta)).toEqual(['Hello.', 'Compacted.']);
  });
});

describe('calls', () => {
  test.each([
    ['success', {}, 'tool-output-available'],
    ['unknown', {}, 'tool-output-available'],
    ['unknown', { content: [], synthetic: true }, 'tool-output-error'],
    ['error', {}, 'tool-output-error'],
    ['cancelled', {}, 'tool-output-error'],
    ['denied', {}, 'tool-output-denied'],
    ['error', { error: { code: 'denied', message: 'No.' } }, 'tool-output-denied'],
  ])('one that ended with %s, %j: %s', (outcome, fields, type) => {
    const chunks = written(...call('c'), callEnd('c', { outcome, ...fields }));
    expect(typesOf(chunks)).toContain(type);
  });

  test('one that failed tells why, and what a text cannot hold', () => {
    const image = { type: 'image' as const, mediaType: 'image/png' };
    const chunks = written(
      ...call('c'),
      callEnd('c', { outcome: 'error', content: [{ type: 'text', text: 'No such file' }, image], exitCode: 2 }),
    );
    expect(ofType(chunks, 'tool-output-error')[0]).toMatchObject({
      errorText: 'No such file',
      toolMetadata: { tailrace: { outcome: 'error', exitCode: 2, content: [{ type: 'text' }, image] } },
    });
  });

  test('[T-21] what is asked about is what its part shows, also where that is another input than the call was made with', () => {
    const request = (requestId: string, command: string): AgentStreamEvent =>
      event('permission-request', { requestId, toolCallId: 'c', toolName: 'Bash', input: { command } });
    const shown = (...events: readonly AgentStreamEvent[]): unknown[] =>
      written(...events).flatMap((chunk) => {
        if (chunk.type === 'tool-input-available') return [chunk.input];
        return chunk.type === 'tool-approval-request' ? [chunk.approvalId] : [];
      });
    const ls = { command: 'ls' };
    const rm = { command: 'rm -rf ~' };
    expect(shown(...call('c'), request('r', 'ls'))).toEqual([ls, 'r']);
    expect(shown(...call('c'), request('r', 'rm -rf ~'), request('q', 'ls'))).toEqual([ls, rm, 'r', ls, 'q']);
    const asked = ofType(written(...call('c'), request('r', 'rm -rf ~')), 'tool-input-available').at(-1);
    expect(asked?.toolMetadata?.tailrace['calledWith'], 'nothing is lost').toEqual(ls);
    const [start, end] = call('c');
    if (!start || !end) throw new Error('no call');
    expect(shown(start, request('r', 'rm -rf ~'), end), 'asked before its input is whole').toEqual([rm, 'r']);
    expect(shown(start, request('r', 'rm -rf ~'), callEnd('c')), 'its input is never whole').toEqual([rm, 'r']);
    // The reader would make a second part of it.
    const late = written(step('1'), ...call('c'), step('2'), ...text('b', 'Well.'), request('r', 'rm -rf ~'));
    expect(ofType(late, 'tool-input-available').map(({ input }) => input)).toEqual([ls]);
    expect(ofType(late, 'data-permission').map(({ data }) => data.input)).toEqual([rm]);
  });

  test('one that was refused by a rule has an approval that says so', () => {
    const chunks = written(
      ...call('c'),
      callEnd('c', { outcome: 'denied', content: [{ type: 'text', text: 'Not here.' }] }),
    );
    expect(chunks.slice(-5, -1)).toMatchObject([
      { type: 'tool-approval-request', approvalId: 'c:rule', toolCallId: 'c', isAutomatic: true },
      { type: 'tool-approval-response', approvalId: 'c:rule', approved: false, reason: 'Not here.' },
      { type: 'tool-output-denied', toolCallId: 'c' },
      { type: 'finish-step' },
    ]);
  });

  test('a request is asked when the input is there, and answered once', () => {
    const options = [{ optionId: 'once', name: 'Once', kind: 'allow_once' as const }];
    const [begin, input] = call('c') as [AgentStreamEvent, AgentStreamEvent];
    const resolve = event('permission-resolve', { requestId: 'r', decision: 'allowed', by: 'user' });
    const chunks = written(
      begin,
      event('permission-request', { requestId: 'r', toolCallId: 'c', title: 'List?', reason: 'a rule', options }),
      input,
      resolve,
      resolve,
      callEnd('c'),
    );
    expect(typesOf(chunks).slice(2, -2)).toEqual([
      'tool-input-start',
      'tool-input-available',
      'tool-approval-request',
      'tool-approval-response',
      'tool-output-available',
    ]);
    expect(ofType(chunks, 'tool-approval-request')[0]).toEqual({
      type: 'tool-approval-request',
      approvalId: 'r',
      toolCallId: 'c',
      reason: 'a rule',
      approvalDescriptor: { title: 'List?', options },
    });
  });

  test('a request about no call of the message is a data part, and so is its answer', () => {
    const chunks = written(
      event('permission-request', { requestId: 'r', toolName: 'Edit' }),
      event('permission-resolve', { requestId: 'r', decision: 'denied', by: 'user' }),
    );
    expect(ofType(chunks, 'data-permission').map(({ id, data }) => [id, data.decision])).toEqual([
      ['r', undefined],
      ['r', 'denied'],
    ]);
  });

  test('output that grows is shown from its end, and costs a few times its bytes, however small its pieces', () => {
    const updates = Array.from({ length: 20_000 }, (_, at) =>
      event('tool-call-update', { toolCallId: 'c', outputDelta: `${at} `.padEnd(10) }),
    );
    const shown = ofType(written(...call('c'), ...updates, callEnd('c')), 'tool-output-available');
    const sent = shown.reduce((sum, chunk) => sum + JSON.stringify(chunk.output).length, 0);
    expect(sent).toBeLessThan(200_000 * 6);
    expect(shown.length).toBeGreaterThan(100);
    expect(shown.slice(0, -1).every(({ preliminary }) => preliminary === true)).toBe(true);
    expect(shown.at(-1)?.output).toEqual({ content: [{ type: 'text', text: 'a file' }] });
  });

  test('a key for which the reader would give up gets another name', () => {
    const input: unknown = JSON.parse('{"a":[{"__proto__":{"x":1}}],"constructor":{"prototype":{}},"b":1}');
    const chunks = written(event('tool-call-input-end', { toolCallId: 'c', input }));
    expect(JSON.stringify(ofType(chunks, 'tool-input-available')[0]?.input)).toBe(
      '{"a":[{"(__proto__)":{"x":1}}],"(constructor)":{"prototype":{}},"b":1}',
    );
  });
});

describe('what is taken back', () => {
  const retract = event('message-retract', { messageIds: ['m1'], reason: 'the model refused' });

  test('leaves the message when it is the whole step, and nothing more is told of it', () => {
    const chunks = written(
      step('1'),
      ...text('b1', 'Kept.', 'm0'),
      step('2'),
      event('text-delta', { messageId: 'm1', blockId: 'b2', delta: 'Taken' }),
      ...call('c1', { messageId: 'm1' }),
      retract,
      event('text-end', { messageId: 'm1', blockId: 'b2', text: 'Taken back' }),
      callEnd('c1'),
      ...text('b3', 'Taken too', 'm1'),
      ...text('b4', 'New.', 'm2'),
    );
    const after = chunks.slice(typesOf(chunks).indexOf('reset-step'));
    expect(ofType(after, 'text-delta').map(({ delta }) => delta)).toEqual(['New.']);
    expect(typesOf(after).filter((type) => type.startsWith('tool'))).toEqual([]);
    expect(ofType(after, 'data-retract')[0]?.data).toMatchObject({ reason: 'the model refused', isRemoved: true });
  });

  test('is named when something else of the step stays', () => {
    const chunks = written(...text('b1', 'Kept.', 'm0'), ...text('b2', 'Taken.', 'm1'), retract);
    expect(typesOf(chunks)).not.toContain('reset-step');
    expect(ofType(chunks, 'data-retract')[0]?.data).toMatchObject({ isRemoved: false, messageIds: ['m1'] });
    expect(ofType(chunks, 'text-start')[1]?.providerMetadata).toEqual({ tailrace: { blockId: 'b2', messageId: 'm1' } });
  });
});

describe('the end', () => {
  const error = { code: 'overloaded' as const, message: 'The API is overloaded.' };

  test('of a run that failed: everything is said before the error, at which a reader may stop', () => {
    const chunks = written(
      ...call('c'),
      event('error', { error, fatal: true }),
      event('turn-end', { turnId: 't', outcome: 'error', error }),
      event('session-end', { outcome: 'error', error, usage: { outputTokens: 3 } }),
    );
    expect(chunks.slice(-5)).toMatchObject([
      { type: 'tool-output-error' },
      { type: 'finish-step' },
      { type: 'message-metadata', messageMetadata: { usage: { outputTokens: 3 } } },
      { type: 'error', errorText: error.message },
      { type: 'finish', finishReason: 'error' },
    ]);
    expect(ofType(chunks, 'data-error')[0]?.data).toEqual({ error, fatal: true });
  });

  test('of one whose answer was a call: nothing is to be done for it', () => {
    const chunks = written(
      event('turn-end', { turnId: 't', outcome: 'success', stopReason: 'tool_use' }),
      event('session-end', { outcome: 'success' }),
    );
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  test('of one that was stopped, of one that nobody ended, and of events that failed', () => {
    expect(written(event('session-end', { outcome: 'cancelled' })).slice(-2)).toMatchObject([
      { type: 'abort' },
      { type: 'finish', finishReason: 'interrupted' },
    ]);
    expect(written(...text('b', 'Hm')).at(-1)).toEqual({
      type: 'finish',
      finishReason: 'interrupted',
      messageMetadata: {},
    });
    const writer = createUIMessageWriter({ messageId: 'mine' });
    expect(writer.end('It broke.')).toEqual([
      { type: 'start', messageId: 'mine' },
      { type: 'error', errorText: 'It broke.' },
      { type: 'finish', finishReason: 'error', messageMetadata: {} },
    ]);
    expect(writer.end()).toEqual([]);
    expect(writer.write(step('late'))).toEqual([]);
  });

  test.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['refusal', 'content-filter'],
    ['max_budget', 'other'],
    [undefined, 'stop'],
  ] as const)('of a turn that stopped by %s: %s', (stopReason, finishReason) => {
    const end = event('turn-end', { turnId: 't', outcome: 'success', ...(stopReason && { stopReason }) });
    expect(written(end).at(-1)).toMatchObject({ finishReason });
  });

  test('several turns are one message, and what they took is added up', () => {
    const turn = (turnId: string): AgentStreamEvent =>
      event('turn-end', {
        turnId,
        outcome: 'success',
        usage: { inputTokens: 2 },
        cost: { amount: 1, currency: 'USD' },
      });
    expect(written(turn('1'), turn('2')).at(-1)).toMatchObject({
      messageMetadata: { usage: { inputTokens: 4 }, cost: { amount: 2, currency: 'USD' } },
    });
  });
});

test('data parts take the place of those before, and what passes is not kept', () => {
  const chunks = written(
    event('todo-update', { entries: [{ content: 'one', status: 'pending' }] }),
    event('todo-update', { entries: [{ content: 'one', status: 'completed' }] }),
    event('task-start', { taskId: 'k', kind: 'agent', name: 'Explore', toolCallId: 'c' }),
    event('task-update', { taskId: 'k', lastToolName: 'Grep' }),
    event('task-end', { taskId: 'k', outcome: 'success', result: 'Found.' }),
    event('compaction-start', { compactionId: 'p' }),
    event('compaction-end', { compactionId: 'p', outcome: 'success', tokensBefore: 9 }),
    event('question-request', { requestId: 'q', message: 'Which?' }),
    event('question-resolve', { requestId: 'q', outcome: 'success', answer: 'this' }),
    event('file-change', { changes: [{ path: 'a', operation: 'add' }], outcome: 'success' }),
    event('file-change', { changes: [{ path: 'b', operation: 'add' }], outcome: 'success' }),
    event('retry-start', { attempt: 1 }),
    event('notice', { severity: 'info', title: 'By the way' }),
    event('raw', { reason: 'not_json', text: 'hello' }),
  );
  const kept = chunks.filter((chunk) => chunk.type.startsWith('data-') && !('transient' in chunk));
  expect(new Set(kept.map((chunk) => 'id' in chunk && `${chunk.type} ${chunk.id}`))).toEqual(
    new Set([
      'data-todo main',
      'data-task k',
      'data-compaction p',
      'data-question q',
      'data-file-change file-change:1',
      'data-file-change file-change:2',
    ]),
  );
  expect(ofType(chunks, 'data-task').at(-1)?.data).toEqual({
    taskId: 'k',
    kind: 'agent',
    name: 'Explore',
    toolCallId: 'c',
    lastToolName: 'Grep',
    status: 'success',
    result: 'Found.',
  });
  expect(ofType(chunks, 'data-question').at(-1)?.data).toMatchObject({ message: 'Which?', answer: 'this' });
  const passing = chunks.filter((chunk) => 'transient' in chunk);
  expect(typesOf(passing)).toEqual(['data-retry', 'data-notice', 'data-raw']);
});
