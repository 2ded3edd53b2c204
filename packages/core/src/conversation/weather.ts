// What happens around the answers: notices, errors, retries, compactions, hooks, changes of mode, and what could not be
// read.

import type { EventOf } from '../event/event.ts';
import type { CompactionPart, Conversation, HookPart, Part } from './conversation.ts';
import { findEntry } from './list.ts';
import {
  addPart,
  baseOf,
  boundaryOrder,
  gapOrder,
  madeUpId,
  noteTime,
  putThread,
  replacePart,
  threadOf,
  timedOrder,
  timeOf,
  told,
} from './place.ts';

export function addNotice(conversation: Conversation, event: EventOf<'notice'>): Conversation {
  const { severity, title, description, nativeCode } = event;
  return addPart(conversation, {
    ...baseOf(event, madeUpId(conversation, 'notice'), gapOrder(conversation, event, 'weather')),
    type: 'notice',
    severity,
    title,
    ...told({ description, nativeCode }),
  });
}

export function addError(conversation: Conversation, event: EventOf<'error'>): Conversation {
  const { error, fatal } = event;
  const order = timedOrder(conversation, event);
  return addPart(noteTime(conversation, event), {
    ...baseOf(event, madeUpId(conversation, 'error'), order),
    type: 'error',
    error,
    fatal,
    ...told({ time: timeOf(event) }),
  });
}

/** A line that is no JSON was printed for people: a warning, a banner. What is broken protocol was not, nor what is unknown. */
export function addRaw(conversation: Conversation, event: EventOf<'raw'>): Conversation {
  const { reason, text, value, nativeType, bytes } = event;
  // Known, and of no interest to anybody who reads: a file has more of these than of anything else.
  if (reason === 'no_counterpart') return conversation;
  const isShown = isPlainText(event);
  return addPart(conversation, {
    ...baseOf(event, madeUpId(conversation, 'raw'), gapOrder(conversation, event, isShown ? 'weather' : 'hidden')),
    type: 'raw',
    reason,
    ...told({ text, value, nativeType, bytes }),
    ...(!isShown && { hidden: true }),
  });
}

/** Whether a raw event is a line that people should read as text. */
export function isPlainText({ reason, text }: EventOf<'raw'>): boolean {
  return reason === 'not_json' && text !== undefined && !text.includes('{"type":');
}

// ── What begins and ends ──────────────────────────────────────────────────────────────────────────

export function startRetry(conversation: Conversation, event: EventOf<'retry-start'>): Conversation {
  const { attempt, maxAttempts, delayMs, error } = event;
  // The one before has come to nothing, or there would not be another.
  const before = closeRetry(conversation, event.subagentId, 'error');
  const id = madeUpId(before, 'retry');
  const part: Part = {
    ...baseOf(event, id, gapOrder(before, event, 'weather')),
    type: 'retry',
    attempt,
    ...told({ maxAttempts, delayMs, error }),
  };
  return putThread(addPart(before, part), event.subagentId, { retryId: id });
}

export function endRetry(conversation: Conversation, event: EventOf<'retry-end'>): Conversation {
  return closeRetry(conversation, event.subagentId, event.outcome);
}

function closeRetry(
  conversation: Conversation,
  subagentId: string | undefined,
  outcome: EventOf<'retry-end'>['outcome'],
): Conversation {
  const { retryId } = threadOf(conversation, subagentId);
  const part = retryId === undefined ? undefined : findEntry(conversation.parts, retryId);
  return part?.type === 'retry' && part.outcome === undefined
    ? replacePart(conversation, part, { ...part, outcome })
    : conversation;
}

export function changeCompaction(
  conversation: Conversation,
  event: EventOf<'compaction-start' | 'compaction-end'>,
): Conversation {
  const openId = `compaction:${event.compactionId}`;
  // Two streams name a compaction differently while it goes on; the line that ends it is the same in both.
  const isOver = event.type === 'compaction-end';
  const id = isOver && event.lineId !== undefined ? `compaction:${event.lineId}` : openId;
  // Only compactions have such ids.
  const known = findEntry(conversation.parts, openId) as CompactionPart | undefined;
  if (id !== openId && findEntry(conversation.parts, id)) {
    return known ? replacePart(conversation, known, { ...known, outcome: 'unknown', hidden: true }) : conversation;
  }
  const order = boundaryOrder(conversation, event, known?.order);
  const part: CompactionPart = {
    ...(known ?? { ...baseOf(event, id, order), type: 'compaction' }),
    ...(isOver && { id, order }),
    ...told({ trigger: event.trigger }),
    ...(isOver &&
      told({
        outcome: event.outcome,
        tokensBefore: event.tokensBefore,
        tokensAfter: event.tokensAfter,
        summary: event.summary,
        durationMs: event.durationMs,
      })),
  };
  return known ? replacePart(conversation, known, part) : addPart(conversation, part);
}

/** Hooks that do their work are nobody's concern. */
export function changeHook(conversation: Conversation, event: EventOf<'hook-start' | 'hook-end'>): Conversation {
  const id = `hook:${event.hookId}`;
  // Only hooks have such an id.
  const known = findEntry(conversation.parts, id) as HookPart | undefined;
  const { hidden: _, ...before } = known ?? {
    ...baseOf(event, id, gapOrder(conversation, event, 'weather')),
    type: 'hook' as const,
    name: '',
  };
  const part: HookPart = {
    ...before,
    ...(event.type === 'hook-start'
      ? told({ name: event.name, on: event.on })
      : told({ outcome: event.outcome, output: event.output, exitCode: event.exitCode })),
  };
  const shown: HookPart = part.outcome === 'error' ? part : { ...part, hidden: true };
  return known ? replacePart(conversation, known, shown) : addPart(conversation, shown);
}

/** The session goes on in another mode. Which one it began with is no change. */
export function changeMode(conversation: Conversation, event: EventOf<'session-update'>): Conversation {
  const { permissionMode: mode } = event;
  const previousMode = conversation.permissionMode;
  if (mode === undefined || mode === previousMode) return conversation;
  const next = { ...conversation, permissionMode: mode };
  if (previousMode === null) return next;
  return addPart(next, {
    ...baseOf(event, madeUpId(next, 'mode'), gapOrder(next, event, 'weather')),
    type: 'mode',
    mode,
    previousMode,
  });
}
