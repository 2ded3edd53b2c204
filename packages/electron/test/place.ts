// An app with windows, whose agent plays a script, each in folders of its own.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, agents } from '@tailrace/core';
import { onTestFinished } from 'vitest';
import { type Launch, registerTailrace, type Tailrace, type TailraceOptions } from '../src/main/index.ts';
import { FakeMain, FakeWindow, PAGE } from './fake-electron.ts';

/** As the fake agent calls it. */
export const SESSION = '11111111-2222-4333-8444-555555555555';

export const program: string = join(import.meta.dirname, '../../runner/test/fake-agent.mjs');
export const claude: Agent = agents.find(({ name }) => name === 'claude') as Agent;

export type Step = readonly [name: string, ...words: unknown[]];

export interface Place {
  readonly folder: string;
  readonly project: string;
  readonly main: FakeMain;
  readonly window: FakeWindow;
  readonly windows: FakeWindow[];
  readonly tailrace: Tailrace;
  readonly warnings: string[];
  readonly opened: string[];
  readonly launch: Launch;
  /** What the agent does from now on. */
  script(steps: readonly Step[]): void;
  /** A file that the script waits for. */
  at(name: string): string;
  make(name: string): void;
}

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-electron-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

export function createPlace(
  steps: readonly Step[],
  options: Partial<TailraceOptions> = {},
  more: Partial<Launch> = {},
): Place {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  const project = at('project');
  mkdirSync(project);
  const script = (next: readonly Step[]): void => writeFileSync(at('script.json'), JSON.stringify(next));
  script(steps);
  const env = { PATH: process.env['PATH'], HOME: folder, FAKE_AGENT: at('script.json'), ...more.env };
  const launch: Launch = {
    agent: claude,
    program,
    cwd: project,
    watchFiles: false,
    waits: { quiet: 50, terminate: 200, kill: 500 },
    ...more,
    env,
  };
  const main = new FakeMain();
  const window = new FakeWindow(main);
  const windows = [window];
  const warnings: string[] = [];
  const opened: string[] = [];
  const tailrace = registerTailrace(main, {
    windows: () => windows,
    pages: PAGE,
    launch: () => launch,
    onWarning: (message) => warnings.push(message),
    openExternal: (url) => opened.push(url),
    ...options,
  });
  onTestFinished(async () => {
    await Promise.all(tailrace.registry.runs.map((run) => run.kill()));
    await tailrace.close();
  });
  const make = (name: string): void => writeFileSync(at(name), '');
  return { folder, project, main, window, windows, tailrace, warnings, opened, launch, script, at, make };
}

/** Waits for the thing itself. */
export async function until<T>(
  what: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  limit = 60_000,
): Promise<T> {
  const end = Date.now() + limit;
  for (;;) {
    const found = await what();
    if (found) return found;
    if (Date.now() > end) throw new Error(`it never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A promise with whoever settles it. */
export function createGate<T = void>(): { readonly promise: Promise<T>; readonly open: (value: T) => void } {
  let open = (_value: T): void => {};
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
