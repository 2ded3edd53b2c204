import { describe, expect, test } from 'vitest';
import { eventsOfMessages, recordingsOf } from '../../../test/recordings.ts';
import type { AgentStreamEvent, EventOf, EventType } from '../../event/event.ts';
import { pi } from './index.ts';

const SESSION = { type: 'session', version: 3, id: 's-1', timestamp: '2026-11-15T06:57:50.982Z', cwd: '/home/dev' };
const START = [SESSION, { type: 'agent_start' }, { type: 'turn_start' }];
const SETTLED = { type: 'agent_settled' };
const USAGE = { input: 100, output: 20, cacheRead: 30, cacheWrite: 4, reasoning: 5, cost: { total: 0.5 } };

const user = (text: string): unknown => ({
  type: 'message_end',
  message: { role: 'user', content: text, timestamp: 5 },
});
const answer = (content: unknown, more: object = {}): Record<string, unknown> => ({
  role: 'assistant',
  content,
  model: 'm-1',
  usage: USAGE,
  stopReason: 'stop',
  timestamp: 7,
  responseId: 'r-1',
  ...more,
});
const whole = (content: unknown, more: object = {}): unknown => ({
  type: 'message_end',
  message: answer(content, more),
});
const piece = (type: string, more: object): unknown => ({
  type: 'message_update',
  usage: USAGE,
  assistantMessageEvent: { type, contentIndex: 0, ...more },
});
const failed = (errorMessage: string, content: unknown = []): unknown[] => [
  { type: 'message_start', message: answer([], { stopReason: 'pending', responseId: undefined }) },
  whole(content, { stopReason: 'error', errorMessage, usage: {} }),
];
const text = (value: string): unknown => [{ type: 'text', text: value }];

function only<T extends EventType>(events: readonly AgentStreamEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}
const unknown = (events: readonly AgentStreamEvent[]): unknown[] =>
  only(events, 'raw').filter(({ reason }) => reason !== 'no_counterpart');

describe('an answer', () => {
  test('that comes whole is told as if it had come in pieces', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', thinkingSignature: 'sig' },
      { type: 'text', text: 'Hi.' },
      { type: 'toolCall', id: 'c-1', name: 'read', arguments: { path: 'a.txt' } },
    ];
    const events = eventsOfMessages(pi, [...START, whole(content, { stopReason: 'toolUse' })]);
    expect(only(events, 'reasoning-end')[0]).toMatchObject({ text: 'Hm.', signature: 'sig' });
    expect(only(events, 'text-end')[0]?.text).toBe('Hi.');
    expect(only(events, 'tool-call-input-end')[0]).toMatchObject({ input: { path: 'a.txt' }, title: 'a.txt' });
    expect(only(events, 'step-end')[0]).toMatchObject({
      stopReason: 'tool_use',
      cost: { amount: 0.5, currency: 'USD' },
    });
  });

  test('counts caches as input and reasoning as output', () => {
    const events = eventsOfMessages(pi, [...START, whole(text('Hi.')), SETTLED]);
    expect(only(events, 'message-end')[0]?.usage).toEqual({
      inputTokens: 134,
      cacheReadTokens: 30,
      cacheWriteTokens: 4,
      outputTokens: 20,
      reasoningTokens: 5,
    });
  });

  test('is told once, though four lines have it', () => {
    const message = answer(text('Hi.'));
    const events = eventsOfMessages(pi, [
      ...START,
      { type: 'message_start', message: answer([{ type: 'text', text: '', index: 0 }], { stopReason: 'pending' }) },
      piece('start', {}),
      piece('text_start', {}),
      piece('text_delta', { delta: 'Hi.' }),
      piece('text_end', { content: 'Hi.' }),
      piece('done', { reason: 'stop' }),
      { type: 'message_end', message },
      { type: 'turn_end', message, toolResults: [] },
      { type: 'agent_end', messages: [message], willRetry: false },
      SETTLED,
    ]);
    expect(only(events, 'text-end').map((event) => event.text)).toEqual(['Hi.']);
    expect(only(events, 'turn-end')).toHaveLength(1);
    expect(unknown(events)).toEqual([]);
  });

  test.each([
    ['stop', 'success', 'end_turn'],
    ['length', 'success', 'max_tokens'],
    ['aborted', 'cancelled', 'cancelled'],
    ['error', 'error', 'error'],
    ['deferred', 'unknown', 'unknown'],
  ])('that stops by %s ends the turn as %s', (stopReason, outcome, ours) => {
    const events = eventsOfMessages(pi, [...START, whole(text('Hi.'), { stopReason }), SETTLED], { code: 0 });
    expect(only(events, 'turn-end')[0]).toMatchObject({ outcome, stopReason: ours });
    expect(only(events, 'session-end')[0]?.outcome).toBe(outcome);
  });

  test.each([
    ['refusal', 'refusal'],
    ['content_filter', 'content_filter'],
  ])('that the provider stopped by %s is no plain failure', (rawStopReason, stopReason) => {
    const refused = whole(text('I can'), { stopReason: 'error', rawStopReason, errorMessage: 'no' });
    const events = eventsOfMessages(pi, [...START, refused, SETTLED], { code: 0 });
    expect(only(events, 'message-end')[0]?.stopReason).toBe(stopReason);
    expect(only(events, 'turn-end')[0]).toMatchObject({
      outcome: 'error',
      stopReason,
      error: { code: 'content_filter', message: 'no' },
    });
  });

  test('of an older version ends with agent_end', () => {
    const events = eventsOfMessages(pi, [...START, whole(text('Hi.')), { type: 'agent_end', messages: [] }]);
    expect(only(events, 'turn-end').map(({ outcome }) => outcome)).toEqual(['success']);
  });
});

describe('a retry', () => {
  const retry = { type: 'auto_retry_start', attempt: 1, maxAttempts: 3, delayMs: 2, errorMessage: '529 Overloaded' };

  test('takes back what the failed answer said, and the calls it made', () => {
    const broken = [
      { type: 'text', text: 'I wi' },
      { type: 'toolCall', id: 'c-1', name: 'bash', arguments: {} },
    ];
    const events = eventsOfMessages(pi, [
      ...START,
      ...failed('terminated', broken),
      { type: 'agent_end', messages: [], willRetry: true },
      retry,
      { type: 'entry_appended', entry: { type: 'context_edit', targetId: 'e', replacement: null } },
      { type: 'agent_start' },
      whole(text('I will.')),
      { type: 'auto_retry_end', success: true, attempt: 1 },
      SETTLED,
    ]);
    const [first] = only(events, 'message-start');
    expect(only(events, 'message-retract')[0]).toMatchObject({ messageIds: [first?.messageId], toolCallIds: ['c-1'] });
    expect(only(events, 'text-end')[0]).toMatchObject({ text: 'I wi', partial: true });
    expect(only(events, 'tool-call-end')[0]?.outcome).toBe('cancelled');
    expect(only(events, 'retry-end').map(({ outcome }) => outcome)).toEqual(['success']);
    expect(only(events, 'turn-end').map(({ outcome }) => outcome)).toEqual(['success']);
    expect(only(events, 'error')).toEqual([]);
  });

  test('that was the last ends in the error', () => {
    const events = eventsOfMessages(pi, [
      ...START,
      ...failed('529 Overloaded'),
      retry,
      { type: 'auto_retry_end', success: false, attempt: 1, finalError: '529 Overloaded' },
      SETTLED,
    ]);
    expect(only(events, 'retry-end').map(({ outcome }) => outcome)).toEqual(['error']);
    expect(only(events, 'turn-end')[0]).toMatchObject({ outcome: 'error', error: { code: 'overloaded' } });
  });
});

describe('a call', () => {
  const run = (toolName: string, args: object, result: unknown, isError: boolean): AgentStreamEvent[] =>
    eventsOfMessages(pi, [
      ...START,
      { type: 'tool_execution_start', toolCallId: 'c-1', toolName, args },
      { type: 'tool_execution_end', toolCallId: 'c-1', toolName, result, isError },
    ]);

  test('of edit shows its patch', () => {
    const details = { diff: ' 1 a', patch: '--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n', firstChangedLine: 1 };
    const events = run('edit', { path: 'a.txt', edits: [] }, { content: text('ok'), details }, false);
    expect(only(events, 'file-change')[0]?.changes).toEqual([
      { path: 'a.txt', operation: 'modify', patch: '@@ -1 +1 @@\n-a\n+b', linesAdded: 1, linesRemoved: 1 },
    ]);
  });

  test('of write shows the file, unless it failed', () => {
    const input = { path: 'a.txt', content: 'a\n' };
    expect(only(run('write', input, { content: text('ok') }, false), 'file-change')[0]?.changes).toEqual([
      { path: 'a.txt', operation: 'modify', newText: 'a\n' },
    ]);
    expect(only(run('write', input, { content: text('EACCES') }, true), 'file-change')).toEqual([]);
  });

  test.each([
    ['fly', 'tool_not_found', 'Tool fly not found'],
    ['read', 'invalid_input', 'Validation failed for tool "read":\n  - path: must have required properties path'],
    ['write', 'invalid_input', 'Tool call "write" was not executed: the response hit the output token limit'],
    ['bash', 'timeout', 'half\n\nCommand timed out after 1 seconds'],
    ['bash', 'unknown', 'Dangerous command blocked (no UI for confirmation)'],
    ['read', 'unknown', 'ENOENT: no such file'],
  ])('of %s that fails says why: %s', (name, code, message) => {
    const events = run(name, {}, { content: text(message), details: {} }, true);
    expect(only(events, 'tool-call-end')[0]).toMatchObject({ outcome: 'error', error: { code, message } });
  });

  test('of a command that fails has its exit code and no sentence, for the output is no reason', () => {
    const events = run('bash', {}, { content: text('out\n\nCommand exited with code 3'), details: {} }, true);
    const [end] = only(events, 'tool-call-end');
    expect(end).toMatchObject({ outcome: 'error', exitCode: 3 });
    expect(end?.error).toBeUndefined();
  });

  test('whose execution nobody saw ends with its message', () => {
    const call = { type: 'toolCall', id: 'c-1', name: 'read', arguments: {} };
    const result = { role: 'toolResult', toolCallId: 'c-1', toolName: 'read', content: text('x'), isError: false };
    const events = eventsOfMessages(pi, [...START, whole([call]), { type: 'message_end', message: result }]);
    expect(only(events, 'tool-call-end')[0]).toMatchObject({ outcome: 'success', toolCallId: 'c-1' });
  });
});

describe('lines known by their types', () => {
  test('compaction', () => {
    const events = eventsOfMessages(pi, [
      ...START,
      { type: 'compaction_start', reason: 'threshold' },
      { type: 'summarization_retry_scheduled', attempt: 1, maxAttempts: 3, delayMs: 9, errorMessage: '500' },
      { type: 'summarization_retry_attempt_start', source: 'compaction', reason: 'threshold' },
      { type: 'summarization_retry_finished' },
      {
        type: 'compaction_end',
        reason: 'threshold',
        result: { summary: 'Short.', tokensBefore: 900, estimatedTokensAfter: 90, usage: USAGE },
        aborted: false,
        willRetry: false,
      },
      { type: 'compaction_start', reason: 'overflow' },
      { type: 'compaction_end', reason: 'overflow', aborted: false, willRetry: false, errorMessage: 'No.' },
    ]);
    expect(only(events, 'compaction-end')).toMatchObject([
      { outcome: 'success', trigger: 'auto', tokensBefore: 900, tokensAfter: 90, summary: 'Short.' },
      { outcome: 'error', trigger: 'overflow' },
    ]);
    expect(only(events, 'usage-update')[0]).toMatchObject({ scope: 'step', usage: { inputTokens: 134 } });
    expect(only(events, 'retry-end')[0]?.outcome).toBe('unknown');
    expect(unknown(events)).toEqual([]);
  });

  test('what the user says after the prompt steers', () => {
    const custom = { role: 'custom', customType: 'note', content: 'Mind the gap.', display: true };
    const events = eventsOfMessages(pi, [
      ...START,
      user('Go.'),
      user('Faster.'),
      { type: 'message_end', message: custom },
      whole(text('Done.')),
      SETTLED,
      { type: 'agent_start' },
      user('Again.'),
    ]);
    expect(only(events, 'user-message').map(({ origin }) => origin)).toEqual([
      'prompt',
      'steering',
      'injected',
      'prompt',
    ]);
  });

  test('tools come and go', () => {
    const system = (more: object): unknown => ({
      type: 'message_end',
      message: { role: 'system', content: '', ...more },
    });
    const events = eventsOfMessages(pi, [
      ...START,
      system({ toolsAdded: [{ name: 'read' }, { name: 'bash' }] }),
      system({ toolsRemoved: ['bash'], toolsAdded: [{ name: 'ls' }] }),
    ]);
    expect(only(events, 'session-update').map(({ tools }) => tools)).toEqual([
      ['read', 'bash'],
      ['read', 'ls'],
    ]);
  });

  test.each([
    { type: 'queue_update', steering: ['a'], followUp: [] },
    { type: 'session_info_changed', name: 'A title' },
    { type: 'session_info_changed' },
    { type: 'thinking_level_changed', level: 'high' },
    { type: 'bash_execution_update', delta: 'x' },
    { type: 'entry_appended', entry: { type: 'custom', customType: 'x', data: {} } },
    { type: 'entry_appended', entry: { type: 'usage', kind: 'cache_warm', model: 'm-1', usage: USAGE } },
    { type: 'message_end', message: { role: 'bashExecution', command: 'ls', output: '', timestamp: 1 } },
    { type: 'message_end', message: { role: 'compactionSummary', summary: 'x', tokensBefore: 1, timestamp: 1 } },
  ])('%j is known, and recognised', (line) => {
    expect(unknown(eventsOfMessages(pi, [...START, line]))).toEqual([]);
    expect(pi.detect([line])).toBeGreaterThanOrEqual(0.5);
  });
});

test.each([
  [{ code: 143 }, 'cancelled'],
  [{ code: 129 }, 'cancelled'],
  [{ signal: 'SIGINT' }, 'cancelled'],
  [{ code: 1 }, 'error'],
  [{ code: 0 }, 'unknown'],
])('a run left open that ends with %j is %s', (exit, outcome) => {
  expect(only(eventsOfMessages(pi, START, exit), 'session-end')[0]?.outcome).toBe(outcome);
});

test('is started with the prompt on stdin', () => {
  expect(pi.command?.({ prompt: '@a --help', model: 'x/y', resume: 's-1', approveAll: true })).toMatchObject({
    program: 'pi',
    args: ['--mode', 'json', '--model', 'x/y', '--session', 's-1'],
    stdin: '@a --help',
  });
});

describe('detection', () => {
  const linesOf = (agent: string): unknown[] =>
    recordingsOf(agent).flatMap(({ bytes }) =>
      Buffer.from(bytes)
        .toString()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line)),
    );

  test('each of its lines is enough', () => {
    expect(linesOf('pi').filter((line) => pi.detect([line]) < 0.5)).toEqual([]);
  });

  test.each(['codex', 'copilot', 'gemini', 'goose', 'grok', 'kimi', 'opencode', 'qwen'])(
    'no line of %s is its own',
    (agent) => {
      expect(linesOf(agent).filter((line) => pi.detect([line]) > 0)).toEqual([]);
    },
  );
});

test('an answer that is told twice counts once, and output of a call that nobody knows is kept', () => {
  const said = whole(text('Hi.'));
  const events = eventsOfMessages(pi, [...START, said, said, SETTLED]);
  expect(only(events, 'message-end')).toHaveLength(1);
  const update = { type: 'tool_execution_update', toolCallId: 'zz', partialResult: { content: text('lost?') } };
  expect(only(eventsOfMessages(pi, [...START, update]), 'raw')).toMatchObject([{ reason: 'no_counterpart' }]);
});
