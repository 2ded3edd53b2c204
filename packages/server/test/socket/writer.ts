// Writes recorded runs into a store as another process does, each as a session of its own.

import { randomUUID } from 'node:crypto';
import type { Lease, NewLine, Store } from '@tailrace/store';
import { linesOf, type RecordedRun } from '../feed/recordings.ts';

export interface Writer {
  readonly runId: string;
  readonly sessionId: string;
  readonly isDone: boolean;
  /** Writes the next lines. */
  grow(count?: number): Promise<void>;
  /** Nobody writes to it any more. */
  end(): Promise<void>;
}

export function createWriter(store: Store, { lines }: Pick<RecordedRun, 'lines'>, runId = randomUUID()): Writer {
  const sessionId = randomUUID();
  const own = lines.map((line) => ofSession(line, sessionId));
  let lease: Lease | undefined;
  let next = 0;
  return {
    runId,
    sessionId,
    get isDone() {
      return next === own.length;
    },
    async grow(count = Number.POSITIVE_INFINITY) {
      const some = own.slice(next, next + count);
      if (some.length === 0) return;
      lease ??= await store.record.claim(`run:${runId}`, { kind: 'run', agent: 'claude' });
      await store.record.append(`run:${runId}`, next + 1, some);
      next += some.length;
    },
    async end() {
      await lease?.release();
      lease = undefined;
    },
  };
}

function ofSession(line: NewLine, sessionId: string): NewLine {
  const text = Buffer.from(line.bytes).toString();
  const own = /"session_id":"([^"]+)"/.exec(text)?.[1];
  return own === undefined ? line : { ...line, bytes: Buffer.from(text.replaceAll(own, sessionId)) };
}

/** Each writer has a session of its own in its place. */
const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';
const init = {
  type: 'system',
  subtype: 'init',
  session_id: PLACEHOLDER,
  cwd: '/somewhere',
  model: 'claude-x',
  tools: [],
};

/** An answer of the model in these parts, all of them in one line. */
export function answerLine(id: string, content: readonly object[]): object {
  const message = { id, role: 'assistant', model: 'claude-x', content, usage: {} };
  return { type: 'assistant', session_id: PLACEHOLDER, uuid: `line-${id}`, message };
}

/** What the tools gave. */
export function resultLine(id: string, content: readonly object[]): object {
  return { type: 'user', session_id: PLACEHOLDER, uuid: `line-${id}`, message: { role: 'user', content } };
}

/** A run of these lines. */
export function runOf(...messages: readonly object[]): Pick<RecordedRun, 'lines'> {
  return { lines: linesOf([init, ...messages].map((message) => JSON.stringify(message)).join('\n')) };
}

/** A run with a line of about 3 MB whose events need many frames, and one with a text of 3 MB. */
export function longRun(): Pick<RecordedRun, 'lines'> {
  const parts = Array.from({ length: 600 }, (_, index) => ({ type: 'text', text: `${index} ${'wheel '.repeat(830)}` }));
  const text = 'mill '.repeat(600_000);
  return runOf(
    answerLine('before', [{ type: 'text', text: 'short' }]),
    answerLine('many', parts),
    answerLine('between', [{ type: 'text', text: 'short' }]),
    answerLine('long', [{ type: 'text', text }]),
    answerLine('after', [{ type: 'text', text: 'short' }]),
  );
}
