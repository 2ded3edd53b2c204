// Several streams of one session → one. Stdout and the session's own files tell the same things, in their own time and each with
// its gaps; here every id comes through once, whoever tells it first, and nothing that was let through is changed or moved: a
// late event says where it belongs (`after`), and what is known better later comes as a correction (docs/decisions/0006).
// Any interleaving of the same streams gives the same conversation and the same bill.

import type { Ledger } from '../accounting/ledger.ts';
import type { PriceTable } from '../accounting/prices.ts';
import type { AgentStreamEvent, EventOf, EventType } from '../event/event.ts';
import { isAnchor } from './anchors.ts';
import { createBill } from './bill.ts';
import { createHead } from './head.ts';
import { createOnce } from './once.ts';
import { createStreamState, type SessionStream, type StreamState } from './stream.ts';
import { createTaskNames } from './task-names.ts';

export interface Session {
  /** Takes an event of one stream; gives what is new in it. */
  add(stream: SessionStream, event: AgentStreamEvent): AgentStreamEvent[];
  /**
   * The streams are over, each with the end of its own decoder: closes what none of them has closed, tells the bill, and ends
   * with `session-end`. More may be added later; then it can be ended again.
   */
  end(): AgentStreamEvent[];
  /** What the session has cost so far, all streams together. */
  readonly ledger: Ledger;
}

/**
 * Folds the streams of one session into one.
 *
 * @example
 * const session = createSession();
 * const stdout = { id: 'run', source: 'stdout' } as const;
 * for (const event of decoder.feed(bytes)) for (const fresh of session.add(stdout, event)) show(fresh);
 */
export function createSession(options: { readonly prices?: PriceTable | undefined } = {}): Session {
  const bill = createBill(options);
  const once = createOnce();
  const head = createHead();
  const names = createTaskNames((taskId) => once.items.has(`task ${taskId}`));
  const streams = new Map<string, StreamState>();
  const backgrounds = new Set<string>();
  let isOver = false;
  let seq = 0;
  let turns = 0;

  function stateOf(stream: SessionStream): StreamState {
    let state = streams.get(stream.id);
    if (!state) {
      state = createStreamState(stream);
      streams.set(stream.id, state);
    }
    return state;
  }

  // ── What comes along ────────────────────────────────────────────────────────────────────────────

  /** What a second sighting of a start adds: that a sub-agent runs in the background, what a call is called for people. */
  function addedBy(event: AgentStreamEvent): AgentStreamEvent | undefined {
    const { seq, line, time, at, sessionId, subagentId } = event;
    const base = { seq, line, time, at, sessionId, subagentId };
    if (event.type === 'task-start' && event.background === true && !backgrounds.has(event.taskId)) {
      backgrounds.add(event.taskId);
      return clean({ type: 'task-update', taskId: event.taskId, background: true, ...base });
    }
    const item = event.type === 'tool-call-start' ? once.items.get(`call ${event.toolCallId}`) : undefined;
    if (event.type !== 'tool-call-start' || !item || event.title === undefined || item.title !== undefined)
      return undefined;
    item.title = event.title;
    return clean({ type: 'tool-call-update', toolCallId: event.toolCallId, title: event.title, ...base });
  }

  function note(event: AgentStreamEvent): void {
    if (event.type === 'task-start' && event.background) backgrounds.add(event.taskId);
    const item = event.type === 'tool-call-start' ? once.items.get(`call ${event.toolCallId}`) : undefined;
    if (item && event.type === 'tool-call-start') item.title = event.title;
  }

  /** Another stream ends a text that is still growing: what its deltas lack comes before the end. */
  function restOf(event: AgentStreamEvent): AgentStreamEvent | undefined {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
      const item = once.items.get(`block ${event.blockId}`);
      if (item) item.length += event.delta.length;
    }
    if (event.type !== 'text-end' && event.type !== 'reasoning-end') return undefined;
    const { length = 0 } = once.items.get(`block ${event.blockId}`) ?? {};
    if (length === 0 || length >= event.text.length) return undefined;
    const { messageId, blockId, seq, line, time, at, sessionId, subagentId } = event;
    const type = event.type === 'text-end' ? 'text-delta' : 'reasoning-delta';
    const delta = event.text.slice(length);
    return clean({ type, messageId, blockId, delta, seq, line, time, at, sessionId, subagentId });
  }

  // ── In and out ──────────────────────────────────────────────────────────────────────────────────

  function afterOf(from: StreamState, event: AgentStreamEvent): number | undefined {
    const thread = event.subagentId ?? '';
    if (event.time === undefined || !isAnchor(event)) return from.latest.get(thread) ?? 0;
    from.latest.set(thread, Math.max(from.latest.get(thread) ?? 0, event.time));
    return undefined;
  }

  function release(from: StreamState, event: AgentStreamEvent, after: number | undefined): AgentStreamEvent {
    if (event.type === 'turn-end' && !event.synthetic) turns++;
    const isDelta = event.type === 'text-delta' || event.type === 'reasoning-delta';
    return after === undefined || isDelta
      ? { ...event, seq: seq++, from: from.stream.id }
      : { ...event, seq: seq++, from: from.stream.id, after };
  }

  function add(stream: SessionStream, given: AgentStreamEvent): AgentStreamEvent[] {
    const from = stateOf(stream);
    isOver = false;
    const event = names.rename(from, given);
    const before = event.type === 'raw' ? [] : endCompaction(from, event);
    return [...before, ...addOne(from, event)];
  }

  /** The line after the boundary says when it was: both streams have it, and the boundary itself has a time only in one. */
  function endCompaction(from: StreamState, next: AgentStreamEvent | undefined): AgentStreamEvent[] {
    const { boundary, compaction: start } = from;
    if (!boundary) return [];
    from.boundary = undefined;
    from.compaction = undefined;
    const isShown = from.stream.source === 'stdout';
    if (!once.isFresh(from, boundary) && !isShown) return [];
    const { time: _, ...untimed } = boundary;
    const time = next?.type === 'user-message' ? next.time : undefined;
    const end: EventOf<'compaction-end'> = time === undefined ? untimed : { ...untimed, time };
    const both = start && !isShown ? [start, end] : [end];
    const after = from.latest.get(boundary.subagentId ?? '') ?? 0;
    return both.map((one) => release(from, one, after));
  }

  function addOne(from: StreamState, event: AgentStreamEvent): AgentStreamEvent[] {
    const { stream } = from;
    if (event.subagentId === undefined && isAnchor(event)) from.hasMain = true;
    bill.add(stream, event);
    const after = afterOf(from, event);
    switch (event.type) {
      case 'session-start':
      case 'session-update': {
        const news = head.newIn(from, event);
        return news ? [release(from, news, after)] : [];
      }
      case 'session-end':
        from.end = event;
        return [];
      case 'compaction-start':
        from.compaction = event;
        // A file tells a compaction only when it is over.
        return stream.source === 'stdout' ? [release(from, event, after)] : [];
      case 'compaction-end':
        from.boundary = event;
        return [];
      default: {
        if (!once.isFresh(from, event)) {
          const news = addedBy(event);
          return news ? [release(from, news, after)] : [];
        }
        note(event);
        const missing = restOf(event);
        if (missing) return [release(from, missing, after), release(from, event, after)];
        return [release(from, event, after)];
      }
    }
  }

  /** A sub-agent of which no line told the end ended as the call that started it, unless that only launched it. */
  function withOutcome(event: AgentStreamEvent): AgentStreamEvent {
    if (event.type !== 'task-end' || event.outcome !== 'unknown' || backgrounds.has(event.taskId)) return event;
    const end = once.items.get(`call ${names.callOf(event.taskId)}`)?.end;
    return end?.type === 'tool-call-end' && end.outcome ? { ...event, outcome: end.outcome } : event;
  }

  /** Stdout's word about the end, of the run that was last; a file's where stdout has none and the file goes on after it. */
  function lastEnd(): StreamState | undefined {
    const newest = (source: SessionStream['source']): StreamState | undefined =>
      [...streams.values()]
        .filter(({ end, hasMain, stream }) => end && stream.source === source && (hasMain || source === 'stdout'))
        .reduce<StreamState | undefined>((best, one) => (best && timeOf(best) > timeOf(one) ? best : one), undefined);
    const run = newest('stdout');
    const file = newest('transcript');
    const isBetter = !run || (run.end?.outcome === 'unknown' && file && timeOf(file) > timeOf(run));
    return isBetter ? (file ?? run) : run;
  }

  function end(): AgentStreamEvent[] {
    if (isOver) return [];
    isOver = true;
    const out: AgentStreamEvent[] = [...streams.values()].flatMap((from) => endCompaction(from, undefined));
    for (const { event, from } of once.takeHeld())
      out.push(release(from, withOutcome(event), from.latest.get(event.subagentId ?? '') ?? 0));
    const last = lastEnd() ?? [...streams.values()].find((one) => one.end);
    if (!last?.end) return out;
    const { sessionId } = last.end;
    const update = streams.size > 1 ? bill.update() : undefined;
    if (update) out.push({ ...update, ...(sessionId !== undefined && { sessionId }), seq: seq++ });
    const { usage, cost, ...rest } = last.end;
    out.push({ ...rest, seq: seq++, from: last.stream.id, turns, ...bill.ledger.totals() });
    return out;
  }

  return { add, end, ledger: bill.ledger };
}

/** When the main thread last said or did something. */
function timeOf({ latest }: StreamState): number {
  return latest.get('') ?? 0;
}

/** Without the fields that are not told. */
function clean(draft: Record<string, unknown> & { readonly type: EventType }): AgentStreamEvent {
  const event = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
  return event as unknown as AgentStreamEvent;
}
