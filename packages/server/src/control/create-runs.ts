// Starts the runs of this server and does what is asked of them. Every wish is checked for its right and written into the audit log.

import { randomUUID } from 'node:crypto';
import { type Agent, type Answer, agents as allAgents, type RequestEvent } from '@tailrace/core';
import { type Clock, createTrust, type Run, startRun, systemClock, type Waits } from '@tailrace/runner';
import { keepRun, runStream, type Store } from '@tailrace/store';
import type { Caller } from '../guard/guard.ts';
import { ProblemError } from '../problem-error.ts';
import type { Audit } from './audit.ts';
import { isWithin } from './create-projects.ts';
import { createFolderTrust } from './folder-trust.ts';
import { CLOSE_MS, INTERRUPT_MS, MAX_ENDED_RUNS, MAX_RUNS } from './limits.ts';
import { createLiveRun, type LiveRun } from './live-run.ts';
import { createOpenRequests } from './open-requests.ts';
import type { Projects } from './projects.ts';
import { mustBeResumable } from './resumable.ts';
import { mustHave } from './rights.ts';
import type { RunReply, Runs } from './runs.ts';
import { toProblem } from './to-problem.ts';

export interface RunsOptions {
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

export function createRuns(options: RunsOptions): Runs {
  const { store, projects, audit, agents = allAgents, env, clock = systemClock } = options;
  const trust = createTrust({ file: options.trustFile });
  const requests = createOpenRequests();
  const live = new Map<string, LiveRun>();
  const ended = new Set<string>();
  const starting = new Set<string>();
  /** What has to be over before the server may go: starts, and ends whose last lines are being kept. */
  const pending = new Set<Promise<unknown>>();
  const listeners = new Set<(runId: string) => void>();
  let isClosing = false;

  const tell = (runId: string): void => {
    for (const listener of listeners) {
      try {
        listener(runId);
      } catch (error) {
        options.warn?.(runId, `whoever hears of runs failed: ${String(error)}`);
      }
    }
  };

  /** Does it, and writes down who wanted it and what became of it. */
  async function audited<T>(
    entry: { readonly action: string; readonly runId?: string; readonly requestId?: string },
    caller: Caller,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      const result = await work();
      audit.write({ ...entry, caller: caller.id, result: 'done' });
      return result;
    } catch (error) {
      const problem = toProblem(error);
      audit.write({ ...entry, caller: caller.id, result: problem.problem.code });
      throw problem;
    }
  }

  // ── Starting ────────────────────────────────────────────────────────────────────────────────────

  type Wanted = Parameters<Runs['start']>[1];

  function mayStart(caller: Caller, wanted: Wanted): void {
    mustHave(caller, 'run');
    // To allow something ahead is to answer before it is asked.
    if (wanted.allow !== undefined || wanted.permissionMode !== undefined) mustHave(caller, 'answer');
    if (isClosing) throw new ProblemError('unavailable', 'the server is being stopped');
    if (live.size + starting.size >= MAX_RUNS) throw new ProblemError('too-many', `${MAX_RUNS} runs go on already`);
  }

  /** An id is taken once: two runs of one id would end each other's processes, and write one record. */
  async function mustBeUnused(runId: string): Promise<void> {
    const outer = [env['TAILRACE_RUN_ID'], ...(env['TAILRACE_OUTER_RUNS'] ?? '').split(':')];
    if (outer.includes(runId) || (await store.record.stream(runStream(runId))))
      throw new ProblemError('conflict', 'there was a run of this id before');
  }

  async function start(caller: Caller, wanted: Wanted, runId: string): Promise<RunReply> {
    const agent = findAgent(agents, wanted.agent ?? DEFAULT_AGENT);
    await mustBeUnused(runId);
    const folder = await projects.resolve(wanted.project);
    const cwd = await projects.resolve(wanted.project, wanted.path);
    if (options.forbid.some((one) => isWithin(one, cwd)))
      throw new ProblemError('refused', 'no run is started in the data folder');
    if (wanted.resume !== undefined) {
      mustBeFree(wanted.resume);
      await mustBeResumable(store, { sessionId: wanted.resume, agent: agent.name, folder });
    }
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
    const one = createLiveRun({
      runId,
      workOrderId: wanted.workOrderId ?? null,
      agent: agent.name,
      projectId: wanted.project,
      startedAt: clock.now(),
      keeper,
      requests,
      onChange: () => tell(runId),
    });
    const { check } = createFolderTrust({ trust, caller, agreed: wanted.trust, warn });
    const run = await startRun({
      ...one.listener,
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
      workOrderId: wanted.workOrderId,
      conversation: wanted.isConversation,
      // An agent that cannot be answered is not told that somebody could.
      asks: true,
      forbid: options.forbid,
      trust: check,
      waits: options.waits,
      clock,
    });
    live.set(runId, one);
    one.attach(run);
    follow(runId, run, one);
    if (isClosing) run.stop();
    return replyOf(run);
  }

  /** A session goes on in one run at a time. */
  function mustBeFree(sessionId: string): void {
    for (const { run } of live.values())
      if (run?.sessionIds.reported === sessionId || run?.sessionIds.asked === sessionId)
        throw new ProblemError('conflict', 'this session goes on in a run already');
  }

  function follow(runId: string, run: Run, one: LiveRun): void {
    const over = run.ended.then(async () => {
      live.delete(runId);
      remember(ended, runId);
      requests.end(runId);
      tell(runId);
      await one.close();
      options.onKept?.();
    });
    hold(over);
  }

  function hold(work: Promise<unknown>): void {
    const settled = work.catch(() => undefined).finally(() => pending.delete(settled));
    pending.add(settled);
  }

  // ── While it goes on ────────────────────────────────────────────────────────────────────────────

  function find(runId: string): Run {
    const run = live.get(runId)?.run;
    if (run && run.state !== 'ended') return run;
    if (run || ended.has(runId)) throw new ProblemError('conflict', 'the run has ended');
    throw new ProblemError('not-found', 'there is no such run of this server');
  }

  function answer(run: Run, requestId: string, digest: string, given: Answer): void {
    const asked = run.requests.find((one) => one.requestId === requestId);
    if (asked && !fits(asked, given))
      throw new ProblemError('bad-request', `this is no answer to a ${asked.type}: "${given.decision}"`);
    switch (requests.take(run.id, requestId, digest)) {
      case 'taken':
        run.answer(requestId, given);
        break;
      case 'changed':
        throw new ProblemError('conflict', 'what is asked is not what was shown; look at it again');
      case 'answered':
        throw new ProblemError('answered', 'somebody was first, or it is no longer asked');
      case 'unknown':
        throw new ProblemError('not-found', 'nothing of this id was asked');
    }
  }

  /** Waits for the agent's word, but not for ever. */
  async function interrupt(run: Run): Promise<void> {
    const confirmed = run.interrupt();
    let cancel = (): void => {};
    const patience = new Promise<void>((resolve) => {
      cancel = clock.after(INTERRUPT_MS, resolve);
    });
    // Whatever it says later is for nobody.
    confirmed.catch(() => undefined);
    await Promise.race([confirmed, patience]).finally(() => cancel());
  }

  // ── The end ─────────────────────────────────────────────────────────────────────────────────────

  async function stopAll(): Promise<void> {
    for (const { run } of live.values()) run?.stop();
    // A start that was under way may yet become a run, which stops itself.
    while (pending.size > 0) await Promise.all(pending);
  }

  return {
    list: () => [...live.values()].flatMap((one) => one.info() ?? []),
    get: (runId) => live.get(runId)?.info(),
    start: (caller, wanted) => {
      const runId = wanted.runId ?? randomUUID();
      return audited({ action: 'start', runId }, caller, async () => {
        mayStart(caller, wanted);
        if (starting.has(runId) || live.has(runId) || ended.has(runId))
          throw new ProblemError('conflict', 'there is a run of this id');
        starting.add(runId);
        const work = start(caller, wanted, runId).finally(() => starting.delete(runId));
        hold(work);
        return work;
      });
    },
    send: (caller, { runId, text }) =>
      audited({ action: 'send', runId }, caller, async () => {
        mustHave(caller, 'run');
        const run = find(runId);
        run.send(text);
        return replyOf(run);
      }),
    answer: (caller, { runId, requestId, digest, answer: given }) =>
      audited({ action: 'answer', runId, requestId }, caller, async () => {
        mustHave(caller, 'answer');
        const run = find(runId);
        answer(run, requestId, digest, given);
        return replyOf(run);
      }),
    interrupt: (caller, { runId }) =>
      audited({ action: 'interrupt', runId }, caller, async () => {
        mustHave(caller, 'run');
        const run = find(runId);
        await interrupt(run);
        return replyOf(run);
      }),
    stop: (caller, { runId }) =>
      audited({ action: 'stop', runId }, caller, async () => {
        mustHave(caller, 'run');
        const run = find(runId);
        // Its end is told by its state; nobody waits for it here.
        run.stop();
        return replyOf(run);
      }),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosing = true;
      let cancel = (): void => {};
      const patience = new Promise<void>((resolve) => {
        cancel = clock.after(CLOSE_MS, resolve);
      });
      await Promise.race([stopAll(), patience]);
      cancel();
      for (const { run } of live.values()) run?.kill();
    },
  };
}

function findAgent(agents: readonly Agent[], name: string): Agent {
  const agent = agents.find((one) => one.name === name && one.command);
  if (agent) return agent;
  const names = agents.filter(({ command }) => command).map((one) => one.name);
  throw new ProblemError('bad-request', `no agent of this name can be started; there are ${names.join(', ')}`);
}

function replyOf(run: Run): RunReply {
  const sessionId = run.sessionIds.reported;
  return { runId: run.id, ...(sessionId !== undefined && { sessionId }) };
}

/** An answer to a question must not be taken for a permission, nor the reverse. */
function fits(request: RequestEvent, { decision }: Answer): boolean {
  if (decision === 'deny') return true;
  return request.type === 'permission-request' ? decision === 'allow' : decision === 'answer';
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > MAX_ENDED_RUNS && oldest !== undefined) ids.delete(oldest);
}
