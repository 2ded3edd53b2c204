// What was changed since a prompt, and by whom: by the agent's own edit tools, whose files it can set back, by commands and others of
// which it keeps nothing, or by somebody else. Pure: a fold over the session's events.

import { resolve } from 'node:path';
import type { AgentStreamEvent, EventOf, FileChange } from '@tailrace/core';

/** A file that was changed since the prompt; once in each list. */
export interface ChangedFile {
  readonly path: string;
  /** How it began: a file that was added, and changed afterwards, was added. */
  readonly operation: FileChange['operation'];
  /** It was not there at the prompt, whoever made it then. */
  readonly isNew: boolean;
  /** It is gone as far as anybody knows. */
  readonly isDeleted: boolean;
  /** The calls that did it, or one of which did it. */
  readonly calls: readonly ChangingCall[];
  /** Whether the agent had a copy of it before this change, since one of its tools had edited the file already. */
  readonly wasKept: boolean;
  /** All in all, as far as it was told. */
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

export interface ChangingCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The command, or what else the call is called by. */
  readonly title?: string | undefined;
  /** A sub-agent made the call. */
  readonly subagentId?: string | undefined;
}

export interface ChangesSince {
  readonly checkpoint: string;
  /** The prompt is among the events. */
  readonly isKnown: boolean;
  /** Its beginning. */
  readonly prompt?: string | undefined;
  /** By edit tools of the agent's own, on its main thread: it keeps a copy before each of them. */
  readonly byTools: readonly ChangedFile[];
  /** By commands, by sub-agents, and by tools that are not the agent's own: no copies are kept of what these change. */
  readonly byCommands: readonly ChangedFile[];
  /** By somebody else, or by one of several calls. */
  readonly unknown: readonly ChangedFile[];
  /** Every command that ran since. */
  readonly commands: readonly ChangingCall[];
  /** Somebody watched the files meanwhile. Else nobody knows what the commands changed. */
  readonly isWatched: boolean;
  /** When the last of the events came, in epoch milliseconds. */
  readonly lastAt?: number | undefined;
}

export interface ChangesReader {
  add(event: AgentStreamEvent): void;
  changes(): ChangesSince;
}

/** The same for events that are all there. */
export function changesSince(events: Iterable<AgentStreamEvent>, checkpoint: string): ChangesSince {
  const reader = createChanges(checkpoint);
  for (const event of events) reader.add(event);
  return reader.changes();
}

/** Takes the events of a session, from its beginning and in their order. */
export function createChanges(checkpoint: string): ChangesReader {
  const calls = new Map<string, KnownCall>();
  /** Files that the agent has copies of. */
  const kept = new Set<string>();
  /** How each file was changed first since the prompt. */
  const first = new Map<string, FileChange['operation']>();
  const lists: Record<'byTools' | 'byCommands' | 'unknown', FileList> = {
    byTools: new Map(),
    byCommands: new Map(),
    unknown: new Map(),
  };
  const commands = new Map<string, KnownCall>();
  /** The streams of runs that go on: whoever runs an agent watches its files. */
  const running = new Set<string | undefined>();
  /** Changes that no call was known for, and when they were told. A watcher that is ahead of the lines hears of the call later. */
  const orphans = new Map<string, number>();
  /** Calls of this turn that could have done anything: one that is over, or its children, may have done it just before. */
  let suspects: readonly KnownCall[] = [];
  let prompt: string | undefined;
  let cwd: string | undefined;
  let isKnown = false;
  let isWatched = true;
  let lastAt: number | undefined;

  function hearCall(event: EventOf<'tool-call-start' | 'tool-call-input-end'>): void {
    const known = calls.get(event.toolCallId);
    if (event.type === 'tool-call-input-end') {
      if (known && event.title !== undefined) known.title = event.title;
      return;
    }
    if (known) return;
    const { toolCallId, toolName, kind, title, mcp, subagentId } = event;
    // 2.1.325 keeps no copies of what a sub-agent edits.
    const isOwnEdit = EDITS.has(kind) && mcp === undefined && subagentId === undefined;
    const call: KnownCall = { toolCallId, toolName, title, subagentId, isOwnEdit, at: event.at };
    calls.set(toolCallId, call);
    if (!isOwnEdit && !HARMLESS.has(kind)) suspect(call);
    if (!isKnown || !(kind === 'execute' || (mcp !== undefined && !HARMLESS.has(kind)))) return;
    commands.set(toolCallId, call);
    if (running.size === 0) isWatched = false;
  }

  /** The call had come when the change was told. */
  function isEarly(path: string, { at = Number.POSITIVE_INFINITY }: KnownCall): boolean {
    return (orphans.get(path) ?? Number.NEGATIVE_INFINITY) >= at;
  }

  /** A command may have done what was told before it came. */
  function suspect(call: KnownCall): void {
    suspects = [...suspects, call];
    for (const [path, file] of lists.unknown)
      if (isEarly(path, call)) lists.unknown.set(path, { ...file, calls: [...file.calls, call] });
  }

  /** A tool says by itself that it did it. */
  function adopt(path: string, causes: readonly KnownCall[]): void {
    if (causes.some((call) => isEarly(path, call)) && orphans.delete(path)) lists.unknown.delete(path);
  }

  function hearChange({ toolCallId, candidates, changes, outcome, at }: EventOf<'file-change'>): void {
    if (outcome === 'denied' || outcome === 'error') return;
    const ids = toolCallId === undefined ? (candidates ?? []) : [toolCallId];
    const causes = ids.map((id) => calls.get(id) ?? unknownCall(id));
    const isTool = causes.length > 0 && causes.every(({ isOwnEdit }) => isOwnEdit);
    const isCommand = causes.length > 0 && !causes.some(({ isOwnEdit }) => isOwnEdit);
    const list: FileList = isTool ? lists.byTools : isCommand ? lists.byCommands : lists.unknown;
    for (const change of changes.flatMap(bothEnds)) {
      // A tool may name a file as it was asked to, the watcher names it in full.
      const path = cwd === undefined ? change.path : resolve(cwd, change.path);
      if (isKnown) {
        first.set(path, first.get(path) ?? change.operation);
        note(list, { ...change, path }, causes.length === 0 ? suspects : causes, {
          isNew: first.get(path) === 'add',
          wasKept: kept.has(path),
        });
      }
      if (isTool) {
        kept.add(path);
        adopt(path, causes);
      }
      if (isKnown && causes.length === 0 && at !== undefined) orphans.set(path, at);
    }
  }

  return {
    add(event) {
      const at = event.time ?? event.at;
      if (at !== undefined && (lastAt === undefined || at > lastAt)) lastAt = at;
      switch (event.type) {
        case 'run-start':
          cwd ??= event.cwd;
          running.add(event.from);
          break;
        case 'session-start':
          cwd ??= event.cwd;
          break;
        case 'turn-end':
          suspects = [];
          break;
        case 'session-end':
          suspects = [];
          running.delete(event.from);
          break;
        case 'notice':
          if (event.nativeCode !== undefined && NOT_WATCHED.has(event.nativeCode)) running.delete(event.from);
          break;
        case 'user-message':
          if (event.messageId !== checkpoint || isKnown) break;
          isKnown = true;
          prompt = beginningOf(event);
          break;
        case 'tool-call-start':
        case 'tool-call-input-end':
          hearCall(event);
          break;
        case 'file-change':
          hearChange(event);
          break;
      }
    },
    changes: () => ({
      checkpoint,
      isKnown,
      prompt,
      byTools: [...lists.byTools.values()].map(asTold),
      byCommands: [...lists.byCommands.values()].map(asTold),
      unknown: [...lists.unknown.values()].map(asTold),
      commands: [...commands.values()].map(asCall),
      isWatched,
      lastAt,
    }),
  };
}

type KnownFile = ChangedFile & { readonly calls: readonly KnownCall[] };
type FileList = Map<string, KnownFile>;

interface KnownCall {
  readonly toolCallId: string;
  readonly toolName: string;
  title: string | undefined;
  readonly subagentId?: string | undefined;
  /** An edit tool of the agent's own, which keeps a copy before it writes. */
  readonly isOwnEdit: boolean;
  /** When it came. */
  readonly at?: number | undefined;
}

/** What a run warns of when it does not see all of its folder. */
const NOT_WATCHED: ReadonlySet<string> = new Set(['workspace-not-watched', 'workspace-too-large']);
const EDITS: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);
/** What such calls do leaves no trace in files. */
const HARMLESS: ReadonlySet<string> = new Set(['read', 'search', 'think', 'fetch', 'switch_mode']);
const SHOWN_CHARACTERS = 200;

function beginningOf({ content }: EventOf<'user-message'>): string {
  const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  return [...text.slice(0, 2 * SHOWN_CHARACTERS)].slice(0, SHOWN_CHARACTERS).join('');
}

/** A file that was moved is gone from where it was. */
function bothEnds(change: FileChange): readonly FileChange[] {
  return change.operation === 'move' && change.fromPath !== undefined
    ? [{ path: change.fromPath, operation: 'delete' }, change]
    : [change];
}

function note(
  list: FileList,
  change: FileChange,
  causes: readonly KnownCall[],
  { isNew, wasKept }: Pick<ChangedFile, 'isNew' | 'wasKept'>,
): void {
  const { path, operation, linesAdded = 0, linesRemoved = 0 } = change;
  const before = list.get(path);
  const calls = [...(before?.calls ?? []), ...causes];
  list.set(path, {
    path,
    operation: before?.operation ?? operation,
    isNew,
    isDeleted: operation === 'delete',
    calls: calls.filter((call, index) => calls.findIndex((one) => one.toolCallId === call.toolCallId) === index),
    wasKept: before?.wasKept ?? wasKept,
    linesAdded: (before?.linesAdded ?? 0) + linesAdded,
    linesRemoved: (before?.linesRemoved ?? 0) + linesRemoved,
  });
}

function unknownCall(toolCallId: string): KnownCall {
  return { toolCallId, toolName: '', title: undefined, isOwnEdit: false };
}

/** A call may have got its title after the change. */
function asTold(file: KnownFile): ChangedFile {
  return { ...file, calls: file.calls.map(asCall) };
}

function asCall({ toolCallId, toolName, title, subagentId }: KnownCall): ChangingCall {
  return { toolCallId, toolName, title, subagentId };
}
