// A server as a person has it: the built command in folders of its own, with an agent that plays a script.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const bin: string = fileURLToPath(new URL('../../dist/tailrace.js', import.meta.url));
const agent: string = fileURLToPath(new URL('../../../runner/test/fake-agent.mjs', import.meta.url));

export type Step = readonly [name: string, ...words: unknown[]];

/** Folders for one person: their data, their agents' files, and a project. */
export interface Place {
  readonly folder: string;
  /** `TAILRACE_HOME`. */
  readonly home: string;
  readonly project: string;
  readonly env: Record<string, string>;
  /** What agents do that are started from now on. */
  script(steps: readonly Step[]): void;
  /** How the last one was started. */
  told(): { readonly pid: number; readonly env: Record<string, string>; readonly argv: readonly string[] };
}

interface AuditLine {
  readonly at: number;
  readonly action: string;
  readonly result: string;
  readonly caller?: string;
  readonly runId?: string;
  readonly detail?: string;
}

export interface Served extends Place {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** The codes that it has shown, the oldest first. */
  codes(): readonly string[];
  audit(): readonly AuditLine[];
  readonly ended: Promise<Ending>;
}

interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Where nothing is set up yet. Taken away after the test, if there is one at the moment. */
export function createPlace(finished: (clean: () => void) => void = onTestFinished): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-serve-')));
  finished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const at = (name: string): string => join(folder, name);
  const project = at('root/work');
  mkdirSync(project, { recursive: true });
  mkdirSync(at('claude/projects'), { recursive: true });
  return {
    folder,
    home: at('data'),
    project,
    env: {
      HOME: folder,
      TAILRACE_HOME: at('data'),
      TAILRACE_CLAUDE: agent,
      CLAUDE_CONFIG_DIR: at('claude'),
      FAKE_AGENT: at('script.json'),
      FAKE_TOLD: at('told.json'),
      FAKE_CHILDREN: at('children'),
    },
    script: (steps) => writeFileSync(at('script.json'), JSON.stringify(steps)),
    told: () => JSON.parse(readFileSync(at('told.json'), 'utf8')),
  };
}

export interface ServeOptions {
  readonly words?: readonly string[];
  /** What a shell does before: `umask 000`. */
  readonly before?: string;
  readonly finished?: (clean: () => void) => void;
}

const WORDS = ['serve', '--port', '0', '--no-open'];

/** Starts the command and hears what it says; nobody knows yet what becomes of it. */
export function begin(
  place: Place,
  { words = [], before = ':', finished = onTestFinished }: ServeOptions = {},
): Omit<Served, 'url' | 'port'> {
  const line = [process.execPath, bin, ...WORDS, '--root', join(place.folder, 'root'), ...words];
  const child = spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', ...line], {
    env: { PATH: process.env['PATH'], ...place.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  finished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes: Buffer) => {
    output.stdout += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    output.stderr += bytes.toString();
  });
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const log = join(place.home, 'audit.ndjson');
  return {
    ...place,
    child,
    output,
    ended,
    codes: () => output.stdout.split('\n').slice(1, -1),
    audit: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((text) => JSON.parse(text))
        : [],
  };
}

/** Starts it, and waits until it listens. */
export async function serve(place: Place = createPlace(), options: ServeOptions = {}): Promise<Served> {
  const begun = begin(place, options);
  await Promise.race([begun.ended, until(() => begun.codes().length > 0)]);
  const port = Number(/^listening on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(begun.output.stdout)?.[1]);
  if (!port) throw new Error(`it does not serve: ${begun.output.stdout}${begun.output.stderr}`);
  return { ...begun, port, url: `http://127.0.0.1:${port}` };
}

/** Waits for the thing itself. */
export async function until<T>(what: () => T | Promise<T>, limit = 120_000): Promise<Exclude<T, false | undefined>> {
  const end = Date.now() + limit;
  for (;;) {
    const found = await what();
    if (found !== undefined && found !== false) return found as Exclude<T, false | undefined>;
    if (Date.now() > end) throw new Error(`it never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Whether a process lives: a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/\) [ZX] /.test(stat.slice(stat.lastIndexOf(')')));
  } catch {
    return false;
  }
}
