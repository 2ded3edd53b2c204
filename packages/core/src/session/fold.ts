// Several streams of one session → one. Stdout and the session's own files tell the same things, in their own time and each with
// its gaps; here every id comes through once, whoever tells it first, and nothing that was let through is changed or moved: a
// late event says where it belongs (`after`), and what is known better later comes as a correction (docs/decisions/0006).
// Any interleaving of the same streams gives the same conversation and the same bill.

import type { Ledger } from '../accounting/ledger.ts';
import type { PriceTable } from '../accounting/prices.ts';
import type { AgentStreamEvent, EventOf, EventType, Outcome, Usage } from '../event/event.ts';
import { isAnchor } from './anchors.ts';
import { createBill } from './bill.ts';

/** One source of a session's events: the pipe of one run, or one file. Each has a decoder of its own. */
export interface SessionStream {
  readonly id: string;
  /** Stdout leads: what both tell about the session itself is taken from it. */
  readonly source: 'stdout' | 'transcript';
}

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

interface StreamState {
  readonly stream: SessionStream;
  /** The agent's time of the last answer or tool result, by thread. */
  readonly latest: Map<string, number>;
  /** How often something without an id was told. */
  readonly counts: Map<string, number>;
  /** Its names of sub-agents that another stream named otherwise. */
  readonly aliases: Map<string, string>;
  /** Whether it holds anything of the main thread. */
  hasMain: boolean;
  /** The retry that is under way. */
  retry: string | undefined;
  /** A compaction waits for its end, which tells whether it is new; and the end for the summary after it, which has a time. */
  compaction: AgentStreamEvent | undefined;
  boundary: EventOf<'compaction-end'> | undefined;
  end: EventOf<'session-end'> | undefined;
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
  const streams = new Map<string, StreamState>();
  const items = new Map<string, Item>();
  /** Things without a course: told once. */
  const told = new Set<string>();
  /** The answers' ends as they were let through. */
  const ends = new Map<string, EventOf<'message-end'>>();
  /** Sub-agents by the call that started them. */
  const tasksByCall = new Map<string, string>();
  const callsByTask = new Map<string, string>();
  const backgrounds = new Set<string>();
  /** Requests that wait for an answer. */
  const requests = new Set<string>();
  /** What stdout told about the session: the files only fill in. */
  const facts = new Set<string>();
  const filed = new Set<string>();
  /** Ends that no line told. Another stream may still know better. */
  let held: { readonly event: AgentStreamEvent; readonly from: StreamState; readonly key: string }[] = [];
  let isStarted = false;
  let isOver = false;
  let seq = 0;
  let turns = 0;

  function stateOf(stream: SessionStream): StreamState {
    let state = streams.get(stream.id);
    if (!state) {
      state = {
        stream,
        latest: new Map(),
        counts: new Map(),
        aliases: new Map(),
        hasMain: false,
        retry: undefined,
        compaction: undefined,
        boundary: undefined,
        end: undefined,
      };
      streams.set(stream.id, state);
    }
    return state;
  }

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

  // ── The session itself ──────────────────────────────────────────────────────────────────────────

  /** The first start is the session's; what a later one tells is an update. Where stdout told a fact, a file does not change it. */
  function headOf(from: StreamState, event: EventOf<'session-start' | 'session-update'>): AgentStreamEvent | undefined {
    const leads = from.stream.source === 'stdout';
    const isFirst = event.type === 'session-start' && !isStarted;
    const kept: Record<string, unknown> = {};
    let news = 0;
    for (const [key, value] of Object.entries(event)) {
      if (BASE.has(key)) {
        kept[key] = value;
        continue;
      }
      // Of what changes in the course of a session a file tells only the first: where it changed, stdout knows better.
      if (!leads && (facts.has(key) || (CHANGING.has(key) && filed.has(key)))) continue;
      (leads ? facts : filed).add(key);
      kept[key] = value;
      news++;
    }
    if (event.type === 'session-start') isStarted = true;
    if (!isFirst && news === 0) return undefined;
    // The fields are those of the event it came from, and `session-update` has all facts of `session-start`.
    if (isFirst) return { ...kept, agent: event.agent } as unknown as AgentStreamEvent;
    return { ...kept, type: 'session-update' } as unknown as AgentStreamEvent;
  }

  // ── Sub-agents ──────────────────────────────────────────────────────────────────────────────────

  /** Two streams may have two names for one sub-agent; the call that started it is the same. */
  function renamed(from: StreamState, event: AgentStreamEvent): AgentStreamEvent {
    if (event.type === 'task-start' && event.toolCallId !== undefined) {
      const known = tasksByCall.get(event.toolCallId);
      if (known === undefined) {
        tasksByCall.set(event.toolCallId, event.taskId);
        callsByTask.set(event.taskId, event.toolCallId);
      } else if (known !== event.taskId && !items.has(`task ${event.taskId}`)) from.aliases.set(event.taskId, known);
    }
    if (from.aliases.size === 0) return event;
    const other = { ...event } as Record<string, unknown>;
    for (const key of ['taskId', 'subagentId', 'parentTaskId']) {
      const alias = from.aliases.get(other[key] as string);
      if (alias !== undefined) other[key] = alias;
    }
    return other as unknown as AgentStreamEvent;
  }

  /** What a second sighting of a start adds: that a sub-agent runs in the background, what a call is called for people. */
  function addedBy(event: AgentStreamEvent): AgentStreamEvent | undefined {
    const { seq, line, time, at, sessionId, subagentId } = event;
    const base = { seq, line, time, at, sessionId, subagentId };
    if (event.type === 'task-start' && event.background === true && !backgrounds.has(event.taskId)) {
      backgrounds.add(event.taskId);
      return clean({ type: 'task-update', taskId: event.taskId, background: true, ...base });
    }
    const item = event.type === 'tool-call-start' ? items.get(`call ${event.toolCallId}`) : undefined;
    if (event.type !== 'tool-call-start' || !item || event.title === undefined || item.title !== undefined)
      return undefined;
    item.title = event.title;
    return clean({ type: 'tool-call-update', toolCallId: event.toolCallId, title: event.title, ...base });
  }

  function note(event: AgentStreamEvent): void {
    if (event.type === 'task-start' && event.background) backgrounds.add(event.taskId);
    const item = event.type === 'tool-call-start' ? items.get(`call ${event.toolCallId}`) : undefined;
    if (item && event.type === 'tool-call-start') item.title = event.title;
  }

  /** Another stream ends a text that is still growing: what its deltas lack comes before the end. */
  function restOf(event: AgentStreamEvent): AgentStreamEvent | undefined {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
      const item = items.get(`block ${event.blockId}`);
      if (item) item.length += event.delta.length;
    }
    if (event.type !== 'text-end' && event.type !== 'reasoning-end') return undefined;
    const { length = 0 } = items.get(`block ${event.blockId}`) ?? {};
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
    const event = renamed(from, given);
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
    if (!isFresh(from, boundary) && !isShown) return [];
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
        const head = headOf(from, event);
        return head ? [release(from, head, after)] : [];
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
        if (!isFresh(from, event)) {
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
    const end = items.get(`call ${callsByTask.get(event.taskId)}`)?.end;
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
    const waiting = held;
    held = [];
    for (const { event, from, key } of waiting) {
      const isInput = event.type === 'tool-call-input-end';
      const item = items.get(key);
      if (item?.isEnded || (isInput && item?.isInputEnded)) continue;
      if (item && isInput) item.isInputEnded = true;
      else if (item) item.isEnded = true;
      out.push(release(from, withOutcome(event), from.latest.get(event.subagentId ?? '') ?? 0));
    }
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

const CHANGING: ReadonlySet<string> = new Set(['permissionMode', 'model']);

/** The fields that every event may have: they are no facts of the session. */
const BASE: ReadonlySet<string> = new Set([
  'type',
  'seq',
  'line',
  'time',
  'at',
  'after',
  'lineId',
  'from',
  'sessionId',
  'subagentId',
  'synthetic',
  'extra',
  'native',
  'agent',
  'resumed',
]);

function outputOf(usage: Usage | undefined): number {
  return usage?.outputTokens ?? -1;
}

/** Without the fields that are not told. */
function clean(draft: Record<string, unknown> & { readonly type: EventType }): AgentStreamEvent {
  const event = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
  return event as unknown as AgentStreamEvent;
}
