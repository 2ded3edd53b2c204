// What waits for an answer. An answer belongs to exactly one request as it was shown, and the first one counts.

import { createHash } from 'node:crypto';
import type { RequestEvent } from '@tailrace/core';

/** `changed`: something else was shown under this id; `answered`: somebody was first; `unknown`: nothing waits under this id. */
type AnswerCheck = 'taken' | 'changed' | 'answered' | 'unknown';

export interface OpenRequests {
  /** Hears of a request. */
  add(runId: string, request: RequestEvent): void;
  /** It does not wait any more: answered elsewhere, or taken back. */
  settle(runId: string, requestId: string): void;
  /** The run has ended: nothing of it waits. */
  end(runId: string): void;
  /**
   * Takes the request for one who has seen this, and gives their answer: whoever comes after that is told that it is answered. When
   * `give` throws it is put back.
   */
  take(runId: string, requestId: string, digest: string, give: () => void): AnswerCheck;
}

/** Answered requests are remembered, so that a late answer is told what happened; so many of each run. */
const REMEMBERED = 1000;

interface Run {
  readonly open: Map<string, string>;
  readonly answered: Set<string>;
}

/** What is shown of a request, all of it: the same to the last character has the same digest. */
export function digestOf(request: RequestEvent): string {
  // Numbers and times of the stream say nothing about what was asked.
  const { seq: _seq, line: _line, at: _at, time: _time, after: _after, from: _from, ...shown } = request;
  return createHash('sha256')
    .update(JSON.stringify(sorted(shown)))
    .digest('base64url');
}

export function createOpenRequests(): OpenRequests {
  const runs = new Map<string, Run>();

  function close(run: Run, requestId: string): void {
    run.open.delete(requestId);
    run.answered.add(requestId);
    const [oldest] = run.answered;
    if (run.answered.size > REMEMBERED && oldest !== undefined) run.answered.delete(oldest);
  }

  return {
    add(runId, request) {
      const run = runs.get(runId) ?? { open: new Map(), answered: new Set() };
      runs.set(runId, run);
      run.open.set(request.requestId, digestOf(request));
      // The same id may be asked again.
      run.answered.delete(request.requestId);
    },
    settle(runId, requestId) {
      const run = runs.get(runId);
      if (run?.open.has(requestId)) close(run, requestId);
    },
    end: (runId) => void runs.delete(runId),
    take(runId, requestId, digest, give) {
      const run = runs.get(runId);
      const shown = run?.open.get(requestId);
      if (!run || shown === undefined) return run?.answered.has(requestId) ? 'answered' : 'unknown';
      if (shown !== digest) return 'changed';
      close(run, requestId);
      try {
        give();
      } catch (error) {
        run.open.set(requestId, shown);
        run.answered.delete(requestId);
        throw error;
      }
      return 'taken';
    },
  };
}

/** With the names of fields in order: whoever sends a request on may write them in another. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // As a list under a name, so that no list can look like it.
  return { fields: fields.map(([name, one]) => [name, sorted(one)]) };
}
