// Every thing once, whoever tells it first: which events of the streams are new. The exceptions are corrections, each of which a
// reader may take as the newer word (docs/decisions/0006).

import type { AgentStreamEvent, EventOf, EventType, Outcome, Usage } from '../event/event.ts';
import type { SessionStream, StreamState } from './stream.ts';

export interface Once {
  /** The things that start and end, by their kind and id. */
  readonly items: ReadonlyMap<string, Item>;
  /** Whether the event tells something new. One that only a stream's own end made is held back: another may know better. */
  isFresh(from: StreamState, event: AgentStreamEvent): boolean;
  /** Of the ends that were held back those of what nobody has ended. From now on it has ended. */
  takeHeld(): readonly { readonly event: AgentStreamEvent; readonly from: StreamState }[];
}

/** What is known about one thing that starts and ends. */
interface Item {
  /** The stream that began it: only its deltas count. */
  readonly owner: string;
  /** How much of a text has come out. */
  length: number;
  isInputEnded: boolean;
  isEnded: boolean;
  /** What its end said that another could know better, and by whom: not the whole of it, which may be large. */
  end: { readonly type: EventType; readonly outcome?: Outcome; readonly form?: string } | undefined;
  endedBy: SessionStream['source'] | undefined;
  /** The title of a call. */
  title: string | undefined;
}

export function createOnce(): Once {
  const items = new Map<string, Item>();
  /** Things without a course: told once. */
  const told = new Set<string>();
  /** The answers' ends as they were let through. */
  const ends = new Map<string, EventOf<'message-end'>>();
  /** Requests that wait for an answer. */
  const requests = new Set<string>();
  /** Ends that no line told. Another stream may still know better. */
  let held: { readonly event: AgentStreamEvent; readonly from: StreamState; readonly key: string }[] = [];

  /** Once for all streams: the n-th of the same in one is the n-th in another. */
  function isNew(from: StreamState, key: string): boolean {
    return tell(numbered(from, key));
  }

  function numbered(from: StreamState, key: string): string {
    const count = (from.counts.get(key) ?? 0) + 1;
    from.counts.set(key, count);
    return count === 1 ? key : `${key}#${count}`;
  }

  function tell(key: string): boolean {
    if (told.has(key)) return false;
    told.add(key);
    return true;
  }

  function begin(from: StreamState, key: string): boolean {
    if (items.has(key)) return false;
    items.set(key, {
      owner: from.stream.id,
      length: 0,
      isInputEnded: false,
      isEnded: false,
      end: undefined,
      endedBy: undefined,
      title: undefined,
    });
    return true;
  }

  const isGrowing = (from: StreamState, key: string): boolean => {
    const item = items.get(key);
    return item !== undefined && item.owner === from.stream.id && !item.isEnded;
  };

  /** The first end that a line told counts; one that was only drawn from the stream's own end waits. */
  function finish(from: StreamState, key: string, event: AgentStreamEvent): boolean {
    const item = items.get(key);
    if (item?.isEnded && !knowsMore(from, item, event)) return false;
    if (event.synthetic) {
      held.push({ event, from, key });
      return false;
    }
    if (item) {
      item.isEnded = true;
      item.end = {
        type: event.type,
        ...('outcome' in event && { outcome: event.outcome }),
        ...('form' in event && { form: event.form }),
      };
      item.endedBy = from.stream.source;
    }
    return true;
  }

  /**
   * What stdout says about a sub-agent's end is better than what a file can tell, and a file does not tell a refusal from an
   * interruption; but it may know what kind of thought it was.
   */
  function knowsMore(from: StreamState, { end, endedBy }: Item, event: AgentStreamEvent): boolean {
    if (event.synthetic) return false;
    const isBetter = from.stream.source === 'stdout' && endedBy === 'transcript';
    if (event.type === 'task-end') return isBetter;
    if (event.type === 'tool-call-end' && end?.type === 'tool-call-end')
      return isBetter && event.outcome === 'denied' && end.outcome === 'cancelled';
    return (
      event.type === 'reasoning-end' &&
      end?.type === 'reasoning-end' &&
      end.form === 'unknown' &&
      event.form !== 'unknown'
    );
  }

  function isFresh(from: StreamState, event: AgentStreamEvent): boolean {
    switch (event.type) {
      case 'step-start':
        return begin(from, `step ${event.stepId}`);
      case 'step-end':
        return finish(from, `step ${event.stepId}`, event);
      case 'message-start':
        return begin(from, `message ${event.messageId}`);
      case 'message-end':
        return corrects(event);
      case 'text-start':
      case 'reasoning-start':
        return begin(from, `block ${event.blockId}`);
      case 'text-delta':
      case 'reasoning-delta':
        return isGrowing(from, `block ${event.blockId}`);
      case 'text-end':
      case 'reasoning-end':
        return finish(from, `block ${event.blockId}`, event);
      case 'tool-call-start':
        return begin(from, `call ${event.toolCallId}`);
      case 'tool-call-input-delta':
        return isGrowing(from, `call ${event.toolCallId}`) && !items.get(`call ${event.toolCallId}`)?.isInputEnded;
      case 'tool-call-input-end':
        return endsInput(from, event);
      case 'tool-call-update':
        return items.get(`call ${event.toolCallId}`)?.isEnded === false;
      case 'tool-call-end':
        return finish(from, `call ${event.toolCallId}`, event);
      case 'file-change':
      case 'todo-update':
      case 'plan-update':
        return isNew(from, `${event.type} ${event.toolCallId ?? JSON.stringify(event)}`);
      case 'task-start':
        return begin(from, `task ${event.taskId}`);
      case 'task-update':
        return items.get(`task ${event.taskId}`)?.isEnded === false;
      case 'task-end':
        return finish(from, `task ${event.taskId}`, event);
      case 'turn-start':
        return begin(from, `turn ${from.stream.id} ${event.turnId}`);
      case 'turn-end':
        return finish(from, `turn ${from.stream.id} ${event.turnId}`, event);
      case 'user-message':
        return event.messageId === undefined
          ? isNew(from, `user ${JSON.stringify(event.content)}`)
          : tell(`user ${event.messageId}`);
      case 'message-retract':
        return tell(`retract ${JSON.stringify([event.messageIds, event.blockIds, event.toolCallIds])}`);
      case 'hook-start':
        return begin(from, `hook ${event.hookId}`);
      case 'hook-end':
        return finish(from, `hook ${event.hookId}`, event);
      case 'permission-request':
      case 'question-request':
        requests.add(event.requestId);
        return tell(`request ${event.requestId}`);
      case 'permission-resolve':
      case 'question-resolve':
        return resolves(from, event);
      case 'retry-start':
        from.retry = numbered(from, `retry ${event.attempt} ${event.delayMs ?? ''}`);
        return tell(from.retry);
      case 'retry-end':
        // Whoever tells its end first.
        return from.retry !== undefined && tell(`end of ${from.retry}`);
      case 'compaction-end':
        return tell(`compaction ${event.lineId ?? `${from.stream.id} ${event.compactionId}`}`);
      case 'notice':
        return isNew(from, `notice ${event.lineId ?? `${event.nativeCode} ${event.title}`}`);
      case 'error':
        return isNew(from, `error ${event.lineId ?? event.error.message}`);
      case 'raw':
        return event.lineId === undefined || isNew(from, `raw ${event.lineId}`);
      case 'usage-update':
        // The bill is made of these, and told at the end.
        return event.scope !== 'session';
      case 'run-start':
        return tell(`run ${event.runId}`);
      case 'run-state':
      case 'rate-limit-update':
        return true;
      case 'session-start':
      case 'session-update':
      case 'session-end':
      case 'compaction-start':
        return false;
      default:
        return event satisfies never;
    }
  }

  /** The first end of an answer comes through; a second only when it knows more. */
  function corrects(event: EventOf<'message-end'>): boolean {
    const before = ends.get(event.messageId);
    const isMore =
      !before ||
      outputOf(event.usage) > outputOf(before.usage) ||
      (event.stopReason !== undefined && before.stopReason === undefined);
    if (isMore) ends.set(event.messageId, event);
    return isMore;
  }

  function endsInput(from: StreamState, event: EventOf<'tool-call-input-end'>): boolean {
    const key = `call ${event.toolCallId}`;
    const item = items.get(key);
    if (item?.isInputEnded) return false;
    if (event.synthetic) {
      held.push({ event, from, key });
      return false;
    }
    if (item) item.isInputEnded = true;
    return true;
  }

  /** A file knows that a call was denied, but not of the request: whoever asked gets its answer all the same. */
  function resolves(from: StreamState, event: EventOf<'permission-resolve' | 'question-resolve'>): boolean {
    const isOpen = event.requestId !== undefined && requests.delete(event.requestId);
    if (event.type === 'question-resolve') return isOpen;
    const key = event.toolCallId ?? event.requestId ?? '';
    const isFirst = isNew(from, `resolve ${key}`);
    // Why it was refused, where the one that came first could not tell.
    const isReasoned = event.reason !== undefined && tell(`reason ${key}`);
    return isOpen || isFirst || isReasoned;
  }

  function takeHeld(): { readonly event: AgentStreamEvent; readonly from: StreamState }[] {
    const waiting = held;
    held = [];
    return waiting.filter(({ event, key }) => {
      const isInput = event.type === 'tool-call-input-end';
      const item = items.get(key);
      if (item?.isEnded || (isInput && item?.isInputEnded)) return false;
      if (item && isInput) item.isInputEnded = true;
      else if (item) item.isEnded = true;
      return true;
    });
  }

  return { items, isFresh, takeHeld };
}

function outputOf(usage: Usage | undefined): number {
  return usage?.outputTokens ?? -1;
}
