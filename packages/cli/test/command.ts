// The built command, called as a person calls it.

import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const built: string = fileURLToPath(new URL('../dist/tailrace.js', import.meta.url));
export const fixtures: string = fileURLToPath(new URL('../../../fixtures/claude/2.1.325/', import.meta.url));

const nobodysHome: string = join(tmpdir(), `tailrace-nobody-${process.pid}`);

export interface Outcome {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  /** Written to standard input, piece by piece; none: it is empty. */
  readonly input?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  readonly env?: Readonly<Record<string, string>>;
  /** A file that standard output goes to. */
  readonly out?: string;
  /** Arguments for Node itself. */
  readonly node?: readonly string[];
  /** Another copy of the command than the one that was built. */
  readonly bin?: string;
}

export function start(
  args: readonly string[],
  { env = {}, node = [], out, bin = built }: CallOptions = {},
): ChildProcess {
  const { PATH = '' } = process.env;
  const stdout = out === undefined ? 'pipe' : openSync(out, 'w');
  // Nobody's own data is touched.
  const TAILRACE_HOME = nobodysHome;
  return spawn(process.execPath, [...node, bin, ...args], {
    env: { PATH, TAILRACE_HOME, ...env },
    stdio: ['pipe', stdout, 'pipe'],
  });
}

export async function call(args: readonly string[], options: CallOptions = {}): Promise<Outcome> {
  const child = start(args, options);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (bytes: Buffer) => stdout.push(bytes));
  child.stderr?.on('data', (bytes: Buffer) => stderr.push(bytes));
  // A command that stops reading closes the pipe: that is its right.
  child.stdin?.on('error', () => {});
  const closed = new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve([code, signal]));
  });
  await feed(child, options.input ?? []);
  const [code, signal] = await closed;
  return { code, signal, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

async function feed(child: ChildProcess, input: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
  const { stdin } = child;
  if (!stdin) return;
  const closed = new Promise<void>((resolve) => stdin.once('close', resolve));
  for await (const piece of input) {
    if (stdin.destroyed) return;
    if (!stdin.write(piece)) {
      await Promise.race([closed, new Promise<void>((resolve) => stdin.once('drain', resolve))]);
    }
  }
  stdin.end();
}
