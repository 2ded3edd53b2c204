// The workspace of one run: what changes in its files, and which of the agent's calls could have changed it.

import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { AgentStreamEvent, EventOf, HostLine } from '@tailrace/core';
import type { Clock } from '../clock.ts';
import { createAttribution, TICK_MS } from './attribution.ts';
import type { WatchLimits, WorkspaceChange, WorkspaceWarning } from './change.ts';
import { countsAsFile, isSame, type Stamp, stampOf, statOf } from './folder.ts';
import { createOwnOutput } from './own-output.ts';
import type { WatchFunction } from './signals.ts';
import { createWatcher } from './watch.ts';

export type FileChangedLine = Extract<HostLine, { readonly type: 'file-changed' }>;

/** How long a change that nobody seems to have made waits for a call that we may hear of late. */
const CLAIM_MS = 250;

/** How long a new file is watched before it is told: programs write beside a file and put that in its place. */
const YOUNG_MS = 100;

/** How many files outside the workspace are remembered as told. */
const MAX_TOLD = 1_000;

export interface WorkspaceOptions {
  readonly cwd: string;
  readonly clock: Clock;
  readonly onChange: (line: FileChangedLine) => void;
  readonly onWarning: (warning: WorkspaceWarning) => void;
  readonly limits?: WatchLimits | undefined;
  readonly watch?: WatchFunction | undefined;
}

export interface Workspace {
  /** From here on every change is told: the prompt waits for it. */
  readonly ready: Promise<void>;
  /** Hears each event of the run, after it was decoded. */
  hear(event: AgentStreamEvent): void;
  /**
   * To be called, and waited for, before each line of the agent's is decoded: it may be the end of a call, and what the call
   * has changed must be told before. Nothing to wait for when no call runs.
   */
  beforeFeed(): Promise<void> | undefined;
  /** Compares everything, and tells all that is left to tell: at the end of a turn and of a run. */
  look(): Promise<void>;
  close(): void;
}

interface Change {
  readonly change: WorkspaceChange;
  readonly toolCallIds: readonly string[];
}

export function watchWorkspace(options: WorkspaceOptions): Workspace {
  const { clock, onChange, onWarning } = options;
  const cwd = resolve(options.cwd);
  const root = realPath(cwd);
  const attribution = createAttribution(inWorkspace);
  /** Files that have just appeared. */
  const young = new Map<string, WorkspaceChange>();
  let cancelYoung: (() => void) | undefined;
  let unclaimed: WorkspaceChange[] = [];
  let cancelClaim: (() => void) | undefined;
  /** Files of which a change was told since the agent said something, and what has become of them after that. */
  const fresh = new Set<string>();
  const held = new Map<string, Change>();
  /** Files beyond the watched ones, as they were when they were told. */
  const told = new Map<string, Stamp>();
  const watcher = createWatcher({
    root,
    clock,
    onChange: receive,
    onWarning,
    limits: options.limits,
    watch: options.watch,
    isOwn: createOwnOutput(),
  });

  /** The same path whether it was named by way of a link to the workspace or not. */
  function inWorkspace(path: string): string {
    const absolute = resolve(root, path);
    const way = relative(cwd, absolute);
    return way === '..' || way.startsWith(`..${sep}`) || resolve(cwd, way) !== absolute ? absolute : resolve(root, way);
  }

  /** A file that is gone before anybody could use it was a step of writing another. */
  function receive(change: WorkspaceChange): void {
    const isYoung = young.has(change.path);
    if (isYoung && change.operation === 'delete') young.delete(change.path);
    else if (isYoung) young.set(change.path, { ...change, operation: 'add' });
    else if (change.operation === 'add') {
      young.set(change.path, change);
      cancelYoung ??= clock.after(YOUNG_MS, () => {
        cancelYoung = undefined;
        void watcher.look().then(tellYoung);
      });
    } else claim(change);
  }

  function tellYoung(): void {
    const changes = [...young.values()];
    young.clear();
    for (const change of changes) claim(change);
  }

  function claim(change: WorkspaceChange): void {
    // What happened to the same file before comes before.
    if (unclaimed.some(({ path }) => path === change.path)) tellUnclaimed();
    const calls = attribution.causesOf(change.path, change.at);
    if (calls.length > 0) return tell(change, calls);
    unclaimed.push(change);
    cancelClaim ??= clock.after(CLAIM_MS, tellUnclaimed);
  }

  /**
   * Whoever writes down what we tell may do it in this very folder, and each change would make the next one: while the agent says
   * nothing, a file is told once.
   */
  function tell(change: WorkspaceChange, toolCallIds: readonly string[]): void {
    const { path, operation } = change;
    held.delete(path);
    if (operation === 'modify' && fresh.has(path)) held.set(path, { change, toolCallIds });
    else {
      fresh.add(path);
      tellNow({ change, toolCallIds });
    }
  }

  function tellHeld(): void {
    const changes = [...held.values()];
    held.clear();
    fresh.clear();
    for (const { change, toolCallIds } of changes) tell(change, toolCallIds);
  }

  function tellNow({ change: { path, operation, sizeBytes }, toolCallIds }: Change): void {
    onChange({ type: 'file-changed', path, operation, ...(sizeBytes !== undefined && { sizeBytes }), toolCallIds });
  }

  function tellUnclaimed(): void {
    cancelClaim?.();
    cancelClaim = undefined;
    const changes = unclaimed;
    unclaimed = [];
    for (const change of changes) tell(change, attribution.causesOf(change.path, change.at));
  }

  /** A tool has told of a change that waits for its cause: under this name, or by way of a link. */
  function forget({ changes, toolCallId }: EventOf<'file-change'>): void {
    if (toolCallId === undefined || (young.size === 0 && unclaimed.length === 0)) return;
    const told = new Set(changes.flatMap(({ path }) => [inWorkspace(path), realPath(inWorkspace(path))]));
    for (const path of told) young.delete(path);
    unclaimed = unclaimed.filter(({ path }) => !told.has(path));
  }

  /** A call that has just begun may be the one that a change was waiting for. */
  function reclaim(): void {
    const waiting = unclaimed;
    unclaimed = [];
    for (const change of waiting) {
      const calls = attribution.causesOf(change.path, change.at);
      if (calls.length > 0) tell(change, calls);
      else unclaimed.push(change);
    }
  }

  /** Tools write where nobody watches, too: into ignored folders, and outside. There the file's own time has to do. */
  async function lookAtTargets(): Promise<void> {
    for (const { path, toolCallId, since } of attribution.targets()) {
      if (watcher.mark(path)) continue;
      const stats = await statOf(path);
      if (!stats || !countsAsFile(stats) || stats.ctimeMs < since - TICK_MS) continue;
      const stamp = stampOf(stats);
      if (isSame(told.get(path), stamp)) continue;
      told.set(path, stamp);
      if (told.size > MAX_TOLD) for (const oldest of [...told.keys()].slice(0, 1)) told.delete(oldest);
      const operation = stats.birthtimeMs >= since - TICK_MS ? 'add' : 'modify';
      tell({ path, operation, sizeBytes: stats.size, at: stats.ctimeMs }, [toolCallId]);
    }
  }

  return {
    ready: watcher.ready,
    hear(event) {
      // Only what the agent prints has a line.
      if (event.line !== undefined) tellHeld();
      if (event.type === 'file-change') forget(event);
      attribution.hear(event, event.at ?? clock.now());
      if (unclaimed.length > 0 && (event.type === 'tool-call-start' || event.type === 'tool-call-input-end')) reclaim();
    },
    beforeFeed() {
      if (!attribution.isBusy) return undefined;
      return (
        lookAtTargets()
          .then(() => watcher.look())
          .then(tellYoung)
          // What a call has changed is told before its end.
          .then(tellHeld)
      );
    },
    async look() {
      await lookAtTargets();
      await watcher.look({ whole: true });
      tellYoung();
      tellUnclaimed();
      tellHeld();
    },
    close() {
      cancelYoung?.();
      cancelClaim?.();
      watcher.close();
    },
  };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
