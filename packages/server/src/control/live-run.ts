// One run of this server while it goes on: what is kept of it, what waits in it, and how it is shown.

import { type AgentStreamEvent, createSummary } from '@tailrace/core';
import type { OpenRequest, RunInfo } from '@tailrace/protocol';
import type { RecordLine, Run, RunListener } from '@tailrace/runner';
import type { RunKeeper } from '@tailrace/store';
import { digestOf, type OpenRequests } from './open-requests.ts';

export interface LiveRun {
  /** For `startRun`. */
  readonly listener: RunListener;
  /** The process is there. */
  attach(run: Run): void;
  readonly run: Run | undefined;
  info(): RunInfo | undefined;
  /** Its last lines are kept, or nobody can keep them. */
  close(): Promise<void>;
}

export interface LiveRunOptions extends Pick<RunInfo, 'runId' | 'workOrderId' | 'agent' | 'projectId' | 'startedAt'> {
  readonly keeper: RunKeeper;
  readonly requests: OpenRequests;
  /** What {@link LiveRun.info} gives is not what it gave before. */
  onChange(): void;
}

export function createLiveRun({ keeper, requests, onChange, ...facts }: LiveRunOptions): LiveRun {
  const { runId } = facts;
  const summary = createSummary();
  let lines = 0;
  let run: Run | undefined;
  let told = '';
  let isLooking = false;

  function hear(event: AgentStreamEvent): void {
    summary.add(event);
    keeper.hear(event);
    const isSettled = event.type === 'permission-resolve' || event.type === 'question-resolve';
    if (isSettled && event.requestId !== undefined) requests.settle(runId, event.requestId);
  }

  function keep(rows: readonly RecordLine[]): Promise<void> | undefined {
    for (const { source } of rows) if (source === 'stdout') lines++;
    return keeper.keep(rows);
  }

  /** Once for all that happens in one go, and after the run itself has taken notice of it. */
  function look(): void {
    if (isLooking) return;
    isLooking = true;
    queueMicrotask(() => {
      isLooking = false;
      const now = JSON.stringify([run?.state, run?.since, run?.sessionIds.reported, run?.requests.map(idOf)]);
      if (now === told) return;
      told = now;
      onChange();
    });
  }

  return {
    listener: {
      onLines: keep,
      onEvents: (events) => {
        for (const event of events) hear(event);
        look();
      },
      onState: look,
      onRequest: (request) => {
        requests.add(runId, request);
        look();
      },
    },
    attach(started) {
      run = started;
      look();
    },
    get run() {
      return run;
    },
    info: () =>
      run && {
        ...facts,
        sessionId: run.sessionIds.reported ?? null,
        state: run.state,
        since: run.since,
        requests: run.requests.map(toOpen),
      },
    async close() {
      await keeper.close(summary.summary(lines));
    },
  };
}

const idOf = ({ requestId }: OpenRequest['request']): string => requestId;

/** What is asked may be long, and it is shown often. */
const digests = new WeakMap<OpenRequest['request'], string>();

function toOpen(request: OpenRequest['request']): OpenRequest {
  const digest = digests.get(request) ?? digestOf(request);
  digests.set(request, digest);
  return { request, digest };
}
