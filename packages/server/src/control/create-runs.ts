// Starts the runs of this server and does what is asked of them. Every wish is checked for its right and written into the audit log.

import { randomUUID } from 'node:crypto';
import type { Answer } from '@tailrace/core';
import { type Run, systemClock } from '@tailrace/runner';
import type { Caller } from '../guard/guard.ts';
import { ProblemError } from '../problem-error.ts';
import type { Audit } from './audit.ts';
import { audited as auditedBy } from './audited.ts';
import { type LaunchOptions, launchRun } from './launch-run.ts';
import { CLOSE_MS, INTERRUPT_MS, MAX_ENDED_RUNS, MAX_RUNS } from './limits.ts';
import type { LiveRun } from './live-run.ts';
import { createOpenRequests } from './open-requests.ts';
import { mustHave } from './rights.ts';
import type { RunReply, Runs } from './runs.ts';

export interface RunsOptions extends LaunchOptions {
  readonly audit: Audit;
}

export function createRuns(options: RunsOptions): Runs {
  const { audit, clock = systemClock } = options;
  const requests = createOpenRequests();
  const live = new Map<string, LiveRun>();
  const ended = new Set<string>();
  /** By the id of the run: the session that it goes on with, if any. */
  const starting = new Map<string, string | undefined>();
  /** Runs that go on in a session of their own: the one that they were begun from is free as soon as they tell it. */
  const forks = new Set<string>();
  /** Sessions that something else is done with meanwhile. */
  const taken = new Set<string>();
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
  const audited = <T>(entry: Parameters<typeof auditedBy>[1], caller: Caller, work: () => Promise<T>): Promise<T> =>
    auditedBy(audit, entry, caller, work);

  // ── Starting ────────────────────────────────────────────────────────────────────────────────────

  type Wanted = Parameters<Runs['start']>[1];

  function mayStart(caller: Caller, wanted: Wanted): void {
    mustHave(caller, 'run');
    // To allow something ahead is to answer before it is asked.
    if (wanted.allow !== undefined || wanted.permissionMode !== undefined) mustHave(caller, 'answer');
    if (wanted.resume === undefined && (wanted.fork || wanted.resumeAt !== undefined))
      throw new ProblemError('bad-request', 'fork and resumeAt need a session to go on with: resume');
    if (isClosing) throw new ProblemError('unavailable', 'the server is being stopped');
    if (live.size + starting.size >= MAX_RUNS) throw new ProblemError('too-many', `${MAX_RUNS} runs go on already`);
  }

  async function start(caller: Caller, wanted: Wanted, runId: string): Promise<RunReply> {
    const one = await launchRun(options, { caller, wanted, runId, requests, onChange: () => tell(runId) });
    if (wanted.fork) forks.add(runId);
    live.set(runId, one);
    follow(one);
    tell(runId);
    if (isClosing) one.run.stop();
    return replyOf(one.run);
  }

  /** Takes an id, and the session to go on with, for one run at a time. */
  function reserve(runId: string, sessionId: string | undefined): void {
    if (starting.has(runId) || live.has(runId) || ended.has(runId))
      throw new ProblemError('conflict', 'there is a run of this id');
    if (sessionId !== undefined) mustBeFree(sessionId);
    starting.set(runId, sessionId);
  }

  function mustBeFree(sessionId: string): void {
    const sessions = [...live.values()].flatMap(({ run: { id, sessionIds } }) =>
      forks.has(id) ? [sessionIds.reported ?? sessionIds.asked] : [sessionIds.reported, sessionIds.asked],
    );
    if ([...sessions, ...starting.values()].includes(sessionId))
      throw new ProblemError('conflict', 'this session goes on in a run already');
    if (taken.has(sessionId)) throw new ProblemError('conflict', 'this session is being taken back');
  }

  async function withSession<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    if (isClosing) throw new ProblemError('unavailable', 'the server is being stopped');
    mustBeFree(sessionId);
    taken.add(sessionId);
    const done = work().finally(() => taken.delete(sessionId));
    hold(done);
    return done;
  }

  function follow({ run, close }: LiveRun): void {
    const over = run.ended.then(async () => {
      live.delete(run.id);
      forks.delete(run.id);
      remember(ended, run.id);
      requests.end(run.id);
      tell(run.id);
      await close();
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
    switch (requests.take(run.id, requestId, digest, () => run.answer(requestId, given))) {
      case 'taken':
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
    for (const { run } of live.values()) run.stop();
    // A start that was under way may yet become a run, which stops itself.
    while (pending.size > 0) await Promise.all(pending);
  }

  return {
    list: () => [...live.values()].map((one) => one.info()),
    get: (runId) => live.get(runId)?.info(),
    start: (caller, wanted) => {
      const runId = wanted.runId ?? randomUUID();
      return audited({ action: 'start', runId }, caller, async () => {
        mayStart(caller, wanted);
        reserve(runId, wanted.resume);
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
    withSession,
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
      for (const { run } of live.values()) run.kill();
    },
  };
}

function replyOf(run: Run): RunReply {
  const sessionId = run.sessionIds.reported;
  return { runId: run.id, ...(sessionId !== undefined && { sessionId }) };
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > MAX_ENDED_RUNS && oldest !== undefined) ids.delete(oldest);
}
