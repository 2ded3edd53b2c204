// Runs of the fake agent, each in folders of its own.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Agent, type AgentStreamEvent, agents, type RequestEvent, type RunState } from '@tailrace/core';
import { onTestFinished } from 'vitest';
import { type Clock, type RecordLine, type Run, type RunOptions, type RunResult, startRun } from '../src/index.ts';

export const program: string = fileURLToPath(new URL('fake-agent.mjs', import.meta.url));

export const claude: Agent = agents.find(({ name }) => name === 'claude') as Agent;

export type Step = readonly [name: string, ...words: unknown[]];

export interface Played {
  readonly run: Run;
  readonly rows: RecordLine[];
  readonly events: AgentStreamEvent[];
  readonly states: RunState[];
  readonly requests: RequestEvent[];
  readonly folder: string;
  /** What the agent was started with, once it has begun. */
  told(): { readonly argv: string[]; readonly env: Record<string, string>; readonly pid: number };
  /** Processes that it left behind on purpose. */
  children(): number[];
  /** What it got on stdin, once that was closed. */
  stdin(): Buffer;
  /** Waits until something that events and states can tell is true. */
  until(what: () => boolean): Promise<void>;
  make(name: string): void;
}

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-run-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return folder;
}

/** Starts the fake agent with a script. */
export async function play(steps: readonly Step[], options: Partial<RunOptions> = {}): Promise<Played> {
  const folder = temporaryFolder();
  const cwd = join(folder, 'project');
  mkdirSync(cwd);
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('script.json'), JSON.stringify(steps));
  const rows: RecordLine[] = [];
  const events: AgentStreamEvent[] = [];
  const states: RunState[] = [];
  const requests: RequestEvent[] = [];
  const run = await startRun({
    agent: claude,
    prompt: 'Do it',
    program,
    cwd,
    watchFiles: false,
    ...options,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      FAKE_AGENT: at('script.json'),
      FAKE_TOLD: at('told.json'),
      FAKE_CHILDREN: at('children'),
      FAKE_STDIN: at('stdin'),
      ...options.env,
    },
    onLines: (lines) => {
      rows.push(...lines);
      return options.onLines?.(lines);
    },
    onEvents: (some) => {
      events.push(...some);
      return options.onEvents?.(some);
    },
    onState: (state, about) => {
      states.push(state);
      return options.onState?.(state, about);
    },
    ...(options.asks !== false && {
      onRequest: (request) => {
        requests.push(request);
        return options.onRequest?.(request);
      },
    }),
  });
  onTestFinished(async () => {
    run.kill();
    await endOf(run, options.clock);
  });
  return {
    run,
    rows,
    events,
    states,
    requests,
    folder,
    told: () => JSON.parse(readFileSync(at('told.json'), 'utf8')),
    children: () =>
      existsSync(at('children')) ? readFileSync(at('children'), 'utf8').trim().split('\n').map(Number) : [],
    stdin: () => readFileSync(at('stdin')),
    until: (what) => until(what),
    make: (name) => writeFileSync(at(name), ''),
  };
}

/** How a run ends, where time may have to be made to pass. */
export async function endOf(run: Run, clock?: Clock): Promise<RunResult> {
  let result: RunResult | undefined;
  run.ended.then((one) => {
    result = one;
  });
  await until(() => {
    if (clock instanceof FakeClock) clock.pass(25);
    return result !== undefined;
  });
  return result as unknown as RunResult;
}

/** Waits for the thing itself. */
export async function until(what: () => boolean, limit = 60_000): Promise<void> {
  const end = Date.now() + limit;
  while (!what()) {
    if (Date.now() > end) throw new Error(`it never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
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

/** A clock that goes only when it is told to. */
export class FakeClock {
  private time = Date.UTC(2026, 0, 1);
  private readonly timers = new Map<object, { readonly at: number; readonly act: () => void }>();

  now = (): number => this.time;

  after = (milliseconds: number, act: () => void): (() => void) => {
    const key = {};
    this.timers.set(key, { at: this.time + milliseconds, act });
    return () => this.timers.delete(key);
  };

  /** Lets time pass; what is due on the way happens in its order. */
  pass(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const [next] = [...this.timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
      if (!next) break;
      const [key, { at, act }] = next;
      this.timers.delete(key);
      this.time = Math.max(this.time, at);
      act();
    }
    this.time = end;
  }
}
