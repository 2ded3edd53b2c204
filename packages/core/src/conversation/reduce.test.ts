import { describe, expect, test } from 'vitest';
import { event, partsIn, reduceAll } from '../../test/conversations.ts';
import type { AgentStreamEvent, EventOf, Outcome } from '../event/event.ts';
import type { Call, Conversation, Part } from './conversation.ts';
import { callById, contextOf, openRequests, partsOf, view } from './select.ts';

const shown = (events: readonly AgentStreamEvent[], subagentId?: string): readonly Part[] =>
  partsOf(reduceAll(events), subagentId);
const only = (events: readonly AgentStreamEvent[]): Part => {
  const parts = partsIn(reduceAll(events));
  expect(parts).toHaveLength(1);
  return parts[0] as Part;
};

const textStart = (id: string, more: object = {}) => event('text-start', { messageId: 'm', blockId: id, ...more });
const textDelta = (id: string, delta: string) => event('text-delta', { messageId: 'm', blockId: id, delta });
const textEnd = (id: string, text: string, more: object = {}) =>
  event('text-end', { messageId: 'm', blockId: id, text, ...more });
const callStart = (id: string, more: object = {}) =>
  event('tool-call-start', { toolCallId: id, toolName: 'Bash', kind: 'execute', ...more });
const inputEnd = (id: string, more: object = {}) =>
  event('tool-call-input-end', { toolCallId: id, input: { command: 'ls' }, ...more });
const callEnd = (id: string, outcome: Outcome = 'success', more: object = {}) =>
  event('tool-call-end', { toolCallId: id, toolName: 'Bash', outcome, content: [], ...more });
const turnEnd = (more: object = {}) => event('turn-end', { turnId: 't', outcome: 'success', ...more });

describe('text', () => {
  test('grows and is whole', () => {
    expect(only([textStart('a'), textDelta('a', 'Hel'), textDelta('a', 'lo')])).toMatchObject({
      type: 'text',
      text: 'Hello',
      streaming: true,
    });
    const whole = only([textStart('a'), textDelta('a', 'Hel'), textEnd('a', 'Hello', { partial: true })]);
    expect(whole).toMatchObject({ text: 'Hello', partial: true, messageId: 'm' });
    expect(whole).not.toHaveProperty('streaming');
  });

  test('is there without its start, and what comes after its end is too late', () => {
    expect(only([textDelta('a', 'x')])).toMatchObject({ text: 'x', streaming: true });
    expect(only([textEnd('a', 'x', { time: 3 })])).toMatchObject({ text: 'x', time: 3 });
    expect(only([textEnd('a', 'x'), textDelta('a', 'y'), textStart('a', { time: 7 })])).toMatchObject({
      text: 'x',
      time: 7,
    });
  });

  test('that a line told is not taken from it by an end that no line told', () => {
    const cut = textEnd('a', '', { synthetic: true, partial: true });
    expect(only([textEnd('a', 'all of it'), cut])).toMatchObject({ text: 'all of it' });
    expect(only([textDelta('a', 'all'), cut, textEnd('a', 'all of it')])).not.toHaveProperty('partial');
  });

  test('of thought says what form it has', () => {
    const thought = event('reasoning-end', {
      messageId: 'm',
      blockId: 'a',
      text: 'Hm.',
      form: 'summary',
      durationMs: 6,
    });
    expect(only([thought])).toMatchObject({ type: 'reasoning', text: 'Hm.', form: 'summary', durationMs: 6 });
  });
});

describe('[M-04] a call', () => {
  test('goes from pending to running to its result', () => {
    const steps: [AgentStreamEvent, object][] = [
      [callStart('c', { tags: ['background'], messageId: 'm' }), { status: 'pending', name: 'Bash', kind: 'execute' }],
      [event('tool-call-input-delta', { toolCallId: 'c', delta: '{"comm' }), { inputText: '{"comm' }],
      [event('tool-call-input-delta', { toolCallId: 'c', delta: 'and' }), { inputText: '{"command' }],
      [inputEnd('c', { title: 'ls' }), { status: 'running', title: 'ls', input: { command: 'ls' } }],
      [
        event('tool-call-update', { toolCallId: 'c', outputDelta: 'a', elapsedMs: 3 }),
        { outputText: 'a', elapsedMs: 3 },
      ],
      [event('tool-call-update', { toolCallId: 'c', outputDelta: 'b' }), { outputText: 'ab' }],
      [event('tool-call-update', { toolCallId: 'c', outputSnapshot: 'abc' }), { outputText: 'abc' }],
      [
        callEnd('c', 'success', { content: [{ type: 'text', text: 'abc' }], exitCode: 0, durationMs: 5, output: [1] }),
        { status: 'completed', exitCode: 0, durationMs: 5, output: [1], content: [{ type: 'text', text: 'abc' }] },
      ],
    ];
    let conversation = reduceAll([]);
    for (const [one, expected] of steps) {
      conversation = reduceAll([one], conversation);
      expect(callById(conversation, 'c')).toMatchObject(expected);
    }
    expect(callById(conversation, 'c')).not.toHaveProperty('inputText');
    expect(callById(conversation, 'c')).not.toHaveProperty('outputText');
  });

  test.each([
    ['success', 'completed'],
    ['error', 'failed'],
    ['denied', 'denied'],
    ['cancelled', 'cancelled'],
    ['unknown', 'unknown'],
  ] as const)('that ends with %s is %s', (outcome, status) => {
    expect(only([callStart('c'), inputEnd('c'), callEnd('c', outcome)])).toMatchObject({ status });
  });

  test('is found by its id, not by who was last', () => {
    const conversation = reduceAll([callStart('a'), callStart('b'), callEnd('a', 'error'), callEnd('b')]);
    expect([callById(conversation, 'a')?.status, callById(conversation, 'b')?.status]).toEqual(['failed', 'completed']);
  });

  test('is made by whatever names it first', () => {
    expect(only([callEnd('c'), callStart('c', { kind: 'read' })])).toMatchObject({ kind: 'read', status: 'completed' });
    expect(only([inputEnd('c'), callStart('c', { subagentId: 's' })])).toMatchObject({
      status: 'running',
      subagentId: 's',
    });
    expect(only([event('tool-call-input-delta', { toolCallId: 'c', delta: '{' })])).toMatchObject({
      name: '',
      inputText: '{',
      status: 'pending',
    });
    expect(only([event('todo-update', { entries: [], toolCallId: 'c' })])).toMatchObject({ type: 'call', todos: [] });
  });

  test('keeps what it printed when its result has no text', () => {
    const printed = event('tool-call-update', { toolCallId: 'c', outputDelta: 'half', status: 'in_progress' });
    expect(only([callStart('c'), printed, callEnd('c', 'cancelled')])).toMatchObject({ outputText: 'half' });
    expect(only([callStart('c'), printed])).toMatchObject({ status: 'running' });
    const late = callEnd('c', 'success', { content: [{ type: 'text', text: 'all' }] });
    expect(only([callStart('c'), late, printed])).not.toHaveProperty('outputText');
  });

  test('[M-11] keeps input of any shape', () => {
    for (const input of [null, 'text', 7, [], [{ a: [1] }], { nested: { deep: true } }])
      expect(only([callStart('c'), inputEnd('c', { input })])).toMatchObject({ input });
  });

  test('shows the files it changed', () => {
    const change = (path: string, outcome: Outcome = 'success') =>
      event('file-change', { toolCallId: 'c', changes: [{ path, operation: 'modify' }], outcome });
    expect(only([callStart('c'), change('a'), change('b')])).toMatchObject({ changes: [{ path: 'a' }, { path: 'b' }] });
    expect(only([change('a', 'error')])).toMatchObject({ changesOutcome: 'error' });
    expect(only([event('file-change', { changes: [], outcome: 'success', candidates: ['c'] })])).toMatchObject({
      type: 'changes',
      candidates: ['c'],
    });
  });

  test('that switches the mode is a change of mode or a plan, never a card', () => {
    const enter = callStart('c', { toolName: 'Enter', kind: 'switch_mode' });
    expect(only([enter, inputEnd('c'), callEnd('c')])).toMatchObject({
      type: 'mode',
      status: 'completed',
      name: 'Enter',
    });
    const plan = event('plan-update', { text: '# Plan', toolCallId: 'c' });
    const path = event('plan-update', { path: 'plan.md', toolCallId: 'c' });
    const conversation = reduceAll([enter, plan, path, callEnd('c')]);
    expect(partsIn(conversation)).toMatchObject([
      { type: 'plan', plan: { text: '# Plan', path: 'plan.md' }, status: 'completed' },
    ]);
    expect(conversation.plan).toEqual({ text: '# Plan', path: 'plan.md' });
    expect(only([plan, enter])).toMatchObject({ type: 'plan' });
    expect(only([callStart('c'), plan])).toMatchObject({ type: 'call', plan: { text: '# Plan' } });
    expect(only([event('plan-update', { text: 'alone' })])).toMatchObject({ type: 'plan', plan: { text: 'alone' } });
  });
});

describe('[M-10] when the turn ends', () => {
  const open = [callStart('a'), inputEnd('a'), callStart('b')];

  test('open calls are unknown, or cancelled when the turn was', () => {
    expect(partsIn(reduceAll([...open, turnEnd()]))).toMatchObject([
      { status: 'unknown', synthetic: true },
      { status: 'unknown' },
      { type: 'turn' },
    ]);
    const cancelled = reduceAll([...open, turnEnd({ outcome: 'cancelled' })]);
    expect(callById(cancelled, 'a')?.status).toBe('cancelled');
  });

  test('a real end that comes later counts, one that nobody told does not undo it', () => {
    const late = [...open, turnEnd(), callEnd('a')];
    expect(callById(reduceAll(late), 'a')).toMatchObject({ status: 'completed' });
    expect(callById(reduceAll(late), 'a')).not.toHaveProperty('synthetic');
    const closed = callEnd('a', 'unknown', { synthetic: true });
    expect(callById(reduceAll([...late, closed]), 'a')?.status).toBe('completed');
  });

  test('what runs in the background goes on; what does not, ends', () => {
    const task = (id: string, more: object = {}) =>
      event('task-start', { taskId: id, kind: 'agent', toolCallId: `call of ${id}`, ...more });
    const conversation = reduceAll([
      callStart('call of back'),
      task('back', { background: true }),
      callStart('in back', { subagentId: 'back' }),
      callStart('call of deep', { subagentId: 'back' }),
      task('deep', { subagentId: 'back' }),
      callStart('in deep', { subagentId: 'deep' }),
      callStart('call of front'),
      task('front'),
      callStart('in front', { subagentId: 'front' }),
      callStart('call of launched'),
      task('launched'),
      callEnd('call of launched'),
      callStart('in launched', { subagentId: 'launched' }),
      callStart('in nobody', { subagentId: 'nobody' }),
      turnEnd(),
    ]);
    const statusOf = (id: string) => callById(conversation, id)?.status;
    expect(['in back', 'in deep', 'call of deep', 'in launched'].map(statusOf)).toEqual(Array(4).fill('pending'));
    expect(['in front', 'call of front', 'in nobody'].map(statusOf)).toEqual(Array(3).fill('unknown'));
    expect(callById(conversation, 'call of launched')?.task?.status).toBe('running');
    expect(callById(conversation, 'call of front')?.task?.status).toBe('unknown');
    const ended = reduceAll([event('session-end', { outcome: 'cancelled' })], conversation);
    expect(partsIn(ended).filter((part) => 'status' in part && part.status === 'pending')).toEqual([]);
    expect(callById(ended, 'call of back')?.task).toMatchObject({ status: 'cancelled', synthetic: true });
  });

  test('what another stream has told of the next turn goes on', () => {
    const conversation = reduceAll([
      callStart('mine', { time: 10 }),
      callStart('next', { time: 20 }),
      callStart('deep', { time: 21, subagentId: 's' }),
      event('task-start', { taskId: 's', kind: 'agent', toolCallId: 'next', after: 20 }),
      turnEnd({ after: 10 }),
    ]);
    expect(['mine', 'next', 'deep'].map((id) => callById(conversation, id)?.status)).toEqual([
      'unknown',
      'pending',
      'pending',
    ]);
  });

  test('everything else that is open ends too', () => {
    const parts = partsIn(
      reduceAll([
        textDelta('x', 'half'),
        event('retry-start', { attempt: 1 }),
        event('compaction-start', { compactionId: 'k' }),
        event('hook-start', { hookId: 'h', name: 'lint' }),
        event('permission-request', { requestId: 'p' }),
        event('question-request', { requestId: 'q', message: '?' }),
        event('task-start', { taskId: 'z', kind: 'command' }),
        turnEnd({ outcome: 'cancelled' }),
      ]),
    );
    // The retry and so on came while the text was streaming, which is where they stay.
    expect(parts.map((part) => ('outcome' in part ? part.outcome : part.type))).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
      'permission',
      'question',
      'task',
      'text',
      'cancelled',
    ]);
    expect(parts.at(-2)).toMatchObject({ partial: true, text: 'half' });
    expect(parts).toContainEqual(
      expect.objectContaining({ permission: expect.objectContaining({ decision: 'cancelled' }) }),
    );
  });
});

describe('a turn', () => {
  const turnOf = (events: readonly AgentStreamEvent[]) =>
    shown(events)
      .filter(({ type }) => type === 'turn')
      .at(-1);

  test('carries what it resulted in only when no text has said it', () => {
    expect(turnOf([turnEnd({ result: 'ok' })])).toMatchObject({ text: 'ok' });
    expect(turnOf([textEnd('a', 'ok'), turnEnd({ result: 'ok' })])).not.toHaveProperty('text');
    expect(turnOf([textEnd('a', 'other'), turnEnd({ result: 'ok' })])).not.toHaveProperty('text');
    expect(turnOf([textEnd('a', ''), turnEnd({ result: 'ok' })])).toMatchObject({ text: 'ok' });
    expect(turnOf([textEnd('a', 'ok', { subagentId: 's' }), turnEnd({ result: 'ok' })])).toMatchObject({ text: 'ok' });
    const retract = event('message-retract', { blockIds: ['a'], reason: 'refused' });
    expect(turnOf([textEnd('a', 'ok'), retract, turnEnd({ result: 'ok' })])).toMatchObject({ text: 'ok' });
    expect(turnOf([turnEnd({ result: '' })])).not.toHaveProperty('text');
  });

  test('does not repeat what was said before another turn ended, but a turn of its own counts', () => {
    const first = [textEnd('a', 'one'), turnEnd({ result: 'one' })];
    expect(turnOf([...first, turnEnd({ result: 'one' })])).not.toHaveProperty('text');
    expect(turnOf([...first, turnEnd({ result: 'two' })])).toMatchObject({ text: 'two' });
    const many = Array.from({ length: 5 }, () => turnEnd());
    expect(turnOf([...first, ...many, turnEnd({ result: 'one' })])).toMatchObject({ text: 'one' });
  });

  test('tells an error or a structure in its own way', () => {
    const error = { code: 'server', message: 'API Error' } as const;
    expect(turnOf([turnEnd({ outcome: 'error', result: 'API Error', error })])).toMatchObject({ error });
    expect(turnOf([turnEnd({ outcome: 'error', result: 'API Error', error })])).not.toHaveProperty('text');
    expect(turnOf([turnEnd({ result: '{}', structured: {} })])).not.toHaveProperty('text');
  });

  test('changes the state of the session', () => {
    const start = event('session-start', { agent: 'x' });
    const turn = event('turn-start', { turnId: 't' });
    const stateAfter = (...events: AgentStreamEvent[]) => reduceAll(events).state;
    expect(stateAfter()).toBe('starting');
    expect(stateAfter(start, turn)).toBe('running');
    expect(stateAfter(start, turn, turnEnd())).toBe('idle');
    expect(stateAfter(turn, event('turn-start', { turnId: 'u' }), turnEnd())).toBe('running');
    expect(stateAfter(turn, event('session-update', { state: 'requires_action' }))).toBe('requires_action');
    expect(stateAfter(turn, event('session-end', { outcome: 'success' }))).toBe('ended');
    expect(stateAfter(turn, event('session-end', { outcome: 'success' }), start)).toBe('starting');
    expect(stateAfter(turn, start)).toBe('running');
  });
});

describe('figures', () => {
  const usage = (inputTokens: number) => ({ inputTokens });
  const usd = (amount: number, more: object = {}) => ({ amount, currency: 'USD', ...more });
  const figures = (...events: AgentStreamEvent[]) => {
    const { usage, cost, usageFrom, costFrom } = reduceAll(events);
    return { usage, cost, usageFrom, costFrom };
  };

  test('of turns add up until the session tells its own, which replace them', () => {
    const turns = [
      turnEnd({ usage: usage(3), cost: usd(1) }),
      turnEnd({ usage: { ...usage(4), outputTokens: 1 }, cost: usd(2) }),
    ];
    expect(figures(...turns)).toEqual({
      usage: { inputTokens: 7, outputTokens: 1 },
      cost: usd(3),
      usageFrom: 'turns',
      costFrom: 'turns',
    });
    const told = event('usage-update', { scope: 'session', usage: usage(10) });
    expect(figures(...turns, told)).toMatchObject({ usage: usage(10), cost: usd(3), usageFrom: 'session' });
    expect(figures(...turns, told, turnEnd({ usage: usage(5), cost: usd(1) }))).toMatchObject({
      usage: usage(10),
      cost: usd(4),
    });
    const end = event('session-end', { outcome: 'success', usage: usage(20), cost: usd(9), turns: 3 });
    expect(figures(...turns, told, end)).toMatchObject({ usage: usage(20), cost: usd(9), costFrom: 'session' });
  });

  test('of money say when they are estimated, and do not mix currencies', () => {
    const estimated = turnEnd({ cost: usd(1, { estimated: true }) });
    expect(figures(estimated, turnEnd({ cost: usd(1) })).cost).toEqual(usd(2, { estimated: true }));
    expect(figures(estimated, turnEnd({ cost: { amount: 1, currency: 'EUR' } })).cost).toEqual({
      amount: 1,
      currency: 'EUR',
    });
  });

  test('of the context and the quota are the last told', () => {
    const conversation = reduceAll([
      event('usage-update', { scope: 'context', contextUsed: 5, contextSize: 10 }),
      event('usage-update', { scope: 'context', contextUsed: 6 }),
      event('rate-limit-update', { status: 'warning', window: 'week' }),
    ]);
    expect(conversation.context).toEqual({ used: 6, size: 10 });
    expect(conversation.rateLimit).toEqual({ status: 'warning', window: 'week' });
    expect(conversation.usage).toBeNull();
  });

  test('of an answer are corrected by a second end', () => {
    const { messages } = reduceAll([
      event('message-start', { messageId: 'm', model: 'opus' }),
      event('message-end', { messageId: 'm', usage: usage(1) }),
      event('message-end', { messageId: 'm', usage: usage(2), stopReason: 'end_turn' }),
    ]);
    expect(messages.flat()).toMatchObject([{ id: 'm', model: 'opus', usage: usage(2), stopReason: 'end_turn' }]);
  });
});

describe('[M-05] a sub-agent', () => {
  const start = event('task-start', {
    taskId: 's',
    kind: 'agent',
    toolCallId: 'c',
    name: 'Explore',
    description: 'Look',
  });

  test('is shown by its call, whichever comes first', () => {
    const expected = { type: 'call', name: 'Bash', task: { taskId: 's', name: 'Explore', status: 'running' } };
    expect(only([callStart('c'), start])).toMatchObject(expected);
    expect(only([start, callStart('c')])).toMatchObject(expected);
  });

  test('tells what it does, and how it ended', () => {
    const update = event('task-update', { taskId: 's', summary: 'Reading', toolUses: 2, usage: { outputTokens: 4 } });
    const end = event('task-end', {
      taskId: 's',
      outcome: 'error',
      durationMs: 9,
      error: { code: 'unknown', message: 'no' },
    });
    expect(only([callStart('c'), start, update, end])).toMatchObject({
      task: { status: 'failed', usage: { outputTokens: 4 }, durationMs: 9 },
    });
    expect(only([callStart('c'), start, update])).toMatchObject({ task: { summary: 'Reading', toolUses: 2 } });
    expect(only([callStart('c'), start, update, end])).not.toMatchObject({ task: { summary: 'Reading' } });
    const closed = event('task-end', { taskId: 's', outcome: 'unknown', synthetic: true });
    expect(only([callStart('c'), start, end, closed])).toMatchObject({ task: { status: 'failed' } });
  });

  test('has its results found inside it', () => {
    const conversation = reduceAll([
      callStart('c'),
      start,
      callStart('inner', { subagentId: 's' }),
      callStart('other'),
      callEnd('inner', 'error', { subagentId: 's' }),
    ]);
    expect(callById(conversation, 'inner')?.status).toBe('failed');
    expect(partsOf(conversation, 's').map(({ id }) => id)).toEqual(['call:inner']);
    expect(partsOf(conversation).map(({ id }) => id)).toEqual(['call:c', 'call:other']);
  });

  test('without a call, or beside another of the same call, has a part of its own', () => {
    expect(only([event('task-update', { taskId: 's', summary: 'x' })])).toMatchObject({ type: 'task', id: 'task:s' });
    const second = event('task-start', { taskId: 'two', kind: 'agent', toolCallId: 'c' });
    expect(partsIn(reduceAll([callStart('c'), start, second])).map(({ type, id }) => [type, id])).toContainEqual([
      'task',
      'task:two',
    ]);
  });

  test('may be told its cost', () => {
    const cost = { amount: 1, currency: 'USD' };
    const spent = event('usage-update', { scope: 'turn', subagentId: 's', cost, usage: { outputTokens: 1 } });
    const step = event('usage-update', { scope: 'step', subagentId: 's', usage: { outputTokens: 9 } });
    expect(only([callStart('c'), start, spent, step])).toMatchObject({ task: { cost, usage: { outputTokens: 1 } } });
  });

  test('keeps its todos to itself', () => {
    const entries = [{ content: 'x', status: 'pending' as const }];
    expect(reduceAll([event('todo-update', { entries, subagentId: 's' })]).todos).toEqual([]);
    expect(reduceAll([event('todo-update', { entries })]).todos).toBe(entries);
  });
});

describe('what waits for the person', () => {
  const ask = (id: string, more: object = {}) => event('permission-request', { requestId: id, ...more });
  const resolve = (decision: EventOf<'permission-resolve'>['decision'], more: object = {}) =>
    event('permission-resolve', { decision, by: 'user', ...more });
  const waitingIn = (conversation: Conversation) => openRequests(conversation).map(({ requestId }) => requestId);
  const asked = [callStart('c'), inputEnd('c'), ask('r', { toolCallId: 'c', input: 1, title: 'rm' })];

  test('is on the card of its call', () => {
    const conversation = reduceAll(asked);
    expect(callById(conversation, 'c')).toMatchObject({
      status: 'waiting',
      permission: { requestId: 'r', title: 'rm' },
    });
    expect(openRequests(conversation)).toMatchObject([{ requestId: 'r', kind: 'permission', part: { id: 'call:c' } }]);
  });

  test.each([
    ['allowed', 'running'],
    ['cancelled', 'running'],
    ['denied', 'denied'],
  ] as const)('and is %s: the call is %s, and nobody waits', (decision, status) => {
    const conversation = reduceAll([...asked, resolve(decision, { requestId: 'r' })]);
    expect(callById(conversation, 'c')).toMatchObject({ status, permission: { decision, by: 'user', title: 'rm' } });
    expect(waitingIn(conversation)).toEqual([]);
  });

  test('may be asked twice: the call goes on after the last answer', () => {
    const twice = [...asked, event('question-request', { requestId: 'q', toolCallId: 'c', message: '?' })];
    const half = reduceAll([...twice, resolve('allowed', { requestId: 'r', toolCallId: 'c' })]);
    expect([callById(half, 'c')?.status, waitingIn(half)]).toEqual(['waiting', ['q']]);
    const all = reduceAll([event('question-resolve', { requestId: 'q', outcome: 'success', answer: 'Blue' })], half);
    expect(callById(all, 'c')).toMatchObject({ status: 'running', question: { answer: 'Blue', outcome: 'success' } });
  });

  test('is over when the call or the turn is, and may be answered late', () => {
    expect(waitingIn(reduceAll([...asked, callEnd('c')]))).toEqual([]);
    const ended = reduceAll([...asked, turnEnd()]);
    expect(waitingIn(ended)).toEqual([]);
    const late = reduceAll([resolve('denied', { requestId: 'r' })], ended);
    expect(partsIn(late)).toHaveLength(2);
    expect(callById(late, 'c')).toMatchObject({ status: 'unknown', permission: { decision: 'denied' } });
  });

  test('its end has the last word about a call: one that was interrupted may be listed among the refused', () => {
    const denied = resolve('denied', { toolCallId: 'c' });
    expect(callById(reduceAll([...asked, denied]), 'c')?.status).toBe('denied');
    expect(callById(reduceAll([...asked, callEnd('c', 'cancelled'), denied]), 'c')?.status).toBe('cancelled');
    expect(callById(reduceAll([...asked, denied, callEnd('c', 'cancelled')]), 'c')?.status).toBe('cancelled');
    expect(callById(reduceAll([...asked, denied, callEnd('c', 'unknown', { synthetic: true })]), 'c')?.status).toBe(
      'unknown',
    );
  });

  test('without a call is a part of its own', () => {
    const conversation = reduceAll([
      ask('r', { toolName: 'Bash' }),
      event('question-request', { requestId: 'q', message: 'Which?', choices: ['a'] }),
    ]);
    expect(partsIn(conversation)).toMatchObject([
      { type: 'permission', toolName: 'Bash', permission: { requestId: 'r' } },
      { type: 'question', question: { message: 'Which?', choices: ['a'] } },
    ]);
    const answered = reduceAll(
      [
        resolve('allowed', { requestId: 'r' }),
        event('question-resolve', { requestId: 'q', outcome: 'success', answer: 'a' }),
      ],
      conversation,
    );
    expect(partsIn(answered)).toMatchObject([{ permission: { decision: 'allowed' } }, { question: { answer: 'a' } }]);
    expect(waitingIn(answered)).toEqual([]);
    expect(partsIn(reduceAll([ask('r'), ask('r')]))).toHaveLength(1);
  });

  test('is a thousand things at the most, and all of them can be answered', () => {
    const many = reduceAll(Array.from({ length: 1010 }, (_, at) => ask(`r${at}`)));
    expect(waitingIn(many)).toHaveLength(1000);
    expect(waitingIn(many).at(-1)).toBe('r1009');
    const answered = reduceAll([resolve('allowed', { requestId: 'r3' })], many);
    expect(partsIn(answered)[3]).toMatchObject({ permission: { requestId: 'r3', decision: 'allowed' } });
    expect(waitingIn(reduceAll([event('session-end', { outcome: 'unknown' })], many))).toEqual([]);
  });

  test('an answer to nothing is shown all the same', () => {
    expect(only([resolve('denied')])).toMatchObject({ type: 'permission', permission: { decision: 'denied' } });
    expect(only([resolve('denied', { toolCallId: 'c' })])).toMatchObject({ type: 'call', status: 'denied' });
    expect(only([event('question-resolve', { requestId: 'q', outcome: 'success' })])).toMatchObject({
      type: 'question',
    });
  });
});

describe('what is taken back', () => {
  const retract = (fields: object) => event('message-retract', { reason: 'refused', ...fields });
  const said = [textEnd('a', 'one'), callStart('c', { messageId: 'm' }), textEnd('b', 'two', { messageId: 'n' })];

  test('stays, marked, and is not shown', () => {
    const byBlock = reduceAll([...said, retract({ blockIds: ['a'], toolCallIds: ['c'] })]);
    expect(partsOf(byBlock).map(({ id }) => id)).toEqual(['block:b']);
    expect(partsOf(byBlock, undefined, { all: true })).toHaveLength(3);
    const byMessage = reduceAll([...said, retract({ messageIds: ['m', 'nobody'] })]);
    expect(partsOf(byMessage).map(({ id }) => id)).toEqual(['block:b']);
    expect(partsIn(byMessage)[0]).toMatchObject({ retracted: 'refused' });
  });

  test('may be a prompt, and what its message tells later is taken back too', () => {
    const prompt = event('user-message', { messageId: 'p', content: [], origin: 'prompt' });
    expect(shown([prompt, retract({ messageIds: ['p'] })])).toEqual([]);
    const start = event('message-start', { messageId: 'm' });
    expect(
      shown([start, retract({ messageIds: ['m'] }), textDelta('z', 'x'), callStart('c', { messageId: 'm' })]),
    ).toEqual([]);
  });
});

describe('around the answers', () => {
  test.each([
    ['prompt', 'prompt'],
    ['steering', 'steering'],
    ['injected', 'injected'],
    ['replay', 'prompt'],
  ] as const)('a user message that is a %s is shown as %s', (origin, expected) => {
    const message = event('user-message', { messageId: 'p', content: [{ type: 'text', text: 'Hi' }], origin });
    expect(only([message, message])).toMatchObject({ type: 'prompt', origin: expected, messageId: 'p' });
  });

  test('[M-06] a line that is no JSON is text, unless it is broken protocol', () => {
    const raw = (text: string, reason: EventOf<'raw'>['reason'] = 'not_json') => event('raw', { reason, text });
    expect(shown([raw('Warning: slow disk')])).toMatchObject([{ type: 'raw', text: 'Warning: slow disk' }]);
    for (const hidden of [
      raw('{"type":"assistant","mess'),
      raw('noise {"type":"user"'),
      raw('half a line', 'cut_off'),
      event('raw', { reason: 'unknown_type', value: { type: 'new' }, nativeType: 'new' }),
    ]) {
      expect(shown([hidden])).toEqual([]);
      expect(only([hidden])).toMatchObject({ type: 'raw', hidden: true });
    }
  });

  test('notices and errors are told as they are', () => {
    const error = { code: 'overloaded', message: 'busy' } as const;
    expect(
      shown([
        event('notice', { severity: 'warning', title: 'Careful', description: 'why' }),
        event('error', { error, fatal: true }),
      ]),
    ).toMatchObject([
      { type: 'notice', severity: 'warning', title: 'Careful', description: 'why' },
      { type: 'error', error, fatal: true },
    ]);
  });

  test('a retry ends with the next one, or as it is told', () => {
    const retry = (attempt: number, more: object = {}) => event('retry-start', { attempt, ...more });
    const end = event('retry-end', { attempt: 2, outcome: 'success' });
    expect(shown([retry(1), retry(2, { delayMs: 5 }), retry(1, { subagentId: 's' }), end])).toMatchObject([
      { attempt: 1, outcome: 'error' },
      { attempt: 2, outcome: 'success', delayMs: 5 },
    ]);
  });

  test('a compaction and a hook are one part each; a hook is shown when it failed', () => {
    const compaction = [
      event('compaction-start', { compactionId: 'k', trigger: 'auto' }),
      event('compaction-end', { compactionId: 'k', outcome: 'success', tokensBefore: 9, tokensAfter: 3 }),
    ];
    expect(only(compaction)).toMatchObject({ trigger: 'auto', outcome: 'success', tokensBefore: 9 });
    const hook = event('hook-start', { hookId: 'h', name: 'lint', on: 'stop' });
    const end = (outcome: Outcome) => event('hook-end', { hookId: 'h', outcome, exitCode: 2 });
    expect(shown([hook, end('success')])).toEqual([]);
    expect(shown([hook, end('error')])).toMatchObject([{ type: 'hook', name: 'lint', on: 'stop', exitCode: 2 }]);
  });

  test('a change of mode is shown, the mode it began with is not', () => {
    const update = (permissionMode: string) => event('session-update', { permissionMode });
    expect(shown([update('plan'), update('plan')])).toEqual([]);
    expect(shown([event('session-start', { agent: 'x', permissionMode: 'plan' }), update('default')])).toMatchObject([
      { type: 'mode', mode: 'default', previousMode: 'plan' },
    ]);
  });

  test('the session is what was told last', () => {
    const conversation = reduceAll([
      event('session-start', { agent: 'claude', model: 'a', cwd: '/p', sessionId: 's', tools: ['Read'] }),
      event('session-update', { model: 'b', title: 'Fix it' }),
      event('session-start', { agent: 'unknown', sessionId: 't' }),
    ]);
    expect(conversation).toMatchObject({
      agent: 'claude',
      model: 'b',
      cwd: '/p',
      sessionId: 't',
      title: 'Fix it',
      tools: ['Read'],
    });
  });

  test('an event of a later version changes nothing', () => {
    const conversation = reduceAll([textEnd('a', 'x')]);
    const unheard = { type: 'from-the-future', seq: 0 } as unknown as AgentStreamEvent;
    expect(reduceAll([unheard], conversation)).toBe(conversation);
  });
});

describe('the context', () => {
  const end = (inputTokens: number, more: object = {}) =>
    event('message-end', { messageId: `m${inputTokens}`, usage: { inputTokens, outputTokens: 5 }, ...more });

  const text = (of: number, more: object = {}) =>
    event('text-end', { messageId: `m${of}`, blockId: `b${of}`, text: 'x', ...more });

  test('holds what the last answer of the main thread was given and has said', () => {
    const thread = { subagentId: 's' };
    const events = [text(100), end(100), text(200), end(200), text(900, thread), end(900, thread)];
    expect(contextOf(reduceAll(events))).toEqual({ used: 205 });
    expect(contextOf(reduceAll([text(1)]))).toBeUndefined();
  });

  test('is what the agent says of it, where it does', () => {
    const told = event('usage-update', { scope: 'step', usage: {}, contextUsed: 50, contextSize: 1000 });
    expect(contextOf(reduceAll([text(100), end(100), told, text(200), end(200)]))).toEqual({ used: 50, size: 1000 });
  });
});

describe('the prompt of a run', () => {
  const start = (more: object = {}) => event('run-start', { runId: 'r', agent: 'codex', prompt: 'Do it', ...more });
  const working = event('run-state', { state: 'working' });
  const answer = textEnd('b', 'Done.');
  const prompt = [{ type: 'text', text: 'Do it' }] as const;
  const echo = (more: object = {}) => event('user-message', { content: prompt, origin: 'prompt', ...more });
  const said = (...events: readonly AgentStreamEvent[]): readonly unknown[] =>
    shown(events).map((part) => (part.type === 'prompt' ? part.content : part.type));

  test('is there from the start, also where the agent never tells it', () => {
    expect(said(start())).toEqual([prompt]);
    expect(said(start(), working, answer)).toEqual([prompt, 'text']);
  });

  test('is the same one when the agent tells it: by its id, or by its words', () => {
    expect(said(start(), working, echo(), answer)).toEqual([prompt, 'text']);
    const conversation = reduceAll([
      start({ promptId: 'p' }),
      working,
      echo({ messageId: 'p', origin: 'replay' }),
      answer,
    ]);
    expect(partsOf(conversation).map(({ id }) => id)).toEqual(['prompt:p', 'block:b']);
    expect(conversation.run).not.toHaveProperty('untoldPrompt');
  });

  test('said once more it is another one; so is what was injected, and what a sub-agent is told', () => {
    expect(said(start(), echo(), answer, echo())).toEqual([prompt, 'text', prompt]);
    expect(said(start(), echo({ origin: 'injected' }))).toHaveLength(2);
    expect(reduceAll([start(), echo({ subagentId: 's' })]).partCount).toBe(2);
  });
});

describe('order', () => {
  const idsOf = (events: readonly AgentStreamEvent[]) =>
    partsOf(reduceAll(events), undefined, { all: true }).map(({ id }) => id);

  test('what has a time stands there, whenever it comes', () => {
    expect(
      idsOf([textEnd('late', 'x', { time: 20 }), textEnd('early', 'x', { time: 10 }), callStart('c', { time: 15 })]),
    ).toEqual(['block:early', 'call:c', 'block:late']);
  });

  test('a start’s time goes before an end’s', () => {
    expect(only([textStart('a', { time: 1 }), textEnd('a', 'x', { time: 9 })])).toMatchObject({ time: 1 });
    expect(
      only([callStart('c', { time: 1 }), inputEnd('c', { time: 2 }), callEnd('c', 'success', { time: 9 })]),
    ).toMatchObject({
      time: 1,
    });
    expect(only([callStart('c'), inputEnd('c', { time: 2 }), callEnd('c', 'success', { time: 9 })])).toMatchObject({
      time: 2,
    });
    expect(only([callEnd('c', 'success', { time: 9 })])).toMatchObject({ time: 9 });
  });

  test('what streams stands last in its gap, and finds its place when it is whole', () => {
    const notice = event('notice', { severity: 'info', title: 'n' });
    const streaming = [textEnd('a', 'x', { time: 5 }), textStart('b'), notice];
    expect(idsOf(streaming)).toEqual(['block:a', 'notice#2', 'block:b']);
    expect(idsOf([...streaming, textEnd('c', 'x', { time: 9 })])).toEqual([
      'block:a',
      'notice#2',
      'block:b',
      'block:c',
    ]);
    expect(idsOf([...streaming, textEnd('c', 'x', { time: 9 }), textEnd('b', 'x', { time: 10 })])).toEqual([
      'block:a',
      'notice#2',
      'block:c',
      'block:b',
    ]);
  });

  test('several streams: a gap begins with what was cut, then the turn, the prompts by their time, the weather', () => {
    const gap = { after: 10 };
    const events = [
      textEnd('anchor', 'x', { time: 10 }),
      event('raw', { reason: 'unknown_type', from: 'b', ...gap }),
      event('raw', { reason: 'unknown_type', from: 'a', ...gap }),
      event('notice', { severity: 'info', title: 'n', ...gap }),
      event('user-message', { messageId: 'second', content: [], origin: 'prompt', time: 14, ...gap }),
      event('user-message', { messageId: 'first', content: [], origin: 'prompt', time: 12, ...gap }),
      textStart('streams', { after: 20 }),
      turnEnd(gap),
      textEnd('cut', 'ha', { synthetic: true, ...gap }),
      textEnd('next', 'x', { time: 20 }),
    ];
    const expected = [
      'block:anchor',
      'block:cut',
      expect.stringMatching(/^turn#/),
      'prompt:first',
      'prompt:second',
      expect.stringMatching(/^notice#/),
      'raw#2',
      'raw#1',
      'block:next',
      'block:streams',
    ];
    expect(idsOf(events)).toEqual(expected);
    expected.splice(6, 2, 'raw#7', 'raw#8');
    expect(idsOf([...events].reverse())).toEqual(expected);
  });

  test('several streams: an answer that was cut before anything was timed stands behind its prompt', () => {
    const events = [
      event('user-message', { messageId: 'p', content: [], origin: 'prompt', time: 3, after: 0 }),
      textEnd('cut', 'ha', { partial: true, after: 0 }),
      textEnd('whole', 'x', { time: 9 }),
    ];
    const expected = ['prompt:p', 'block:cut', 'block:whole'];
    expect(idsOf(events)).toEqual(expected);
    expect(idsOf([...events].reverse())).toEqual(expected);
  });

  test('one stream: a turn in which nothing was said ends after its prompt', () => {
    const prompt = (id: string) => event('user-message', { messageId: id, content: [], origin: 'prompt' });
    expect(idsOf([textEnd('a', 'x', { time: 5 }), turnEnd(), prompt('p'), turnEnd(), prompt('q')])).toEqual([
      'block:a',
      'turn#1',
      'prompt:p',
      'turn#3',
      'prompt:q',
    ]);
  });

  test('a time that is no number is none', () => {
    const odd = [Number.NaN, Number.POSITIVE_INFINITY].flatMap((time, at) => [
      textEnd(`${at}`, 'x', { time }),
      event('notice', { severity: 'info', title: 'n', after: time }),
    ]);
    const conversation = reduceAll(odd);
    expect(partsIn(conversation).every(({ order, time }) => order.every(Number.isFinite) && time === undefined)).toBe(
      true,
    );
    expect(view(reduceAll([], JSON.parse(JSON.stringify(conversation))))).toEqual(view(conversation));
  });
});

test('a call keeps its facts when the same events come in another order', () => {
  const events = [
    callStart('c', { time: 1 }),
    inputEnd('c', { time: 1 }),
    callEnd('c', 'success', { time: 2, durationMs: 1 }),
  ];
  const { inputText: _, ...call } = callById(reduceAll(events), 'c') as Call;
  expect(callById(reduceAll([...events].reverse()), 'c')).toEqual({
    ...call,
    time: expect.any(Number),
    order: expect.any(Array),
  });
});
