// Makes the programs that the proofs run: the writer in one file, and the library that watches or breaks its calls.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { WriterOptions } from './writer.ts';

/** Why the proofs that need the library cannot run here; nothing when they can. */
export const hindrance: string | undefined =
  process.platform !== 'linux'
    ? 'only Linux loads a library before libc'
    : spawnSync('cc', ['--version']).status === 0
      ? undefined
      : 'there is no C compiler (cc)';

/** What a writer is started with beside its options; see trace.c. */
interface Breaking {
  readonly log?: string | undefined;
  readonly at?: number | undefined;
  readonly count?: number | undefined;
  readonly how?: 'kill' | 'EIO' | 'ENOSPC' | undefined;
}

export interface Programs {
  readonly folder: string;
  /** A folder of its own for one store. */
  makeHome(): string;
  start(home: string, options: WriterOptions, breaking?: Breaking): ChildProcess;
  /** Runs it to its end; gives how it ended. */
  run(home: string, options: WriterOptions, breaking?: Breaking): Promise<'exit' | 'killed'>;
  remove(): void;
}

export async function makePrograms(): Promise<Programs> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-crash-')));
  const writer = join(folder, 'writer.mjs');
  const library = join(folder, 'trace.so');
  await bundle(writer);
  if (hindrance === undefined) {
    const source = fileURLToPath(new URL('trace.c', import.meta.url));
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-lpthread']);
  }

  function start(home: string, options: WriterOptions, breaking?: Breaking): ChildProcess {
    const trace = breaking && {
      LD_PRELOAD: library,
      TRACE_PREFIX: home,
      ...(breaking.log === undefined ? {} : { TRACE_LOG: breaking.log }),
      ...(breaking.at === undefined ? {} : { TRACE_AT: String(breaking.at) }),
      ...(breaking.count === undefined ? {} : { TRACE_COUNT: String(breaking.count) }),
      ...(breaking.how === undefined ? {} : { TRACE_HOW: breaking.how }),
    };
    return spawn(process.execPath, [writer, home, JSON.stringify(options)], {
      env: { ...process.env, ...trace },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  return {
    folder,
    makeHome: () => mkdtempSync(join(folder, 'home-')),
    start,
    run: (home, options, breaking) => ended(start(home, options, breaking)),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Anything but a good end or a kill is a bug of the writer. */
export function ended(child: ChildProcess): Promise<'exit' | 'killed'> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve('killed');
      else if (code === 0) resolve('exit');
      else reject(new Error(`the writer ended with ${code ?? signal}`));
    });
  });
}

/** What the writer has said in a home. */
export function readAcks(home: string): string {
  try {
    return readFileSync(join(home, 'writer.acks'), 'utf8');
  } catch {
    return '';
  }
}

async function bundle(file: string): Promise<void> {
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3');
  const made = await rolldown({
    input: fileURLToPath(new URL('writer.ts', import.meta.url)),
    platform: 'node',
    // Its native part is found from where it lies.
    plugins: [{ name: 'sqlite', resolveId: (id) => (id === 'better-sqlite3' ? { id: sqlite, external: true } : null) }],
  });
  await made.write({ file, format: 'esm' });
  await made.close();
}
