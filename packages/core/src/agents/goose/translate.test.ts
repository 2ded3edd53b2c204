import { describe, expect, test } from 'vitest';
import { eventsOfMessages, recordingsOf } from '../../../test/recordings.ts';
import type { AgentStreamEvent, EventOf, EventType } from '../../event/event.ts';
import { goose } from './index.ts';

const metadata = { userVisible: true, agentVisible: true };
const message = (id: string | null, ...content: unknown[]): unknown => ({
  type: 'message',
  message: { id, role: 'assistant', created: 1794726264, content, metadata },
});
const fromUser = (...content: unknown[]): unknown => ({
  type: 'message',
  message: { id: 'u-1', role: 'user', created: 1794726264, content, metadata },
});
const text = (value: string): unknown => ({ type: 'text', text: value });
const request = (name: string, input?: unknown, extension = 'developer'): unknown => ({
  type: 'toolRequest',
  id: 'c-1',
  toolCall: { status: 'success', value: { name, arguments: input } },
  _meta: { goose_extension: extension },
});
const response = (toolResult: unknown): unknown => fromUser({ type: 'toolResponse', id: 'c-1', toolResult });
const ok = (value: string, more: object = {}): unknown =>
  response({ status: 'success', value: { content: [text(value)], ...more } });
const COMPLETE = { type: 'complete', total_tokens: 30, input_tokens: 20, output_tokens: 10 };

function only<T extends EventType>(events: readonly AgentStreamEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}
const endOf = (...messages: unknown[]): EventOf<'turn-end'> | undefined =>
  only(eventsOfMessages(goose, messages), 'turn-end')[0];

describe('how a turn ended', () => {
  test.each([
    ['Ran into this error: Rate limit exceeded: slow down.\n\nPlease retry if you think …', 'rate_limit', 'error'],
    ['Ran into this error: Context length exceeded: 9 > 8.\n\nPlease retry if …', 'context_full', 'context_full'],
    ['Ran into this error: Credits exhausted: buy more.\n\nPlease retry if …', 'billing', 'error'],
    ['Ran into this error: Network error: refused.\n\nPlease retry if …', 'network', 'error'],
    ['Ran into this error: Endpoint not found (404): nope.\n\nPlease retry if …', 'model_not_found', 'error'],
    ["I've reached the maximum number of actions I can do without user input.", 'max_turns', 'max_turn_requests'],
    ['Unable to continue: Context limit still exceeded after compaction.', 'context_full', 'context_full'],
    ['Error: connection reset\n\nPlease resend your message to try again.', 'network', 'error'],
    ['Maximum retry attempts (3) exceeded. Unable to complete the task successfully.', 'unknown', 'error'],
  ])('goose says %j', (said, code, stopReason) => {
    const events = eventsOfMessages(goose, [message(null, text(said)), { ...COMPLETE, total_tokens: null }]);
    expect(only(events, 'turn-end')[0]).toMatchObject({ outcome: 'error', stopReason, error: { code } });
    expect(only(events, 'error')).toHaveLength(1);
    expect(only(events, 'text-end')).toEqual([]);
  });

  test('a model may say what goose says', () => {
    const events = eventsOfMessages(goose, [
      message('m-1', text('See: ')),
      message('m-1', text('Ran into this error: none')),
      message('m-2', text('Error: is a word')),
      COMPLETE,
    ]);
    expect(only(events, 'text-end').map((event) => event.text)).toEqual([
      'See: Ran into this error: none',
      'Error: is a word',
    ]);
    expect(only(events, 'turn-end')[0]?.outcome).toBe('success');
  });

  test('a call without a result, or a result without an answer, was interrupted', () => {
    expect(endOf(message('m-1', request('shell')), COMPLETE)?.outcome).toBe('cancelled');
    expect(endOf(message('m-1', request('shell')), ok('x'), COMPLETE)?.outcome).toBe('cancelled');
    expect(endOf(message('m-1', request('shell')), ok('x'), message('m-2', text('Hi.')), COMPLETE)?.outcome).toBe(
      'success',
    );
  });

  test('a count and no answer: the model had nothing to say', () => {
    const empty = { outcome: 'error', error: { message: 'the model gave no answer' } };
    expect(endOf(COMPLETE)).toMatchObject(empty);
    expect(endOf(message('m-1', { type: 'thinking', thinking: 'Hm.', signature: '' }), COMPLETE)).toMatchObject(empty);
    expect(endOf({ ...COMPLETE, total_tokens: null })?.outcome).toBe('unknown');
  });

  test('a thought after the words takes nothing back', () => {
    const thought = { type: 'thinking', thinking: 'Hm.', signature: '' };
    expect(endOf(message('m-1', text('Hi.')), message('m-1', thought), COMPLETE)?.outcome).toBe('success');
  });

  test('a command to goose itself needs no model', () => {
    const command = fromUser(text('/prompts'));
    const uncounted = { type: 'complete', total_tokens: null };
    expect(endOf(command, message(null, text('No prompts available.\n')), uncounted)?.outcome).toBe('success');
    expect(endOf(command, message('m-1', text('Hi')), uncounted)?.outcome).toBe('unknown');
    expect(endOf(command, message(null, text('Error: no such prompt')), uncounted)?.outcome).toBe('error');
  });

  test('money that has run out is told once', () => {
    const unpaid = { type: 'systemNotification', notificationType: 'creditsExhausted', msg: 'Please add credits.' };
    const events = eventsOfMessages(goose, [message(null, unpaid), { type: 'complete', total_tokens: null }]);
    expect(only(events, 'error')).toMatchObject([{ error: { code: 'billing' } }]);
    expect(only(events, 'turn-end')).toMatchObject([{ outcome: 'error', error: { code: 'billing' } }]);
  });

  test('a compaction is over when the model goes on, and may not have been enough', () => {
    const notice = (msg: string): unknown =>
      message(null, { type: 'systemNotification', notificationType: 'inlineMessage', msg });
    const full = notice('Context limit reached. Compacting to continue conversation...');
    const on = eventsOfMessages(goose, [full, message('m-1', text('Hi.')), COMPLETE]);
    expect(only(on, 'compaction-end')).toMatchObject([{ outcome: 'success' }]);
    expect(on.findIndex((e) => e.type === 'compaction-end')).toBeLessThan(on.findIndex((e) => e.type === 'step-start'));
    const still = notice('Unable to continue: Context limit still exceeded after compaction. Try using …');
    expect(endOf(full, still, COMPLETE)).toMatchObject({ outcome: 'error', error: { code: 'context_full' } });
  });

  test('an answer that nobody counted may have been cut', () => {
    expect(endOf(message('m-1', text('Hi')), { type: 'complete', total_tokens: null })?.outcome).toBe('unknown');
  });

  test.each([[[]], [[{ type: 'complete', total_tokens: null }]]])(
    'a line of type error ends it, followed by %j',
    (rest) => {
      const broken = { type: 'error', error: 'Server error: 500' };
      const events = eventsOfMessages(goose, [message('m-1', text('Hi')), broken, ...rest]);
      expect(only(events, 'turn-end')).toMatchObject([{ outcome: 'error', error: { code: 'server' } }]);
      expect(only(events, 'session-end')[0]?.outcome).toBe('error');
    },
  );

  test('an object behind a sentence is read', () => {
    const glued = `Yes — what would you like me to do?${JSON.stringify(COMPLETE)}`;
    const events = eventsOfMessages(goose, [message('m-1', request('shell')), glued]);
    expect(only(events, 'usage-update')[0]).toMatchObject({ scope: 'session', usage: { inputTokens: 20 } });
    expect(only(events, 'session-end')[0]?.outcome).toBe('cancelled');
  });
});

describe('a call', () => {
  const run = (call: unknown, result: unknown): AgentStreamEvent[] =>
    eventsOfMessages(goose, [message('m-1', call), result]);

  test('that could not be read has no name', () => {
    const call = {
      type: 'toolRequest',
      id: 'c-1',
      toolCall: { status: 'error', error: '-32602: could not be parsed' },
    };
    const events = run(call, response({ status: 'error', error: '-32602: could not be parsed' }));
    expect(only(events, 'tool-call-start')[0]).toMatchObject({ toolName: 'unknown', kind: 'other' });
    expect(only(events, 'tool-call-end')[0]).toMatchObject({
      outcome: 'error',
      error: { code: 'invalid_input', nativeCode: '-32602' },
      content: [{ type: 'text', text: '-32602: could not be parsed' }],
    });
  });

  test('that took too long', () => {
    const late = { isError: true, structuredContent: { stdout: 'a', stderr: '', timed_out: true } };
    const events = run(request('shell', { command: 'sleep 9' }), ok('a\n\nCommand timed out after 1 seconds', late));
    expect(only(events, 'tool-call-end')[0]).toMatchObject({ outcome: 'error', error: { code: 'timeout' } });
  });

  test('of a tool that there is not', () => {
    const events = run(
      request('fly'),
      response({ status: 'error', error: "-32002: Tool 'fly' not found. Available: []" }),
    );
    expect(only(events, 'tool-call-end')[0]).toMatchObject({ outcome: 'error', error: { code: 'tool_not_found' } });
  });

  test.each([
    ['The user has declined to run this tool. DO NOT attempt to call this tool again.', 'user'],
    ['Tool call was denied.', 'unknown'],
    ['Let the user know the tool call was skipped in goose chat mode. …', 'policy'],
  ])('that was refused: %j', (said, by) => {
    const events = run(request('write', { path: 'a', content: 'b' }), ok(said));
    expect(only(events, 'tool-call-end')[0]?.outcome).toBe('denied');
    expect(only(events, 'permission-resolve')[0]).toMatchObject({ toolCallId: 'c-1', decision: 'denied', by });
    expect(only(events, 'file-change')).toEqual([]);
  });

  test('that was killed has no exit code', () => {
    const [end] = only(
      run(request('shell'), ok('x', { structuredContent: { exit_code: null }, isError: true })),
      'tool-call-end',
    );
    expect(end?.outcome).toBe('error');
    expect(end).not.toHaveProperty('exitCode');
  });

  test.each([
    ['shell', 'developer', 'execute', undefined],
    ['developer__shell', 'developer', 'execute', undefined],
    ['delegate', 'summon', 'think', undefined],
    ['weather__today', 'weather', 'other', { server: 'weather', tool: 'today' }],
    ['today', 'weather', 'other', { server: 'weather', tool: 'today' }],
  ])('of %s from %s', (name, extension, kind, mcp) => {
    const [start] = only(eventsOfMessages(goose, [message('m-1', request(name, {}, extension))]), 'tool-call-start');
    expect(start).toMatchObject({ toolName: name, kind });
    expect(start?.mcp).toEqual(mcp);
  });

  test('tells what it is doing', () => {
    const events = eventsOfMessages(goose, [
      message('m-1', request('delegate', null, 'summon')),
      { type: 'notification', extension_id: 'c-1', log: { message: '[subagent:1] shell' } },
      { type: 'notification', extension_id: 'c-1', progress: { progress: 1, total: 2, message: 'Half' } },
      { type: 'notification', extension_id: 'other', log: { message: 'Hello' } },
      { type: 'notification', extension_id: 'other', progress: { progress: 1, total: null, message: null } },
    ]);
    expect(only(events, 'tool-call-update')).toMatchObject([
      { outputDelta: '[subagent:1] shell\n' },
      { title: 'Half' },
    ]);
    expect(only(events, 'notice')[0]?.title).toBe('Hello');
    expect(only(events, 'raw').map(({ reason }) => reason)).toEqual(['no_counterpart']);
  });
});

describe('parts known by their types', () => {
  test('thinking in pieces is one block, signed by its last', () => {
    const thinking = (value: string, signature = ''): unknown =>
      message('m-1', { type: 'thinking', thinking: value, signature });
    const events = eventsOfMessages(goose, [
      thinking('One, '),
      thinking('two.'),
      thinking('', 'sig'),
      message('m-1', { type: 'redactedThinking', data: 'xx' }),
      message('m-1', text('Three.')),
      COMPLETE,
    ]);
    expect(only(events, 'reasoning-end')).toMatchObject([
      { text: 'One, two.', signature: 'sig' },
      { text: '', form: 'redacted' },
    ]);
    expect(only(events, 'message-start')).toHaveLength(1);
  });

  test('compaction', () => {
    const said = (msg: string, notificationType = 'inlineMessage'): unknown =>
      message(null, { type: 'systemNotification', notificationType, msg });
    const events = eventsOfMessages(goose, [
      said('Exceeded auto-compact threshold of 80%. Performing auto-compaction...'),
      said('goose is compacting the conversation...', 'thinkingMessage'),
      said('Compaction complete'),
      said('Something else'),
      message('m-1', text('Hi.')),
      COMPLETE,
    ]);
    expect(only(events, 'compaction-start')).toMatchObject([{ trigger: 'auto' }]);
    expect(only(events, 'compaction-end')).toMatchObject([{ outcome: 'success' }]);
    expect(only(events, 'notice').map(({ title }) => title)).toEqual(['Something else']);
    expect(only(events, 'turn-end')[0]?.outcome).toBe('success');
  });

  test('no money left', () => {
    const msg = 'Please add credits to your account, then resend your message to continue.';
    const part = { type: 'systemNotification', notificationType: 'creditsExhausted', msg };
    expect(endOf(message(null, part), { type: 'complete', total_tokens: null })).toMatchObject({
      outcome: 'error',
      error: { code: 'billing' },
    });
  });

  test('what is asked of the host', () => {
    const data = { actionType: 'toolConfirmation', id: 'c-1', toolName: 'shell', arguments: {}, prompt: null };
    const question = { actionType: 'elicitation', id: 'q-1', message: 'Which?', requested_schema: {} };
    const events = eventsOfMessages(goose, [
      message('m-1', request('shell')),
      message(null, { type: 'actionRequired', data }),
      ok('x'),
      message(null, { type: 'actionRequired', data: question }),
      fromUser({ type: 'actionRequired', data: { actionType: 'elicitationResponse', id: 'q-1', user_data: { a: 1 } } }),
    ]);
    expect(only(events, 'permission-request')[0]).toMatchObject({
      requestId: 'c-1',
      toolCallId: 'c-1',
      toolName: 'shell',
    });
    expect(only(events, 'permission-resolve')[0]).toMatchObject({ requestId: 'c-1', decision: 'allowed' });
    expect(only(events, 'question-request')[0]).toMatchObject({ requestId: 'q-1', message: 'Which?' });
    expect(only(events, 'question-resolve')[0]).toMatchObject({ answer: { a: 1 }, outcome: 'success' });
  });

  test('what is for the model alone is not shown as text', () => {
    const hidden = {
      id: null,
      role: 'assistant',
      created: 1,
      content: [text('Secret.')],
      metadata: { userVisible: false },
    };
    const events = eventsOfMessages(goose, [{ type: 'message', message: hidden }, fromUser(text('Context.'))]);
    expect(only(events, 'text-end')).toEqual([]);
    expect(only(events, 'user-message')[0]?.origin).toBe('injected');
  });

  test.each([
    { type: 'image', data: 'AA', mimeType: 'image/png' },
    { type: 'reasoning', text: 'x' },
    { type: 'conversationCompacted', msg: 'x' },
    { type: 'frontendToolRequest', id: 'f-1', toolCall: { status: 'success', value: { name: 'x' } } },
    { type: 'toolConfirmationRequest', id: 't-1', toolName: 'x', arguments: {}, prompt: null },
  ])('%j is known', (part) => {
    const raw = only(eventsOfMessages(goose, [message('m-1', part)]), 'raw');
    expect(raw.filter(({ reason }) => reason !== 'no_counterpart')).toEqual([]);
  });

  test('one that nobody knows is kept', () => {
    const part = { type: 'hologram', data: 1 };
    expect(only(eventsOfMessages(goose, [message('m-1', part)]), 'raw')[0]).toMatchObject({
      reason: 'unknown_block',
      nativeType: 'hologram',
      value: part,
    });
  });
});

test('later versions tell caches and cost', () => {
  const complete = { ...COMPLETE, cache_read_input_tokens: 5, cache_write_input_tokens: 1, cost_usd: 0.25 };
  const events = eventsOfMessages(goose, [message('m-1', text('Hi.')), complete]);
  expect(only(events, 'usage-update')[0]).toMatchObject({
    usage: { inputTokens: 20, cacheReadTokens: 5, cacheWriteTokens: 1, outputTokens: 10 },
    cost: { amount: 0.25, currency: 'USD' },
  });
});

test('is started with the prompt on stdin', () => {
  expect(goose.command?.({ prompt: '-x', resume: '20261115_1', approveAll: true })).toMatchObject({
    args: [
      'run',
      '--quiet',
      '--output-format',
      'stream-json',
      '--resume',
      '--session-id=20261115_1',
      '--instructions=-',
    ],
    stdin: '-x',
    env: { GOOSE_MODE: 'auto' },
  });
  expect(goose.command?.({ prompt: '-x' })).not.toHaveProperty('env');
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
    const more = [
      { type: 'notification', extension_id: 'x', log: { message: 'x' } },
      { type: 'error', error: 'x' },
    ];
    expect([...linesOf('goose'), ...more].filter((line) => goose.detect([line]) < 0.5)).toEqual([]);
  });

  test.each(['codex', 'copilot', 'gemini', 'grok', 'kimi', 'opencode', 'pi', 'qwen'])(
    'no line of %s is its own',
    (agent) => {
      expect(linesOf(agent).filter((line) => goose.detect([line]) > 0)).toEqual([]);
    },
  );
});

describe('a sub-agent', () => {
  const delegate = (input: unknown): unknown => message('m-1', request('delegate', input, 'summon'));
  const _meta = { subagent_session_id: '20261115_2' };

  test('that the call waits for', () => {
    const events = eventsOfMessages(goose, [delegate({ instructions: 'Look.' }), ok('Seen.', { _meta })]);
    expect(only(events, 'task-start')).toMatchObject([{ kind: 'agent', prompt: 'Look.', toolCallId: 'c-1' }]);
    expect(only(events, 'task-end')).toMatchObject([{ outcome: 'success', result: 'Seen.' }]);
  });

  test('that failed says so, though the call did not', () => {
    const said = 'Ran into this error: Authentication error: no key.\n\nPlease retry if …';
    const events = eventsOfMessages(goose, [delegate({ source: 'helper' }), ok(said, { _meta })]);
    expect(only(events, 'tool-call-end')[0]?.outcome).toBe('success');
    expect(only(events, 'task-end')).toMatchObject([{ outcome: 'error', error: { code: 'authentication' } }]);
  });

  test.each([
    ['✓ Completed', 'success'],
    ['✗ Failed', 'error'],
    ['⏹ Cancelled', 'unknown'],
  ])('in the background: %s', (status, outcome) => {
    const load = message('m-2', request('load', { source: '20261115_2' }, 'summon'));
    const told = `# Background Task Result: 20261115_2\n\n**Task:** Look.\n**Status:** ${status}\n\n## Output\n\nSeen.`;
    const start = [delegate({ instructions: 'Look.', async: true }), ok('Task 20261115_2 started', { _meta })];
    const events = eventsOfMessages(goose, [...start, load, ok(told, { _meta })]);
    expect(only(events, 'task-start')).toMatchObject([{ background: true, prompt: 'Look.', toolCallId: 'c-1' }]);
    expect(only(events, 'task-end')).toMatchObject([{ outcome, result: 'Seen.' }]);
  });

  test('that never began', () => {
    const failed = ok("Error: Must provide 'instructions' or 'source'", { isError: true });
    expect(only(eventsOfMessages(goose, [delegate({}), failed]), 'task-end')).toMatchObject([{ outcome: 'error' }]);
    expect(only(eventsOfMessages(goose, [delegate({ async: true }), failed]), 'task-start')).toEqual([]);
  });
});

test('a call that was asked about and refused is denied, once', () => {
  const asks = message('m-2', {
    type: 'actionRequired',
    data: { actionType: 'toolConfirmation', id: 'c-1', toolName: 'shell', arguments: {} },
  });
  const declined = 'The user has declined to run this tool. DO NOT attempt to call it again.';
  const refused = response({ status: 'success', value: { content: [text(declined)], isError: false } });
  const events = eventsOfMessages(goose, [message('m-1', request('shell', {})), asks, refused, COMPLETE]);
  expect(only(events, 'permission-resolve')).toMatchObject([{ requestId: 'c-1', decision: 'denied' }]);
  expect(only(events, 'tool-call-end')).toMatchObject([{ outcome: 'denied' }]);
});
