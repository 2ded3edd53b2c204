// The person's own server: their store, their agents' files and hooks, and one server for all of it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agents } from '@tailrace/core';
import { pageFrom, type ServerOptions, startServer, type TailraceServer, takePlace } from '@tailrace/server';
import type { Store } from '@tailrace/store';
import { messageOf } from '../failure.ts';
import { readSettings, writeSetting } from '../history/config.ts';
import { openKept } from '../history/open.ts';
import { retire } from '../history/retention.ts';
import { dataFolder } from '../home.ts';
import { transcriptFolders } from '../usage/roots.ts';
import { followSources } from './follow-sources.ts';

export interface ServeOptions {
  readonly port: number | undefined;
  /** Folders below which runs may be started. */
  readonly roots: readonly string[];
  /** Whether the agents' own files are taken in. */
  readonly isWatching: boolean;
  readonly version: string;
  /** Whom the process that the server is in lets in beside those who sign in. */
  readonly authorize?: ServerOptions['authorize'];
  onListening(url: string): void;
  onCode(code: string): void;
  /** Somebody has come in with the newest code. */
  onSignIn?(): void;
  warn(message: string): void;
}

export interface Serving {
  readonly server: TailraceServer;
  /** Runs that ended with the server before. */
  readonly deadRuns: number;
  /** Rejects when it cannot go on. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

/** Where people find it, unless it is taken. */
const PORT = 7317;

/** Starts the server, or says where the one is that is there already. */
export async function startServing(options: ServeOptions): Promise<Serving | { readonly takenBy: string | undefined }> {
  const { roots, warn } = options;
  const store = await openKept();
  const place = await takePlace(dataFolder());
  if ('pid' in place) {
    await store.close();
    return { takenBy: place.url };
  }
  try {
    return await serve(store, place, options);
  } catch (error) {
    await store.close().finally(() => place.leave());
    throw error;
  }

  async function serve(
    kept: Store,
    { tell, leave }: Exclude<Awaited<ReturnType<typeof takePlace>>, { pid: number }>,
    { port, version, isWatching, authorize, onListening, onCode, onSignIn }: ServeOptions,
  ): Promise<Serving> {
    await retire(kept);
    const codes: string[] = [];
    let showCode = (code: string): void => void codes.push(code);
    const server = await startServer({
      store: kept,
      folder: dataFolder(),
      version,
      port: port ?? PORT,
      roots,
      programs: programOf,
      usage: {
        dirs: transcriptFolders(),
        cache: join(dataFolder(), 'usage-cache'),
      },
      settings: {
        read: () => ({ retentionDays: readSettings().retentionDays ?? null }),
        change({ retentionDays }) {
          if (retentionDays !== undefined) writeSetting('retentionDays', retentionDays ?? undefined);
        },
      },
      page: builtPage(),
      ...(authorize && { authorize }),
      onCode: (code) => showCode(code),
      ...(onSignIn && { onSignIn }),
      onError: (error) => warn(messageOf(error)),
    });
    tell(server.url);
    onListening(server.url);
    for (const code of codes) onCode(code);
    showCode = onCode;
    const sources = followSources(kept, { isWatching, onLines: server.told, warn });
    return {
      server,
      deadRuns: server.deadRuns.length,
      failed: sources.failed,
      async stop() {
        try {
          await sources.stop();
          await server.close();
          await kept.close();
        } finally {
          // The next one may come when nothing of this one is left.
          leave();
        }
      },
    };
  }
}

/** The page lies beside the command; where it was not built, the server has a plain one. */
function builtPage(): ReturnType<typeof pageFrom> | undefined {
  const folder = fileURLToPath(new URL('./page', import.meta.url.replace('/chunks/', '/')));
  return existsSync(join(folder, 'index.html')) ? pageFrom(folder) : undefined;
}

/** The program of an agent, as the person set it: no client can. */
function programOf(agent: string): string | undefined {
  return agents.some(({ name }) => name === agent)
    ? process.env[`TAILRACE_${agent.toUpperCase()}`] || undefined
    : undefined;
}
