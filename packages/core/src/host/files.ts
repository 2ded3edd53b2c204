// Joins what tools report about files with what the workspace watcher saw, so that each change is told once, with its size.
// A change that a running call may still report itself is held until the call has ended: the tool knows more (the patch).

import type { EventDraft } from '../event/draft.ts';
import type { EventOf, FileChange } from '../event/event.ts';
import type { HostLine } from '../event/host-line.ts';
import { combineChanges } from './combine.ts';
import { placeBelow, resolvePath } from './paths.ts';

export type FileChangedLine = Extract<HostLine, { readonly type: 'file-changed' }>;

/** Puts an event into the stream, in the thread of the sub-agent whose call it is about. */
export type WriteChange = (event: EventDraft, subagentId: string | undefined) => void;

/** How many changes wait for their calls at the most: beyond it the oldest are told before their call has ended. */
export const MAX_HELD_CHANGES = 10_000;
/** How many reports of tools, and calls that are open, are remembered. */
const MAX_REMEMBERED = 10_000;
/** One event names no more files than this. */
export const MAX_CHANGES_PER_EVENT = 100;

/** A change that was seen and waits for the calls that could have made it. */
interface Held {
  readonly key: string;
  readonly place: string;
  readonly calls: readonly string[];
  readonly open: Set<string>;
  line: FileChangedLine;
}

interface Call {
  readonly subagentId: string | undefined;
  isOpen: boolean;
}

/**
 * Stands between a translator and the writer of its events. What comes out depends on the order of the lines alone,
 * never on how they were cut into pieces: it acts when a line is over.
 *
 * @example
 * joiner.hear(line);                            // for each `file-changed` line of the host
 * out.push(joiner.pass(draft, subagentId));     // for each event that is written
 * joiner.settle(write);                         // when all events of a line are written
 * joiner.finish(write);                         // before the translator closes what is open
 */
export class ChangeJoiner {
  /** The workspace as the host and as the agent spell it: one may have gone through a link. */
  private readonly roots: string[] = [];
  private cwd: string | undefined;
  private isStarted = false;
  /** The last calls, by their ids. */
  private readonly calls = new Map<string, Call>();
  private readonly held = new Map<string, Held>();
  private readonly heldByCall = new Map<string, Set<Held>>();
  /** By call and place. */
  private readonly heldAt = new Map<string, Set<Held>>();
  /** What waits for nobody any more. */
  private due: Held[] = [];
  private ended: string[] = [];
  /** Calls and places that tools have reported; the value says whether the file is gone. */
  private readonly reported = new Map<string, boolean>();

  /** Looks at an event that is about to be written, and gives the one to write: a tool's report gets the sizes that are known. */
  pass(event: EventDraft, subagentId?: string): EventDraft {
    switch (event.type) {
      case 'run-start':
        this.enter(event.cwd, true);
        return event;
      case 'session-start':
        this.enter(event.cwd, !this.isStarted);
        this.isStarted = true;
        return event;
      case 'session-update':
        this.enter(event.cwd, false);
        return event;
      case 'tool-call-start':
        remember(this.calls, event.toolCallId, { subagentId, isOpen: true });
        return event;
      case 'tool-call-end':
        this.ended.push(event.toolCallId);
        return event;
      case 'file-change':
        return this.join(event);
      default:
        return event;
    }
  }

  /** A file is not what it was. */
  hear(line: FileChangedLine): void {
    const place = this.placeOf(line.path);
    const calls = [...new Set(line.toolCallIds)].sort();
    const isGone = line.operation === 'delete';
    // The tool has told it already, and its event is out.
    if (calls.some((call) => this.reported.get(keyOf(call, place)) === isGone)) return;
    const key = keyOf(calls.join('\n'), place);
    const known = this.held.get(key);
    if (known) {
      const combined = combineChanges(known.line, line);
      if (combined) known.line = combined;
      else this.drop(known);
      return;
    }
    const open = new Set(calls.filter((call) => this.calls.get(call)?.isOpen));
    const held: Held = { key, place, calls, open, line };
    if (open.size === 0) this.due.push(held);
    else this.hold(held);
  }

  /** All events of a line are written: tells what waits for nobody any more. */
  settle(write: WriteChange): void {
    for (const call of this.ended) this.release(call);
    this.ended = [];
    if (this.isStarted && this.due.length > 0) this.tell(write);
  }

  /** The stream is over: tells what is held, whether or not its calls have ended. */
  finish(write: WriteChange): void {
    for (const held of [...this.held.values()]) this.ripen(held);
    this.isStarted = true;
    this.settle(write);
  }

  private enter(cwd: string | undefined, isRoot: boolean): void {
    if (cwd === undefined) return;
    this.cwd = cwd;
    const root = resolvePath(undefined, cwd);
    if (isRoot && this.roots.length < 2 && !this.roots.includes(root)) this.roots.push(root);
  }

  private placeOf(path: string): string {
    return placeBelow(this.roots, resolvePath(this.cwd, path));
  }

  private hold(held: Held): void {
    this.held.set(held.key, held);
    for (const call of held.open) {
      put(this.heldByCall, call, held);
      put(this.heldAt, keyOf(call, held.place), held);
    }
    if (this.held.size <= MAX_HELD_CHANGES) return;
    const [oldest] = this.held.values();
    if (oldest) this.ripen(oldest);
  }

  private drop(held: Held): void {
    this.held.delete(held.key);
    for (const call of held.open) {
      remove(this.heldByCall, call, held);
      remove(this.heldAt, keyOf(call, held.place), held);
    }
  }

  private ripen(held: Held): void {
    this.drop(held);
    this.due.push(held);
  }

  private release(call: string): void {
    for (const held of [...(this.heldByCall.get(call) ?? [])]) {
      remove(this.heldByCall, call, held);
      remove(this.heldAt, keyOf(call, held.place), held);
      held.open.delete(call);
      if (held.open.size === 0) this.ripen(held);
    }
    const known = this.calls.get(call);
    if (known) known.isOpen = false;
  }

  /** A tool's own report takes with it what the watcher saw of the same change. */
  private join(event: Extract<EventDraft, { readonly type: 'file-change' }>): EventDraft {
    const { toolCallId } = event;
    if (toolCallId === undefined || event.outcome !== 'success') return event;
    const changes = event.changes.map((change): FileChange => {
      if (change.operation === 'move' && change.fromPath !== undefined) this.take(toolCallId, change.fromPath, true);
      const seen = this.take(toolCallId, change.path, change.operation === 'delete');
      if (seen?.sizeBytes === undefined || change.sizeBytes !== undefined) return change;
      return { ...change, sizeBytes: seen.sizeBytes };
    });
    return { ...event, changes };
  }

  private take(call: string, path: string, isGone: boolean): FileChangedLine | undefined {
    const place = this.placeOf(path);
    remember(this.reported, keyOf(call, place), isGone);
    let seen: FileChangedLine | undefined;
    for (const held of [...(this.heldAt.get(keyOf(call, place)) ?? [])]) {
      if ((held.line.operation === 'delete') !== isGone) continue;
      this.drop(held);
      seen = held.line;
    }
    return seen;
  }

  private tell(write: WriteChange): void {
    const groups = new Map<string, Held[]>();
    for (const held of this.due) {
      const key = held.calls.join('\n');
      const group = groups.get(key);
      if (group) group.push(held);
      else groups.set(key, [held]);
    }
    this.due = [];
    for (const group of groups.values()) {
      for (let start = 0; start < group.length; start += MAX_CHANGES_PER_EVENT)
        this.tellGroup(group.slice(start, start + MAX_CHANGES_PER_EVENT), write);
    }
  }

  private tellGroup(group: readonly Held[], write: WriteChange): void {
    const calls = group[0]?.calls ?? [];
    const changes = group.map(({ line }) => changeOf(line));
    const [first] = calls;
    const draft = { type: 'file-change', changes, outcome: 'success' } as const;
    if (calls.length > 1) write({ ...draft, candidates: calls }, undefined);
    else write({ ...draft, toolCallId: first }, first === undefined ? undefined : this.calls.get(first)?.subagentId);
  }
}

function changeOf({ path, operation, sizeBytes }: FileChangedLine): EventOf<'file-change'>['changes'][number] {
  return { path, operation, ...(sizeBytes !== undefined && { sizeBytes }) };
}

function keyOf(calls: string, place: string): string {
  return JSON.stringify([calls, place]);
}

function put(index: Map<string, Set<Held>>, key: string, held: Held): void {
  const others = index.get(key);
  if (others) others.add(held);
  else index.set(key, new Set([held]));
}

function remove(index: Map<string, Set<Held>>, key: string, held: Held): void {
  const others = index.get(key);
  if (others?.delete(held) && others.size === 0) index.delete(key);
}

/** Keeps the last of many. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_REMEMBERED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
