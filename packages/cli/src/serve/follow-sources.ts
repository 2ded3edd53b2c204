// What comes from elsewhere while the server runs: the agents' own files, and what hooks leave.

import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import type { Store } from '@tailrace/store';
import { messageOf } from '../failure.ts';
import { loadStore, takeHooks } from '../history/open.ts';
import { dataFolder, spoolOf } from '../home.ts';

export interface SourceOptions {
  readonly isWatching: boolean;
  /** Something was taken in. Whoever waits for its promise leaves room for what others write meanwhile. */
  onLines(): Promise<void>;
  warn(message: string): void;
}

export interface Sources {
  /** Rejects when nothing more can be taken in. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

/** Without hints of the system, hooks are looked for this often. */
const LOOK_MS = 1_000;

export function followSources(store: Store, { isWatching, onLines, warn }: SourceOptions): Sources {
  const control = new AbortController();
  const { signal } = control;
  const told = new Set<string>();
  let fail = (_error: unknown): void => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);

  function warnOnce(message: string): void {
    if (told.has(message)) return;
    told.add(message);
    warn(message);
  }

  let taking: Promise<void> = Promise.resolve();
  let isWaiting = false;

  /** One at a time; what comes meanwhile is taken by the next. */
  function takeSoon(): void {
    if (isWaiting || signal.aborted) return;
    isWaiting = true;
    taking = taking.then(async () => {
      isWaiting = false;
      await takeHooks(store).then(onLines, (error: unknown) => warnOnce(`hooks: ${messageOf(error)}`));
    });
  }

  const hints = watchSpool(takeSoon);
  const timer = setInterval(takeSoon, LOOK_MS);

  async function watchFiles(): Promise<void> {
    if (!isWatching) return;
    const { watchTranscripts } = await loadStore();
    await watchTranscripts(store.record, {
      signal,
      isForgotten: (sessionId) => store.isForgotten(sessionId),
      onLines,
      // A file that another process takes in is none of ours.
      onProblem: ({ path, message, code }) => {
        if (code !== 'busy') warnOnce(`${path}: ${message}`);
      },
    });
  }

  const watching = watchFiles().catch((error: unknown) => {
    if (!signal.aborted) fail(error);
  });

  return {
    failed,
    async stop() {
      control.abort();
      clearInterval(timer);
      hints?.close();
      await watching;
      await taking;
    },
  };
}

function watchSpool(onChange: () => void): FSWatcher | undefined {
  try {
    const { folder } = spoolOf(dataFolder());
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const watcher = watch(folder, onChange);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    // The clock does it.
    return undefined;
  }
}
