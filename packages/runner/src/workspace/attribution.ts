// Which calls could have changed a file: those that ran when it changed, and that write there. Pure; times are given.

import type { AgentStreamEvent, EventOf, ToolKind, ToolTag } from '@tailrace/core';

/** The times of files are read off a clock that ticks up to this often: a file may seem to have changed before it did. */
export const TICK_MS = 12;
/** How long a line may lie in the pipe before we read it: a call may have begun so much before we hear of it. */
export const LATE_MS = 100;
/** The same for a call that names this very file, where there is little doubt. */
export const LATE_FOR_TARGET_MS = 2_000;

/** Calls that are remembered after their end: a change may be found long after it was made. */
const MAX_CALLS = 1_000;

/** A file that a running call is about to write. */
interface Target {
  readonly path: string;
  readonly toolCallId: string;
  /** When the call began. */
  readonly since: number;
}

export interface Attribution {
  hear(event: AgentStreamEvent, at: number): void;
  /** The calls that could have changed this file at this time; none: it was somebody else. */
  causesOf(path: string, at: number): readonly string[];
  /** The files that running calls have named. */
  targets(): readonly Target[];
  /** Whether a call runs that could change a file. */
  readonly isBusy: boolean;
}

/** `resolve` makes any path that a tool names absolute. */
export function createAttribution(resolve: (path: string) => string): Attribution {
  const calls = new Map<string, Call>();
  /** Commands that go on after their call, by the id of the task. */
  const tasks = new Map<string, Call>();

  function hear(event: AgentStreamEvent, at: number): void {
    switch (event.type) {
      case 'tool-call-start':
        if (reachOf(event) === 'nothing') return;
        calls.set(event.toolCallId, new Call(event.toolCallId, reachOf(event), at));
        if (calls.size > MAX_CALLS) forgetOldest(calls);
        return;
      case 'tool-call-input-delta':
        return calls.get(event.toolCallId)?.write();
      case 'tool-call-input-end':
        calls.get(event.toolCallId)?.endInput(at);
        return addTargets(event);
      case 'tool-call-update':
        return addTargets(event);
      case 'permission-request':
        return event.toolCallId === undefined ? undefined : calls.get(event.toolCallId)?.wait(event.requestId, at);
      case 'permission-resolve':
        return resolveRequest(event, at);
      case 'tool-call-end':
        return calls.get(event.toolCallId)?.end(at, event.outcome === 'denied');
      case 'task-start': {
        const call = calls.get(event.toolCallId ?? '');
        // A sub-agent's calls are heard of themselves.
        if (!call || event.kind === 'agent') return;
        tasks.set(event.taskId, call);
        return call.addTask(event.taskId, at);
      }
      case 'task-end':
        tasks.get(event.taskId)?.endTask(event.taskId, at);
        tasks.delete(event.taskId);
        return;
      case 'session-end':
        for (const call of calls.values()) call.stop(at);
        return;
    }
  }

  function addTargets(event: EventOf<'tool-call-input-end' | 'tool-call-update'>): void {
    const call = calls.get(event.toolCallId);
    for (const { path } of event.locations ?? []) call?.targets.add(resolve(path));
  }

  function resolveRequest(event: EventOf<'permission-resolve'>, at: number): void {
    if (event.decision !== 'allowed') return;
    for (const call of calls.values()) {
      if (call.request !== undefined && (call.request === event.requestId || call.id === event.toolCallId))
        call.begin(at);
    }
  }

  return {
    hear,
    causesOf(path, at) {
      const all = [...calls.values()].reverse();
      const named = all.filter((call) => call.names(path));
      const free = all.filter((call) => call.reachesAll);
      // The nearest explanation wins: a call that names the file, then one that ran, then one that we may have heard of late.
      const ran = [
        named.filter((call) => call.ranAt(at, TICK_MS)),
        named.filter((call) => call.ranAt(at, LATE_FOR_TARGET_MS)),
        free.filter((call) => call.ranAt(at, TICK_MS)),
        free.filter((call) => call.ranAt(at, LATE_MS)),
      ].find((some) => some.length > 0);
      return (ran ?? []).map(({ id }) => id).reverse();
    },
    targets: () =>
      [...calls.values()].flatMap((call) =>
        call.isRunning && call.reach === 'targets'
          ? [...call.targets].map((path) => ({ path, toolCallId: call.id, since: call.since }))
          : [],
      ),
    get isBusy() {
      for (const call of calls.values()) if (call.isRunning) return true;
      return false;
    },
  };
}

/** What a call can change: nothing, the files it names, or any file. */
type Reach = 'nothing' | 'targets' | 'all';

const REACH: Readonly<Record<ToolKind, Reach>> = {
  edit: 'targets',
  delete: 'targets',
  move: 'targets',
  execute: 'all',
  other: 'all',
  read: 'nothing',
  search: 'nothing',
  think: 'nothing',
  fetch: 'nothing',
  switch_mode: 'nothing',
};

/** Open for as long as a person thinks about an answer: it would be blamed for whatever they do meanwhile. */
const HARMLESS: readonly ToolTag[] = ['question', 'todo', 'schedule', 'tool_search'];

function reachOf({ kind, tags, serverSide }: EventOf<'tool-call-start'>): Reach {
  // What the provider runs, it runs elsewhere.
  if (serverSide || (kind === 'other' && tags?.some((tag) => HARMLESS.includes(tag)))) return 'nothing';
  return REACH[kind];
}

function forgetOldest(calls: Map<string, Call>): void {
  for (const [id, call] of calls) {
    if (call.isRunning && calls.size < 2 * MAX_CALLS) continue;
    calls.delete(id);
    return;
  }
}

/** When a call ran. It does not run while its input is still being written, nor while somebody is asked whether it may. */
class Call {
  readonly id: string;
  readonly reach: Reach;
  readonly targets: Set<string> = new Set();
  /** The question that it waits for. */
  request: string | undefined;
  private from: number | undefined;
  private readonly began: number;
  private readonly spans: { readonly from: number; readonly to: number }[] = [];
  private readonly tasks: Set<string> = new Set();
  private isInputKnown = false;
  private isEnded = false;

  constructor(id: string, reach: Reach, at: number) {
    this.id = id;
    this.reach = reach;
    this.began = at;
    this.from = at;
  }

  /** A call whose input names nothing may write anything. */
  get reachesAll(): boolean {
    return this.reach === 'all' || (this.isInputKnown && this.targets.size === 0);
  }

  get isRunning(): boolean {
    return this.from !== undefined;
  }

  get since(): number {
    return this.from ?? this.began;
  }

  names(path: string): boolean {
    return this.reach === 'targets' && this.targets.has(path);
  }

  ranAt(at: number, early: number): boolean {
    if (this.from !== undefined && at >= this.from - early) return true;
    return this.spans.some(({ from, to }) => at >= from - early && at <= to);
  }

  /** Its input is on its way. */
  write(): void {
    if (this.spans.length === 0 && this.tasks.size === 0) this.from = undefined;
  }

  endInput(at: number): void {
    this.isInputKnown = true;
    if (this.request === undefined) this.begin(at);
  }

  begin(at: number): void {
    this.request = undefined;
    if (!this.isEnded) this.from ??= at;
  }

  wait(request: string, at: number): void {
    this.pause(at);
    this.request = request;
  }

  end(at: number, isDenied: boolean): void {
    this.isEnded = true;
    // Nobody told us of a yes, and yet it ran.
    if (this.from === undefined && !isDenied) this.from = this.spans.at(-1)?.to ?? this.began;
    this.request = undefined;
    if (this.tasks.size === 0) this.pause(at);
  }

  addTask(id: string, at: number): void {
    this.tasks.add(id);
    this.from ??= this.spans.at(-1)?.to ?? at;
  }

  endTask(id: string, at: number): void {
    if (this.tasks.delete(id) && this.isEnded && this.tasks.size === 0) this.pause(at);
  }

  stop(at: number): void {
    this.isEnded = true;
    this.pause(at);
  }

  private pause(at: number): void {
    if (this.from !== undefined) this.spans.push({ from: this.from, to: at });
    this.from = undefined;
  }
}
