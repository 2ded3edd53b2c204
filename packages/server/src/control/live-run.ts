// One run of this server while it goes on: what is kept of it, what waits in it, and how it is shown.

import { type AgentStreamEvent, createSummary, type RequestEvent } from '@tailrace/core';
import type { OpenRequest, RunInfo } from '@tailrace/protocol';
import type { RecordLine, Run, RunListener } from '@tailrace/runner';
import type { RunKeeper } from '@tailrace/store';
import { digestOf, type OpenRequests } from './open-requests.ts';
import { createRunProgress } from './run-progress.ts';

export interface LiveRun {
  readonly run: Run;
  info(): RunInfo;
  /** Its last lines are kept, or nobody can keep them. */
  close(): Promise<void>;
}

export interface LiveRunOptions extends Pick<RunInfo, 'runId' | 'workOrderId' | 'agent' | 'projectId' | 'startedAt'> {
  readonly keeper: RunKeeper;
  readonly requests: OpenRequests;
  /** What {@link LiveRun.info} gives is not what it gave before. */
  onChange(): void;
}

/** Follows a run from its first line on: `start` starts it with the listener that it is given. */
export async function createLiveRun(
  { keeper, requests, onChange, ...facts }: LiveRunOptions,
  start: (listener: RunListener) => Promise<Run>,
): Promise<LiveRun> {
  const { runId } = facts;
  const summary = createSummary();
  const progress = createRunProgress();
  /** What waits and may be shown: nobody is told of anything before its line is kept. */
  const shown = new Set<RequestEvent>();
  let lines = 0;
  let started: Run | undefined;
  let told: string | undefined;
  let isLooking = false;

  function hear(event: AgentStreamEvent): void {
    summary.add(event);
    progress.add(event);
    keeper.hear(event);
    switch (event.type) {
      case 'permission-request':
      case 'question-request':
        requests.add(runId, event);
        keeper.settled().then(() => {
          shown.add(event);
          look();
        });
        break;
      case 'permission-resolve':
      case 'question-resolve':
        if (event.requestId !== undefined) requests.settle(runId, event.requestId);
        break;
    }
  }

  function keep(rows: readonly RecordLine[]): Promise<void> | undefined {
    for (const { source } of rows) if (source === 'stdout') lines++;
    return keeper.keep(rows);
  }

  function openRequests({ requests: all }: Run): readonly RequestEvent[] {
    for (const request of shown) if (!all.includes(request)) shown.delete(request);
    return all.filter((request) => shown.has(request));
  }

  /** All that changes of it. */
  function shownOf(run: Run): string {
    const { state, since, sessionIds } = run;
    return JSON.stringify([state, since, sessionIds.reported, openRequests(run).map(({ requestId }) => requestId)]);
  }

  /** Once for all that happens in one go, and after the run itself has taken notice of it. */
  function look(): void {
    if (isLooking) return;
    isLooking = true;
    queueMicrotask(() => {
      isLooking = false;
      const now = started && shownOf(started);
      if (now === told) return;
      told = now;
      onChange();
    });
  }

  const run = await start({
    onLines: keep,
    onEvents: (events) => {
      for (const event of events) hear(event);
      look();
    },
    onState: look,
  });
  started = run;
  told = shownOf(run);
  return {
    run,
    info: () => ({
      ...facts,
      sessionId: run.sessionIds.reported ?? null,
      state: run.state,
      since: run.since,
      progress: progress.progress(),
      subagents: progress.subagents,
      requests: openRequests(run).map(toOpen),
    }),
    async close() {
      await keeper.close(summary.summary(lines));
    },
  };
}

/** What is asked may be long, and it is shown often. */
const digests = new WeakMap<RequestEvent, string>();

function toOpen(request: RequestEvent): OpenRequest {
  const digest = digests.get(request) ?? digestOf(request);
  digests.set(request, digest);
  return { request, digest };
}
