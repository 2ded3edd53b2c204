// Starts a server in a process of its own, and weighs it.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { onTestFinished } from 'vitest';
import { type Headers, signIn } from './house.ts';

interface Weight {
  /** Of the process, as the system counts it. */
  readonly rss: number;
  /** What is held of memory after everything unused was given back. */
  readonly held: number;
  readonly sockets: number;
  readonly listeners: number;
}

export interface WeighedServer {
  readonly host: string;
  readonly port: number;
  readonly person: Headers;
  weigh(): Promise<Weight>;
}

export async function startWeighedServer(folder: string): Promise<WeighedServer> {
  const programs = mkdtempSync(join(tmpdir(), 'tailrace-weighed-'));
  const sqlite = createRequire(new URL('../../../store/package.json', import.meta.url)).resolve('better-sqlite3');
  const made = await rolldown({
    input: fileURLToPath(new URL('server-process.ts', import.meta.url)),
    platform: 'node',
    plugins: [{ name: 'sqlite', resolveId: (id) => (id === 'better-sqlite3' ? { id: sqlite, external: true } : null) }],
  });
  const file = join(programs, 'server.mjs');
  await made.write({ file, format: 'esm', codeSplitting: false });
  await made.close();
  const child = fork(file, [folder], { execArgv: ['--expose-gc', '--max-semi-space-size=2'] });
  onTestFinished(async () => {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    const over = isOver ? undefined : once(child, 'exit');
    if (child.connected) child.disconnect();
    await over;
    rmSync(programs, { recursive: true });
  });
  const [{ url, code }] = (await once(child, 'message')) as [{ readonly url: string; readonly code: string }];
  const person = await signIn(url, code);
  const { host, port } = new URL(url);
  return {
    host,
    port: Number(port),
    person,
    async weigh() {
      const answered = once(child, 'message');
      child.send('weigh');
      const [weight] = (await answered) as [Weight];
      return weight;
    },
  };
}
