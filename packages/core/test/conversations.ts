// What the tests of the conversation share: events in one line, frozen values, what differs between two, and events at random.

import fc from 'fast-check';
import { type Conversation, createConversation, type Part } from '../src/conversation/conversation.ts';
import { reduce } from '../src/conversation/reduce.ts';
import type { AgentStreamEvent, EventOf, EventType } from '../src/event/event.ts';

/** An event; fields that may be `undefined` are left out when they are. */
export function event<T extends EventType>(type: T, fields: Omit<EventOf<T>, 'type' | 'seq'>): AgentStreamEvent {
  const told = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { type, seq: 0, ...Object.fromEntries(told) } as unknown as AgentStreamEvent;
}

export function reduceAll(
  events: readonly AgentStreamEvent[],
  from: Conversation = createConversation(),
): Conversation {
  return events.reduce(reduce, from);
}

/** All parts of all threads in the order of the list. */
export function partsIn(conversation: Conversation): readonly Part[] {
  return conversation.parts.flat();
}

/** Freezes a value down to what is frozen already: what an earlier step made is not walked again. */
export function freeze<T>(value: T): T {
  const waiting: unknown[] = [value];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null || Object.isFrozen(one)) continue;
    Object.freeze(one);
    waiting.push(...Object.values(one).filter((field) => field !== undefined));
  }
  return value;
}

/** How many objects of `b`, lists included, are not the very same as in `a` at the same place. */
export function countDiffering(a: unknown, b: unknown): number {
  if (a === b || typeof b !== 'object' || b === null) return 0;
  const before = (typeof a === 'object' && a !== null ? a : {}) as Record<string, unknown>;
  return Object.entries(b).reduce((count, [key, value]) => count + countDiffering(before[key], value), 1);
}

// ── Events at random ──────────────────────────────────────────────────────────────────────────────

/** Few ids, so that events meet: a block may have the id of a call, a task that of a turn. */
const id = fc.constantFrom('a', 'b', 'c', 'd');
const text = fc.constantFrom('', 'x', 'yes', '```ts\nlet a\n```', '{"type":"user"', 'a\nb');
const outcome = fc.constantFrom('success', 'error', 'denied', 'cancelled', 'unknown');
const count = fc.integer({ min: 0, max: 9 });
const error = fc.record({ code: fc.constant('unknown'), message: text });
const content = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text'), text }),
    fc.record({ type: fc.constant('image'), mediaType: text }),
    fc.record({ type: fc.constant('json'), value: fc.jsonValue() }),
  ),
  { maxLength: 2 },
);
const usage = fc.record({ inputTokens: count, outputTokens: count }, { requiredKeys: [] });
const cost = fc.record({ amount: count, currency: fc.constantFrom('USD', 'EUR') });
const todos = fc.array(fc.record({ content: text, status: fc.constant('pending') }), { maxLength: 2 });
const changes = fc.array(fc.record({ path: text, operation: fc.constantFrom('add', 'modify', 'delete') }), {
  maxLength: 2,
});

/** For each type what it must have and what it may have. */
const FIELDS: Readonly<Record<EventType, readonly [object, object?]>> = {
  'run-start': [
    { runId: id, agent: text },
    { prompt: text, promptId: id, cwd: text },
  ],
  'run-state': [{ state: fc.constantFrom('working', 'waiting', 'ended') }, { toolCallIds: fc.array(id), reason: text }],
  'session-start': [{ agent: text }, { model: text, permissionMode: text, cwd: text }],
  'session-update': [{}, { model: text, permissionMode: text, title: text, state: fc.constantFrom('idle', 'running') }],
  'session-end': [{ outcome }, { error, usage, cost, turns: count, exitCode: count }],
  'turn-start': [{ turnId: id }],
  'turn-end': [
    { turnId: id, outcome },
    { result: text, error, usage, cost, structured: fc.jsonValue() },
  ],
  'step-start': [{ stepId: id }],
  'step-end': [{ stepId: id }, { usage }],
  'user-message': [{ content, origin: fc.constantFrom('prompt', 'steering', 'replay', 'injected') }, { messageId: id }],
  'message-start': [{ messageId: id }, { model: text }],
  'message-end': [{ messageId: id }, { usage, error }],
  'message-retract': [
    { reason: text },
    { messageIds: fc.array(id), blockIds: fc.array(id), toolCallIds: fc.array(id) },
  ],
  'text-start': [{ messageId: id, blockId: id }],
  'text-delta': [{ messageId: id, blockId: id, delta: text }],
  'text-end': [{ messageId: id, blockId: id, text }, { partial: fc.constant(true) }],
  'reasoning-start': [{ messageId: id, blockId: id }],
  'reasoning-delta': [{ messageId: id, blockId: id, delta: text }],
  'reasoning-end': [{ messageId: id, blockId: id, text, form: fc.constant('full') }, { durationMs: count }],
  'tool-call-start': [
    { toolCallId: id, toolName: text, kind: fc.constantFrom('read', 'switch_mode', 'other') },
    { title: text, messageId: id },
  ],
  'tool-call-input-delta': [{ toolCallId: id, delta: text }],
  'tool-call-input-end': [{ toolCallId: id, input: fc.jsonValue() }, { title: text }],
  'tool-call-update': [
    { toolCallId: id },
    { status: fc.constantFrom('pending', 'in_progress', 'paused'), outputDelta: text, outputSnapshot: text },
  ],
  'tool-call-end': [
    { toolCallId: id, toolName: text, outcome, content },
    { output: fc.jsonValue(), durationMs: count },
  ],
  'file-change': [{ changes, outcome }, { toolCallId: id }],
  'todo-update': [{ entries: todos }, { toolCallId: id }],
  'plan-update': [{}, { text, path: text, toolCallId: id }],
  'task-start': [
    { taskId: id, kind: fc.constantFrom('agent', 'command') },
    { toolCallId: id, parentTaskId: id, name: text, background: fc.boolean() },
  ],
  'task-update': [{ taskId: id }, { usage, summary: text, background: fc.boolean() }],
  'task-end': [
    { taskId: id, outcome },
    { usage, result: text },
  ],
  'usage-update': [
    { scope: fc.constantFrom('step', 'turn', 'session', 'context') },
    { usage, cost, contextUsed: count, contextSize: count },
  ],
  'rate-limit-update': [{ status: fc.constantFrom('ok', 'rejected') }, { used: count }],
  'retry-start': [{ attempt: count }, { error }],
  'retry-end': [{ attempt: count, outcome }],
  'compaction-start': [{ compactionId: id }],
  'compaction-end': [{ compactionId: id, outcome }, { tokensBefore: count }],
  'permission-request': [{ requestId: id }, { toolCallId: id, toolName: text, input: fc.jsonValue() }],
  'permission-resolve': [
    { decision: fc.constantFrom('allowed', 'denied', 'cancelled'), by: fc.constant('user') },
    { requestId: id, toolCallId: id },
  ],
  'question-request': [
    { requestId: id, message: text },
    { toolCallId: id, choices: fc.array(text) },
  ],
  'question-resolve': [{ requestId: id, outcome }, { answer: fc.jsonValue() }],
  'hook-start': [{ hookId: id, name: text }],
  'hook-end': [{ hookId: id, outcome }],
  notice: [{ severity: fc.constant('info'), title: text }],
  error: [{ error, fatal: fc.boolean() }],
  raw: [{ reason: fc.constantFrom('not_json', 'unknown_type', 'cut_off') }, { text, value: fc.jsonValue() }],
};

const base = {
  time: fc.integer({ min: 0, max: 20 }),
  after: fc.integer({ min: 0, max: 20 }),
  subagentId: id,
  sessionId: id,
  synthetic: fc.constant(true),
};

/** Any event at all, of the types that are asked for. */
export function anyEvent(
  types: readonly EventType[] = Object.keys(FIELDS) as EventType[],
): fc.Arbitrary<AgentStreamEvent> {
  return fc.oneof(
    ...types.map((type) => {
      const [must, may = {}] = FIELDS[type] as readonly [Record<string, fc.Arbitrary<unknown>>, object?];
      return fc
        .record(
          { type: fc.constant(type), seq: count, ...must, ...may, ...base },
          { requiredKeys: ['type', 'seq', ...Object.keys(must)] as never },
        )
        .map((made) => made as unknown as AgentStreamEvent);
    }),
  );
}
