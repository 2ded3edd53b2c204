import type { AgentStreamEvent, Summary } from '@tailrace/core';
import type { SessionEvents, SessionRow, Store, StoredLine, StoredStream } from '../contract.ts';
import { StoreError } from '../errors.ts';

/** A session that is taken away. What is not needed for a form is not read. */
export interface ExportInput {
  readonly session: SessionRow & { readonly summary: Summary };
  /** As `History.events` gives them. */
  readonly events: AsyncIterable<readonly Pick<SessionEvents, 'events'>[]>;
  /** As `LineRecord.read` gives them. */
  readonly lines: AsyncIterable<readonly Pick<StoredLine, 'stream' | 'source' | 'at' | 'bytes'>[]>;
}

export interface ExportOptions {
  /** Whether secrets are left out; they are unless somebody wants to keep them. */
  readonly redact?: boolean | undefined;
  /** Called for each secret that was left out, with its kind. */
  readonly onRedacted?: ((kind: string) => void) | undefined;
}

/** A session of a store. Its lines are what the agent printed, or its own files where nobody was there when it ran. */
export async function openExport(store: Pick<Store, 'history' | 'record'>, id: string): Promise<ExportInput> {
  const session = await store.history.session(id);
  if (!session) throw new StoreError('not-found', `there is no session ${id}`);
  return { session, events: store.history.events(id), lines: linesOf(store, id) };
}

async function* linesOf({ record }: Pick<Store, 'record'>, sessionId: string): AsyncIterable<readonly StoredLine[]> {
  const streams = await record.streams({ sessionId });
  const runs = streams.filter(({ kind }) => kind === 'run');
  const chosen = runs.length > 0 ? runs : streams.filter(({ kind }) => kind === 'transcript');
  for (const { name } of [...chosen].sort(byAge)) {
    for await (const lines of record.read(name))
      yield lines.filter(({ source }) => source === 'stdout' || source === 'transcript');
  }
}

function byAge(a: StoredStream, b: StoredStream): number {
  // A session's own file comes before those of its sub-agents, which tell whose they are.
  const [isSubA, isSubB] = [a.about !== undefined, b.about !== undefined];
  return isSubA === isSubB ? (a.firstAt ?? 0) - (b.firstAt ?? 0) : isSubA ? 1 : -1;
}

/** One event after the other. */
export async function* eventsOf({ events }: ExportInput): AsyncIterable<AgentStreamEvent> {
  for await (const rows of events) for (const row of rows) yield* row.events;
}
