// From what is wanted to a process: nothing is started before the program is found, the values are sound and the folder is trusted.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Agent, StartOption, StartOptions } from '@tailrace/core';
import { type Clock, systemClock } from '../clock.ts';
import { startGuard } from '../process/guard.ts';
import { nameProcess } from '../process/terminate.ts';
import { childEnvironment } from '../start/environment.ts';
import { isTailraceError, TailraceError } from '../start/errors.ts';
import { locate } from '../start/locate.ts';
import { type FolderLook, lookAtFolder } from '../start/trust.ts';
import { checkArguments, checkStart } from '../start/values.ts';
import { type Invocation, planWindows } from '../start/windows.ts';
import { windowsFiles } from '../start/windows-files.ts';
import { watchWorkspace } from '../workspace/workspace.ts';
import type { Policy } from './answers.ts';
import { createRun } from './create-run.ts';
import type { RunListener } from './listeners.ts';
import type { Run } from './run.ts';
import { WAITS, type Waits } from './waits.ts';

export interface RunOptions extends Omit<StartOptions, 'promptId'>, RunListener {
  readonly agent: Agent;
  /** The agent's program; else it is looked for. */
  readonly program?: string | undefined;
  /** The folder to work in; the current one unless set. */
  readonly cwd?: string | undefined;
  /** What the agent's environment is made from; ours unless set. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Our id of the run; a UUID unless set. */
  readonly id?: string | undefined;
  /** The caller's own name for the work; it stands in the record. */
  readonly workOrderId?: string | undefined;
  /** More prompts may follow: stdin stays open until `close`, or until nobody has said anything for the idle time. */
  readonly conversation?: boolean | undefined;
  /** Answers requests by itself, where it gives an answer. */
  readonly policy?: Policy | undefined;
  /** Is asked when the folder brings code that the agent would run. Without it such a folder is refused. */
  readonly trust?: ((look: FolderLook) => boolean | Promise<boolean>) | undefined;
  /** Changes of files in the folder are told; true unless set. */
  readonly watchFiles?: boolean | undefined;
  /** Declared background work may outlive the run. */
  readonly keepBackground?: boolean | undefined;
  readonly waits?: Partial<Waits> | undefined;
  readonly clock?: Clock | undefined;
  readonly maxLineBytes?: number | undefined;
  /** Gives up starting. A process that is there already is ended before it gets its prompt; a run that has begun is stopped by `stop`. */
  readonly signal?: Pick<AbortSignal, 'aborted' | 'reason'> | undefined;
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** In characters. */
const MAX_WORK_ORDER_ID = 200;
/** What any agent understands; see `Agent.takes`. */
const ALWAYS: readonly StartOption[] = ['prompt', 'model', 'resume', 'approveAll'];
/** What is asked by the way and may be left out where an agent does not understand it. */
const OPTIONAL: readonly StartOption[] = ['promptId', 'partial', 'asks', 'checkpoints', 'forbid'];

/**
 * Starts an agent. Rejects with a {@link TailraceError} when it cannot be started; after that the run tells by itself how it goes.
 *
 * @example
 * const run = await startRun({ agent: claude, prompt: 'Fix the test', onEvents: show, asks: true, onRequest: ask });
 * const { success } = await run.ended;
 */
export async function startRun(options: RunOptions): Promise<Run> {
  const { agent, clock = systemClock, env = process.env } = options;
  checkOptions(options);
  const cwd = folderOf(options.cwd);
  const wanted = startOptions(options);
  checkStart(wanted, cwd);
  const command = agent.command?.(wanted);
  if (!command) throw new TailraceError('no-command', `${agent.title ?? agent.name} cannot be started from here`);
  checkArguments(command.args);
  const { file } = await locate({
    program: command.program,
    agent: agent.name,
    asked: options.program,
    install: agent.install,
    env,
  });
  await askForTrust(options, cwd, env);
  if (options.signal?.aborted) throw whyStopped(options.signal);

  const start: Invocation =
    process.platform === 'win32' ? planWindows(file, command.args, windowsFiles(env)) : { file, args: command.args };
  const id = options.id ?? randomUUID();
  living.add(id);
  const guard = startGuard(id);
  const child = spawn(start.file, start.args, {
    cwd,
    env: childEnvironment(env, command, id),
    detached: true,
    stdio: [command.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
    windowsVerbatimArguments: start.isVerbatim ?? false,
  });
  const name = child.pid === undefined ? undefined : nameProcess(child.pid);
  if (name) guard.tell(name);
  const failure = await new Promise<Error | undefined>((settle) => {
    child.once('spawn', () => settle(undefined));
    child.once('error', settle);
  });
  if (failure) {
    living.delete(id);
    guard.release();
    throw new TailraceError('spawn-failed', `${file} could not be started: ${failure.message}`, { cause: failure });
  }
  const isUnwanted = options.signal?.aborted === true;
  const run = createRun({
    id,
    agent,
    cwd,
    workOrderId: options.workOrderId,
    askedSession: options.sessionId ?? options.resume,
    prompt: options.prompt,
    promptId: wanted.promptId,
    signals: command.signals,
    opening: isUnwanted ? undefined : command.stdin,
    isConversation: options.conversation ?? false,
    asks: wanted.asks ?? false,
    policy: options.policy,
    keepBackground: options.keepBackground ?? false,
    maxLineBytes: options.maxLineBytes ?? MAX_LINE_BYTES,
    waits: { ...WAITS, ...options.waits },
    clock,
    guard,
    child,
    process: name,
    hasFile: (sessionId) => hasFile(agent, sessionId, cwd, env),
    openWorkspace: (sink) =>
      isUnwanted || options.watchFiles === false ? undefined : watchWorkspace({ cwd, clock, ...sink }),
    listener: isUnwanted ? {} : options,
  });
  run.ended.then(() => living.delete(id));
  if (!isUnwanted) return run;
  await run.kill();
  throw whyStopped(options.signal);
}

/** The reason of the caller's, where that is one of ours. */
function whyStopped(signal: RunOptions['signal']): TailraceError {
  const reason: unknown = signal?.reason;
  return isTailraceError(reason) ? reason : new TailraceError('stopped', 'the run was stopped before it had begun');
}

/** The ids of runs that go on: two of one id would end each other. */
const living = new Set<string>();

/** What would only be found wrong when the process runs already. */
function checkOptions({ id, workOrderId, cwd, maxLineBytes, waits = {}, prompt }: RunOptions): void {
  const refuse = (name: string, value: unknown, fault: string): never => {
    throw new TailraceError('value-refused', `${name} ${JSON.stringify(value)} ${fault}; give another value`);
  };
  if (typeof prompt !== 'string') refuse('prompt', prompt, 'is no text');
  if (typeof cwd === 'string' && cwd.includes('\0')) refuse('cwd', cwd, 'has a NUL character');
  if (id !== undefined && living.has(id)) refuse('id', id, 'is the id of a run that goes on');
  if (id !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(id))
    refuse('id', id, 'may have letters, digits, dots, dashes and underscores, a hundred at the most');
  if (workOrderId !== undefined && !(typeof workOrderId === 'string' && workOrderId.length <= MAX_WORK_ORDER_ID))
    refuse('workOrderId', workOrderId, `is no text of at most ${MAX_WORK_ORDER_ID} characters`);
  if (maxLineBytes !== undefined && !(Number.isInteger(maxLineBytes) && maxLineBytes > 0))
    refuse('maxLineBytes', maxLineBytes, 'is no whole number above zero');
  for (const [name, value] of Object.entries(waits))
    if (value !== undefined && !(Number.isFinite(value) && value >= 0))
      refuse(`waits.${name}`, value, 'is no time in milliseconds');
}

/** Nothing of what a folder brings runs before somebody has agreed to it. */
async function askForTrust(options: RunOptions, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { agent, trust, addDirs } = options;
  const code = agent.folderCode;
  if (!code) return;
  const look = (): Promise<FolderLook> => lookAtFolder(code, cwd, { own: ownFolders(agent, env), added: addDirs });
  // What was agreed to is what was shown: if it has changed meanwhile, it is shown again.
  for (
    let seen = await look(), agreed: string | undefined;
    seen.brought.length > 0 && seen.digest !== agreed;
    seen = await look()
  ) {
    if ((await isTrusted(trust, seen)) !== true) throw notTrusted(agent, seen);
    agreed = seen.digest;
  }
}

async function isTrusted(trust: RunOptions['trust'], look: FolderLook): Promise<boolean | undefined> {
  try {
    return await trust?.(look);
  } catch (error) {
    if (isTailraceError(error) || (error instanceof Error && 'isUsageError' in error)) throw error;
    throw new TailraceError('not-trusted', `whoever was asked about ${look.folder} failed: ${String(error)}`, {
      cause: error,
    });
  }
}

function notTrusted(agent: Agent, { folder, brought }: FolderLook): TailraceError {
  const things = brought.map(({ kind, name, file }) => `${kind} ${name} (${file})`);
  return new TailraceError(
    'not-trusted',
    `${folder} brings what ${agent.title ?? agent.name} would run or obey, and nobody has agreed to it: ${things.join(', ')}`,
  );
}

/** What is asked of the agent; what it does not understand is a mistake, unless it is only asked by the way. */
function startOptions(options: RunOptions): StartOptions & { readonly promptId: string } {
  const { agent, prompt, model, resume, approveAll, fork, resumeAt, sessionId } = options;
  const { permissionMode, allow, deny, maxTurns, maxBudgetUsd, mcpConfig, addDirs } = options;
  const { forbid, partial, checkpoints = true } = options;
  const asks = options.asks ?? (options.policy !== undefined || options.onRequest !== undefined);
  const limits = { permissionMode, allow, deny, maxTurns, maxBudgetUsd, mcpConfig, addDirs };
  const more = { fork, resumeAt, sessionId, ...limits };
  const all = { ...more, prompt, model, resume, approveAll, forbid, partial, asks, checkpoints };
  const known = new Set<string>([...ALWAYS, ...(agent.takes ?? [])]);
  for (const [name, value] of Object.entries(more))
    if (value !== undefined && value !== false && !known.has(name))
      throw new TailraceError('not-understood', `${agent.title ?? agent.name} has no way to be told "${name}"`);
  const told = Object.entries(all).filter(
    ([name, value]) => value !== undefined && (known.has(name) || !OPTIONAL.some((one) => one === name)),
  );
  return { prompt, promptId: randomUUID(), ...Object.fromEntries(told) };
}

function folderOf(path: string | undefined): string {
  const cwd = resolve(path ?? process.cwd());
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return cwd;
  throw new TailraceError('no-folder', `there is no folder ${cwd}`);
}

/** Whether the agent keeps a file of this session. */
function hasFile(agent: Agent, sessionId: string, cwd: string, env: NodeJS.ProcessEnv): boolean {
  const { transcripts } = agent;
  return ownFolders(agent, env).some(
    (root) => transcripts && existsSync(join(root, transcripts.fileOf(sessionId, cwd))),
  );
}

/** Where the agent keeps the person's own settings and sessions. */
export function ownFolders(agent: Agent, env: NodeJS.ProcessEnv): readonly string[] {
  const { root } = agent.transcripts ?? {};
  return root ? [env[root.variable] || join(env['HOME'] || homedir(), root.folder)] : [];
}
