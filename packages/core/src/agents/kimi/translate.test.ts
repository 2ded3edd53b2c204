import { describe, expect, test } from 'vitest';
import { eventsOfMessages } from '../../../test/recordings.ts';
import type { AgentStreamEvent, EventOf, EventType } from '../../event/event.ts';
import { kimi } from './index.ts';

const VERSION = { role: 'meta', type: 'system.version', version: '2.1.0' };
const HINT = { role: 'meta', type: 'session.resume_hint', session_id: 's-1', command: 'kimi -r s-1' };

const call = (name: string, input: unknown = {}): unknown => ({
  role: 'assistant',
  tool_calls: [{ type: 'function', id: 'c-1', function: { name, arguments: JSON.stringify(input) } }],
});
const result = (content: string): unknown => ({ role: 'tool', tool_call_id: 'c-1', content });

function only<T extends EventType>(events: readonly AgentStreamEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

describe('a call', () => {
  test.each([
    ['Bash', 'boom\nCommand failed with exit code: 3.', { outcome: 'error', exitCode: 3 }],
    ['Bash', 'Process exited with code -1\nCommand failed with exit code: -1.', { outcome: 'error', exitCode: -1 }],
    ['Bash', 'start\nSession closed', { outcome: 'cancelled' }],
    ['Bash', 'start\nInterrupted by user', { outcome: 'cancelled' }],
    ['Bash', 'Command executed successfully.', { outcome: 'unknown' }],
    ['Read', 'Command failed with exit code: 3.', { outcome: 'unknown' }],
    ['Write', 'Tool "Write" was denied by permission policy.', { outcome: 'denied' }],
    ['Bash', 'Tool "Write" was denied by permission policy.', { outcome: 'unknown' }],
  ])('of %s that gives %j', (name, text, expected) => {
    const events = eventsOfMessages(kimi, [VERSION, call(name), result(text), HINT]);
    const { outcome, exitCode } = only(events, 'tool-call-end')[0] ?? {};
    expect({ outcome, ...(exitCode !== undefined && { exitCode }) }).toEqual(expected);
    expect(only(events, 'permission-resolve')).toHaveLength(expected.outcome === 'denied' ? 1 : 0);
  });

  test('that gives an image', () => {
    const parts = [
      { type: 'text', text: 'a cat' },
      { type: 'image_url', imageUrl: { url: 'data:image/png;base64,AAAA' } },
      { type: 'video_url', videoUrl: { url: 'file:///cat.mp4' } },
    ];
    const events = eventsOfMessages(kimi, [call('ReadMediaFile'), result(JSON.stringify(parts))]);
    expect(only(events, 'tool-call-end')[0]?.content).toEqual([
      { type: 'text', text: 'a cat' },
      { type: 'image', mediaType: 'image/png', uri: 'data:image/png;base64,AAAA' },
      { type: 'json', value: parts[2] },
    ]);
  });

  test('of a command whose output only looks like parts stays text', () => {
    const text = '[{"type":"text","text":"no"}]';
    const events = eventsOfMessages(kimi, [call('Bash'), result(text)]);
    expect(only(events, 'tool-call-end')[0]?.content).toEqual([{ type: 'text', text }]);
  });

  test('whose arguments were cut off keeps them as they are', () => {
    const cut = { type: 'function', id: 'c-1', function: { name: 'Bash', arguments: '{"command":"l' } };
    const events = eventsOfMessages(kimi, [{ role: 'assistant', tool_calls: [cut] }]);
    expect(only(events, 'tool-call-input-end')[0]?.input).toBe('{"command":"l');
  });
});

test('a todo list that was not understood is not taken over', () => {
  const listed = (text: string): unknown[] => {
    const todos = [{ title: 'one', status: 'nonsense' }];
    return only(eventsOfMessages(kimi, [call('TodoList', { todos }), result(text)]), 'todo-update');
  };
  expect(listed('Todo list updated.\nCurrent todo list:')).toHaveLength(1);
  expect(listed('Invalid args for tool "TodoList": /todos/0/status must be …')).toEqual([]);
});

describe('a sub-agent', () => {
  const brief = { prompt: 'Look around', description: 'Look', subagent_type: 'explore' };
  const ended = (text: string, input: object = brief) =>
    only(eventsOfMessages(kimi, [VERSION, call('Agent', input), result(text), HINT]), 'task-end')[0];

  test('is a task of the call that started it', () => {
    const [start] = only(eventsOfMessages(kimi, [call('Agent', brief)]), 'task-start');
    expect(start).toMatchObject({ kind: 'agent', name: 'explore', description: 'Look', toolCallId: 'c-1' });
  });

  test.each([
    ['agent_id: agent-0\nstatus: completed\n\n[summary]\nSeen.', { outcome: 'success', result: 'Seen.' }],
    ['agent_id: agent-0\nstatus: failed\n\nsubagent error: 401', { outcome: 'error', error: { message: '401' } }],
    ['subagent error: no such type', { outcome: 'error', error: { message: 'no such type' } }],
    ['Something else.', { outcome: 'unknown', result: 'Something else.' }],
  ])('that gives %j', (text, expected) => expect(ended(text)).toMatchObject(expected));

  test('in the background is not over with the call', () => {
    const text = 'task_id: agent-x\nstatus: running\nagent_id: agent-0\n';
    expect(ended(text, { ...brief, run_in_background: true })).toMatchObject({ outcome: 'unknown', synthetic: true });
  });
});

describe('a line about the run', () => {
  const retrying = {
    role: 'meta',
    type: 'turn.step.retrying',
    failed_attempt: 1,
    next_attempt: 2,
    max_attempts: 10,
    delay_ms: 512.3,
    error_name: 'status',
    error_message: 'Too many requests',
    status_code: 429,
  };

  test('a retry is told, and over with the answer', () => {
    const events = eventsOfMessages(kimi, [VERSION, retrying, { role: 'assistant', content: 'Hi.' }, HINT]);
    expect(only(events, 'retry-start')[0]).toMatchObject({
      attempt: 1,
      maxAttempts: 10,
      delayMs: 512.3,
      error: { code: 'rate_limit', httpStatus: 429, nativeCode: 'status', retryable: true },
    });
    expect(only(events, 'retry-end')[0]?.outcome).toBe('success');
    expect(only(events, 'session-end')[0]?.outcome).toBe('success');
  });

  test('a hook is no answer', () => {
    const content = 'UserPromptSubmit hook blocked\n\nNot on Fridays.';
    const events = eventsOfMessages(kimi, [VERSION, { role: 'assistant', content }], { code: 1 });
    expect(only(events, 'hook-end')[0]).toMatchObject({ outcome: 'denied', output: 'Not on Fridays.' });
    expect(only(events, 'text-end')).toEqual([]);
    expect(only(events, 'session-end')[0]?.outcome).toBe('error');
  });

  test.each([
    ['complete', 0, 'success'],
    ['blocked', 3, 'error'],
    ['paused', 6, 'error'],
  ])('a goal that is %s', (status, code, outcome) => {
    const goal = { type: 'goal.summary', goalId: 'g-1', status, reason: null, turnsUsed: 2, tokensUsed: 9 };
    const events = eventsOfMessages(kimi, [VERSION, { role: 'assistant', content: 'Hm.' }, goal, HINT], { code });
    expect(only(events, 'session-end')[0]?.outcome).toBe(outcome);
    expect(only(events, 'raw').map(({ reason }) => reason)).toEqual(['no_counterpart']);
  });
});

describe('detection', () => {
  test.each([VERSION, HINT, call('Bash'), result('x'), { type: 'goal.summary', goalId: null, status: 'active' }])(
    'one line is enough: %j',
    (line) => expect(kimi.detect([line])).toBeGreaterThanOrEqual(0.5),
  );

  test('a message of another agent is not its own', () => {
    expect(kimi.detect([{ type: 'assistant', message: { role: 'assistant', content: [] } }])).toBe(0);
    expect(kimi.detect([{ type: 'message', role: 'assistant', content: 'Hi.', delta: true }])).toBe(0);
  });
});
