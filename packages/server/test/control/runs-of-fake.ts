// Runs of a server with the scripted agent, each in folders of its own.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HostLine } from '@tailrace/core';
import type { OpenRequest, ProblemCode } from '@tailrace/protocol';
import { openStore, type Store } from '@tailrace/store';
import { onTestFinished } from 'vitest';
import type { AuditEntry } from '../../src/control/audit.ts';
import { createProjects } from '../../src/control/create-projects.ts';
import { createRewinds, type Rewinds } from '../../src/control/create-rewinds.ts';
import { createRuns, type RunsOptions } from '../../src/control/create-runs.ts';
import type { Projects } from '../../src/control/projects.ts';
import type { Runs } from '../../src/control/runs.ts';
import type { Caller, Right } from '../../src/guard/guard.ts';
import { ProblemError } from '../../src/problem-error.ts';

export const fakeProgram: string = fileURLToPath(new URL('../../../runner/test/fake-agent.mjs', import.meta.url));
export const SESSION = '11111111-2222-4333-8444-555555555555';

export type Step = readonly [name: string, ...words: unknown[]];

export const person: Caller = { kind: 'person', id: 'a person', rights: new Set<Right>(['read', 'run', 'answer']) };
export const program = (...rights: Right[]): Caller => ({ kind: 'program', id: 'a program', rights: new Set(rights) });

export interface Bench {
  readonly folder: string;
  /** The folder of the project, below the root. */
  readonly work: string;
  /** The id of the project. */
  readonly project: string;
  readonly store: Store;
  readonly projects: Projects;
  readonly runs: Runs;
  readonly rewinds: Rewinds;
  readonly entries: AuditEntry[];
  readonly warnings: string[];
  readonly env: NodeJS.ProcessEnv;
  /** What the agents that are started from now on do. */
  script(steps: readonly Step[]): void;
  /** What the agent was started with. */
  told(): { readonly argv: string[]; readonly env: Record<string, string>; readonly cwd: string; readonly pid: number };
  /** The lines of ours in the record of a run. */
  hostLines(runId: string): Promise<readonly HostLine[]>;
  /** Waits for something to be asked that was not asked before. */
  asked(runId: string, not?: ReadonlySet<string>): Promise<OpenRequest>;
}

export async function createBench(options: Partial<RunsOptions> = {}): Promise<Bench> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-server-')));
  const at = (name: string): string => join(folder, name);
  const work = at('root/work');
  mkdirSync(work, { recursive: true });
  mkdirSync(at('data'), { mode: 0o700 });
  const store = await openStore({ file: at('data/tailrace.db') });
  const entries: AuditEntry[] = [];
  const warnings: string[] = [];
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: folder,
    FAKE_AGENT: at('script.json'),
    FAKE_TOLD: at('told.json'),
    FAKE_STDIN: at('stdin'),
    FAKE_CHILDREN: at('children'),
  };
  const projects = createProjects({ store, roots: [at('root')] });
  const launching: RunsOptions = {
    store,
    projects,
    audit: { write: (entry) => entries.push(entry), close: async () => undefined },
    env,
    programs: () => fakeProgram,
    forbid: [at('data')],
    trustFile: at('data/trusted-folders.json'),
    waits: { quiet: 50, terminate: 100, kill: 200, drain: 200 },
    warn: (_runId, message) => warnings.push(message),
    ...options,
  };
  const runs = createRuns(launching);
  onTestFinished(async () => {
    await runs.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  return {
    folder,
    work,
    project: projects.idOf(work),
    store,
    projects,
    runs,
    rewinds: createRewinds({ ...launching, runs }),
    entries,
    warnings,
    env,
    script: (steps) => writeFileSync(at('script.json'), JSON.stringify(steps)),
    told: () => JSON.parse(readFileSync(at('told.json'), 'utf8')),
    async hostLines(runId) {
      const found: HostLine[] = [];
      for await (const lines of store.record.read(`run:${runId}`))
        for (const { source, bytes } of lines)
          if (source === 'host') found.push(JSON.parse(Buffer.from(bytes).toString()) as HostLine);
      return found;
    },
    asked(runId, not = new Set()) {
      const find = (): OpenRequest | undefined =>
        runs.get(runId)?.requests.find(({ request }) => !not.has(request.requestId));
      return told(runs, find);
    },
  };
}

/** Waits until a change of the runs makes something there. */
export function told<T>(runs: Runs, find: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const look = (): void => {
      const found = find();
      if (found === undefined) return;
      leave();
      resolve(found);
    };
    const leave = runs.onChange(look);
    look();
  });
}

/** Waits until a run is no longer in the list. */
export async function over(runs: Runs, runId: string): Promise<void> {
  await told(runs, () => (runs.get(runId) === undefined ? true : undefined));
}

/** Waits for the thing itself. */
export async function until(what: () => boolean | Promise<boolean>, limit = 120_000): Promise<void> {
  const end = Date.now() + limit;
  while (!(await what())) {
    if (Date.now() > end) throw new Error(`it never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The code of the problem that something comes to. */
export async function codeOf(work: Promise<unknown>): Promise<ProblemCode | 'done'> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.code;
    throw error;
  }
}

/** Whether a process lives: a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

/** The guards that a server has started for its runs; once they are at work, their name says so. */
export function guardsOf(serverPid: number): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isGuard(pid, serverPid));
}

function isGuard(pid: number, serverPid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return parent === serverPid && stat.includes('(tailrace-guard)') && isAlive(pid);
  } catch {
    return false;
  }
}
