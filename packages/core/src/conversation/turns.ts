// The end of a turn and of the session: nothing is left running, and what was spent is told.

import type { Cost, EventBase, EventOf, Usage } from '../event/event.ts';
import { addUsage } from '../event/usage.ts';
import { isOpenStatus } from './calls.ts';
import type { Conversation, Part, Task, TurnPart } from './conversation.ts';
import { entriesBefore, type Order, remember } from './list.ts';
import {
  addPart,
  baseOf,
  gapOrder,
  isAdrift,
  madeUpId,
  type Placed,
  replacePart,
  told,
  untimedOrder,
} from './place.ts';
import { taskPart } from './tasks.ts';

export function startTurn(conversation: Conversation, event: EventOf<'turn-start'>): Conversation {
  return { ...conversation, turnId: event.turnId, state: 'running' };
}

export function endTurn(conversation: Conversation, event: EventOf<'turn-end'>): Conversation {
  const end = gapOrder(conversation, event, 'turn');
  const settled = settle(conversation, event, (part) => belongsTo(conversation, part, end));
  // Once more: what was adrift has found its place before it.
  const order = gapOrder(settled, event, 'turn');
  const { turnId, outcome, stopReason, structured, error, usage, mainUsage, models, cost } = event;
  const { steps, durationMs, apiDurationMs } = event;
  // Ids of turns are made from lines, so two runs of one session may have the same.
  const part: TurnPart = {
    ...baseOf(event, madeUpId(settled, 'turn'), order),
    type: 'turn',
    turnId,
    outcome,
    ...told({ stopReason, structured, error, usage, mainUsage, models, cost, steps, durationMs, apiDurationMs }),
    ...told({ text: textOf(settled, event, order) }),
  };
  // The next turn may have begun already.
  const isCurrent = conversation.turnId === null || conversation.turnId === turnId;
  return addPart(
    {
      ...settled,
      turns: settled.turns + (event.synthetic ? 0 : 1),
      ...(isCurrent && { turnId: null, state: 'idle' }),
      outcome,
      stopReason: stopReason ?? null,
      error: error ?? null,
      ...(settled.usageFrom === 'turns' && usage && { usage: addUsage(settled.usage ?? {}, usage) }),
      ...(settled.costFrom === 'turns' && cost && { cost: addCost(settled.cost, cost) }),
    },
    part,
  );
}

export function endSession(conversation: Conversation, event: EventOf<'session-end'>): Conversation {
  const settled = settle(conversation, event, () => true);
  return tellFigures(
    {
      ...settled,
      state: 'ended',
      turnId: null,
      waiting: [],
      outcome: event.outcome,
      error: event.error ?? null,
      turns: event.turns ?? settled.turns,
    },
    event,
  );
}

/** The session's own figures: they take the place of what was there, and turns are not added to them. */
export function tellFigures(
  conversation: Conversation,
  { usage, cost }: { readonly usage?: Usage; readonly cost?: Cost },
): Conversation {
  return {
    ...conversation,
    ...(usage && { usage, usageFrom: 'session' }),
    ...(cost && { cost, costFrom: 'session' }),
  };
}

// ── The text of a turn ────────────────────────────────────────────────────────────────────────────

/** Turns may end together, long after their texts: so many ends are looked past for one that says the same. */
const TURNS_BACK = 4;

/** What the turn resulted in, where no text has shown it: after a local command, or in a stream that prints no answers. */
function textOf(conversation: Conversation, event: EventOf<'turn-end'>, order: Order): string | undefined {
  const { result } = event;
  if (!result || event.error || event.structured !== undefined) return undefined;
  let turns = 0;
  for (const part of entriesBefore(conversation.parts, order)) {
    if (part.subagentId !== undefined || part.retracted !== undefined) continue;
    if (part.type === 'turn' && ++turns === TURNS_BACK) return result;
    if (part.type === 'text' && part.text !== '') return turns === 0 || part.text === result ? undefined : result;
  }
  return result;
}

// ── Nothing is left running ───────────────────────────────────────────────────────────────────────

/** Ends what is open and passes. Its real end may still come, and counts then. */
function settle(
  conversation: Conversation,
  event: EventOf<'turn-end' | 'session-end'>,
  passes: (part: Part) => boolean,
): Conversation {
  const outcome = event.outcome === 'cancelled' ? 'cancelled' : 'unknown';
  const closed = new Set<string>();
  let next = conversation;
  for (const chunk of conversation.parts) {
    for (const part of openIn(chunk)) {
      if (!passes(part)) continue;
      const { conversation: placed, order } = placeOf(next, event, part);
      next = replacePart(placed, part, { ...close(part, outcome), order });
      closed.add(part.id);
    }
  }
  const waiting = next.waiting.filter(({ partId }) => !closed.has(partId));
  return waiting.length === next.waiting.length ? next : { ...next, waiting };
}

/** Where a part stands when it ends here: no line will tell its time any more. */
function placeOf(conversation: Conversation, event: EventBase, { order, subagentId }: Part): Placed {
  if (!isAdrift(order)) return { conversation, order };
  const gap = { seq: event.seq, ...told({ subagentId, after: event.after === undefined ? undefined : order[0] }) };
  return untimedOrder(conversation, gap, order, true);
}

/** What is open is looked for, not kept: a list of it would have to be copied with every call. Chunks that did not change are known. */
const openIn = remember((chunk: readonly Part[]): readonly Part[] => chunk.filter(isOpen));

function isOpen(part: Part): boolean {
  if (isRunning(part)) return true;
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.streaming === true;
    case 'retry':
    case 'compaction':
    case 'hook':
      return part.outcome === undefined;
    case 'permission':
      return part.permission.decision === undefined;
    case 'question':
      return part.question.outcome === undefined;
    default:
      return false;
  }
}

/** Whether a call or task goes on. */
function isRunning(part: Part): boolean {
  if ('task' in part && part.task?.status === 'running') return true;
  return 'status' in part && part.status !== undefined && isOpenStatus(part.status);
}

function close(part: Part, outcome: 'cancelled' | 'unknown'): Part {
  switch (part.type) {
    case 'call':
    case 'mode':
    case 'plan': {
      const isOver = part.status === undefined || !isOpenStatus(part.status);
      return {
        ...part,
        ...(!isOver && { status: outcome, synthetic: true }),
        ...(part.task && { task: closeTask(part.task, outcome) }),
      };
    }
    case 'task':
      return { ...part, task: closeTask(part.task, outcome) };
    case 'text':
    case 'reasoning': {
      const { streaming: _, ...rest } = part;
      return { ...rest, partial: true };
    }
    case 'retry':
    case 'compaction':
    case 'hook':
      return { ...part, outcome };
    case 'permission':
      return { ...part, permission: { ...part.permission, decision: 'cancelled', by: 'unknown' } };
    case 'question':
      return { ...part, question: { ...part.question, outcome } };
    default:
      return part;
  }
}

function closeTask(task: Task, outcome: 'cancelled' | 'unknown'): Task {
  return task.status === 'running' ? { ...task, status: outcome, synthetic: true } : task;
}

/** Sub-agents are not nested deeper than this, unless somebody wants to lead us in a circle. */
const MAX_DEPTH = 64;

/** Whether a part ends with a turn that ends there: not what another stream has told of a later one, nor the background. */
function belongsTo(conversation: Conversation, part: Part, order: Order): boolean {
  let root: Part = part;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (goesOn(root)) return false;
    if (root.subagentId === undefined) return root.order[0] <= order[0];
    const caller = taskPart(conversation, root.subagentId);
    if (!caller) return true;
    root = caller;
  }
  return true;
}

/** Whether it shows a task that outlives the turn: one in the background, or one whose call is over while it is not. */
function goesOn(part: Part): boolean {
  if (!('task' in part) || part.task?.status !== 'running') return false;
  const isLeft = 'status' in part && part.status !== undefined && !isOpenStatus(part.status);
  return part.task.background === true || isLeft;
}

// ── Sums ──────────────────────────────────────────────────────────────────────────────────────────

/** Money of another currency is not added: the last one told stands. */
function addCost(sum: Cost | null, cost: Cost): Cost {
  if (sum?.currency !== cost.currency) return cost;
  const estimated = sum.estimated || cost.estimated;
  return { amount: sum.amount + cost.amount, currency: cost.currency, ...(estimated && { estimated }) };
}
