// Everything that waits for a person's answer, over all runs of the server. An answer is given once.

import type { Answer, RunState } from '@tailrace/core';
import type { OpenRequest, RunInfo } from '@tailrace/protocol';
import type { Client } from '../client.ts';
import { type ClientError, isClientError } from '../errors.ts';
import type { FeedMessage } from '../feed/message.ts';
import type { Source } from './live-store.ts';
import { createSingleFlight } from './single-flight.ts';

/** Something that waits, and where. */
export interface WaitingRequest extends OpenRequest {
  readonly runId: string;
  readonly sessionId: string | null;
  readonly agent: string;
  /** The id of the folder that the run was started in. */
  readonly projectId: string;
  /** When it was asked, in epoch milliseconds. */
  readonly since: number;
  /** An answer is on its way: no other can be given. */
  readonly isAnswered: boolean;
}

export interface PermissionsView {
  /** The oldest run first, and of each run the oldest request. */
  readonly requests: readonly WaitingRequest[];
  readonly isLoading: boolean;
  readonly error: ClientError | null;
}

export const noPermissions: PermissionsView = { requests: [], isLoading: true, error: null };

export interface PermissionsSource extends Source<PermissionsView> {
  answer(request: WaitingRequest, answer: Answer): Promise<boolean>;
}

const KINDS = [
  'permission-request',
  'permission-resolve',
  'question-request',
  'question-resolve',
  'run-start',
  'run-state',
] as const;

/** States in which a run begins to wait, or answers nobody any more. Of the others there are many, and nothing changes with them. */
const TELLING: ReadonlySet<RunState> = new Set<RunState>(['waiting', 'finishing', 'ended']);

/** Whether it may open a request, settle one, or end all of a run; a break in what is told may hide any of these. */
function isTelling(message: FeedMessage): boolean {
  if (message.type !== 'event') return true;
  const { event } = message;
  return event.type !== 'run-state' || TELLING.has(event.state);
}

export function startPermissions(client: Client, touch: () => void): PermissionsSource {
  let runs: readonly RunInfo[] = [];
  let isLoading = true;
  let error: ClientError | null = null;
  const answered = new Set<string>();

  const asking = createSingleFlight(async (signal) => {
    try {
      runs = await client.http.runs({ signal });
      error = null;
    } catch (failure) {
      if (!isClientError(failure) || failure.code === 'aborted') return;
      error = failure;
    }
    isLoading = false;
    touch();
  });
  const subscription = client.subscribe({ view: 'events', filter: { kinds: KINDS } }, (messages) => {
    if (messages.some(isTelling)) asking.request();
  });
  asking.request();

  return {
    read() {
      const requests = runs.flatMap(({ runId, sessionId, agent, projectId, since, requests: open }) =>
        open.map(({ request, digest }): WaitingRequest => {
          // It is asked by the run's own record, which tells when; else the run waits since then at the latest.
          const one = { runId, sessionId, agent, projectId, since: request.at ?? since, request, digest };
          return { ...one, isAnswered: answered.has(nameOf(one)) };
        }),
      );
      return { requests, isLoading, error };
    },
    async answer(one, answer) {
      const name = nameOf(one);
      if (answered.has(name)) return false;
      answered.add(name);
      touch();
      const { runId, digest, request } = one;
      try {
        await client.command({ action: 'answer', runId, requestId: request.requestId, digest, answer });
        return true;
      } catch (failure) {
        // Somebody else was first, or nobody is there to be answered.
        if (isClientError(failure) && (failure.code === 'answered' || failure.code === 'not-found')) return false;
        answered.delete(name);
        touch();
        throw failure;
      } finally {
        asking.request();
      }
    },
    stop() {
      subscription.close();
      asking.stop();
    },
  };
}

/** A request that is shown anew with something else in it is another one. */
function nameOf({ runId, request, digest }: Pick<WaitingRequest, 'runId' | 'request' | 'digest'>): string {
  return JSON.stringify([runId, request.requestId, digest]);
}
