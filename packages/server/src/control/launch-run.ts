// From a wish to a run: all that is looked at before there is a process, and what is told of it from its first line on.

import { realpath } from 'node:fs/promises';
import { type Agent, agents as allAgents } from '@tailrace/core';
import type { StartRun } from '@tailrace/protocol';
import { type Clock, createTrust, startRun, systemClock, type Waits } from '@tailrace/runner';
import { keepRun, runStream, type Store } from '@tailrace/store';
import type { Caller } from '../guard/guard.ts';
import { ProblemError } from '../problem-error.ts';
import type { Audit } from './audit.ts';
import { isWithin } from './create-projects.ts';
import { createFolderTrust } from './folder-trust.ts';
import { createLiveRun, type LiveRun } from './live-run.ts';
import type { OpenRequests } from './open-requests.ts';
import type { Projects } from './projects.ts';
import { mustBeResumable } from './resumable.ts';

export interface LaunchOptions {
  readonly store: Store;
  readonly projects: Projects;
  readonly audit: Audit;
  /** Those that can be started; the ones we ship unless set. */
  readonly agents?: readonly Agent[] | undefined;
  /** What the agents' environment is made from. */
  readonly env: NodeJS.ProcessEnv;
  /** The program of an agent, from the settings of the server and from nowhere else; else it is looked for. */
  programs?(agent: string): string | undefined;
  /** Folders that the agents' tools are kept out of: our own data. */
  readonly forbid: readonly string[];
  /** Where it is remembered which folders are trusted. */
  readonly trustFile: string;
  readonly waits?: Partial<Waits> | undefined;
  readonly clock?: Clock | undefined;
  /** Lines were committed: whoever follows the record may look. */
  onKept?(): void;
  /** Something about a run that people should know and that is not in its record: lines that could not be kept. */
  warn?(runId: string, message: string): void;
}

/** The agent that is started unless another is asked for. */
const DEFAULT_AGENT = 'claude';

interface Launch {
  readonly caller: Caller;
  readonly wanted: Omit<StartRun, 'action'>;
  readonly runId: string;
  readonly requests: OpenRequests;
  readonly onChange: () => void;
}

/** Starts a run in a project. Rejects, with nothing started, when something of it cannot be. */
export async function launchRun(options: LaunchOptions, launch: Launch): Promise<LiveRun> {
  const { store, projects, audit, env, agents = allAgents, clock = systemClock } = options;
  const { caller, wanted, runId, requests, onChange } = launch;
  const agent = findAgent(agents, wanted.agent ?? DEFAULT_AGENT);
  await mustBeUnused(runId, options);
  const folder = await projects.resolve(wanted.project);
  const cwd = await projects.resolve(wanted.project, wanted.path);
  await mustBeAllowed(cwd, options.forbid);
  if (wanted.resume !== undefined)
    await mustBeResumable(store, { sessionId: wanted.resume, agent: agent.name, folder });

  const warn = (message: string): void => options.warn?.(runId, message);
  const keeper = keepRun(store, {
    runId,
    agent: agent.name,
    warn: (message) => {
      audit.write({ action: 'keep', runId, result: 'failed' });
      warn(message);
    },
    onKept: () => options.onKept?.(),
  });
  const facts = {
    runId,
    workOrderId: wanted.workOrderId ?? null,
    agent: agent.name,
    projectId: wanted.project,
    startedAt: clock.now(),
  };
  const trust = createTrust({ file: options.trustFile });
  return createLiveRun({ ...facts, keeper, requests, onChange }, (listener) =>
    startRun({
      ...listener,
      agent,
      id: runId,
      prompt: wanted.prompt,
      cwd,
      env,
      program: options.programs?.(agent.name),
      model: wanted.model,
      permissionMode: wanted.permissionMode,
      allow: wanted.allow,
      maxBudgetUsd: wanted.budgetUsd,
      resume: wanted.resume,
      fork: wanted.fork,
      resumeAt: wanted.resumeAt,
      workOrderId: wanted.workOrderId,
      conversation: wanted.isConversation,
      // An agent that cannot be answered is not told that somebody could.
      asks: true,
      forbid: options.forbid,
      trust: createFolderTrust({ trust, caller, agreed: wanted.trust, warn }),
      waits: options.waits,
      clock,
    }),
  );
}

/** An id is taken once: two runs of one id would end each other's processes, and write one record. */
async function mustBeUnused(runId: string, { env, store }: LaunchOptions): Promise<void> {
  // We may be part of a run ourselves.
  const outer = [env['TAILRACE_RUN_ID'], ...(env['TAILRACE_OUTER_RUNS'] ?? '').split(':')];
  if (outer.includes(runId) || (await store.record.stream(runStream(runId))))
    throw new ProblemError('conflict', 'there was a run of this id before');
}

/** Nothing is started in our own data. */
export async function mustBeAllowed(cwd: string, forbidden: readonly string[]): Promise<void> {
  const real = await Promise.all(forbidden.map((one) => realpath(one).catch(() => one)));
  if (real.some((one) => isWithin(one, cwd))) throw new ProblemError('refused', 'no run is started in the data folder');
}

function findAgent(agents: readonly Agent[], name: string): Agent {
  const agent = agents.find((one) => one.name === name && one.command);
  if (agent) return agent;
  const names = agents.filter(({ command }) => command).map((one) => one.name);
  throw new ProblemError('bad-request', `no agent of this name can be started; there are ${names.join(', ')}`);
}
