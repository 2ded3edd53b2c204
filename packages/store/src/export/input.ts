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
  /** Lines of the same session that another stream has, and that are not among these. */
  readonly leftOut?: number | undefined;
}

export interface ExportOptions {
  /** Whether secrets are left out; they are unless somebody wants to keep them. */
  readonly redact?: boolean | undefined;
  /** Called for each secret that was left out, with its kind. */
  readonly onRedacted?: ((kind: string) => void) | undefined;
}

/** A session of a store. Its lines are those of its runs, else of the agent's own files, else of its hooks; or all of them. */
export async function openExport(
  store: Pick<Store, 'history' | 'record'>,
  id: string,
  options: { readonly isAll?: boolean | undefined } = {},
): Promise<ExportInput> {
  const session = await store.history.session(id);
  if (!session) throw new StoreError('not-found', `there is no session ${id}`);
  const streams = [...(await store.record.streams({ sessionId: id }))].sort(byAge);
  const kind = KINDS.find((one) => streams.some((stream) => stream.kind === one));
  const isChosen = (stream: StoredStream): boolean => options.isAll || stream.kind === kind;
  const leftOut = streams.filter((stream) => !isChosen(stream)).reduce((sum, { nextSeq }) => sum + nextSeq - 1, 0);
  return { session, events: store.history.events(id), lines: linesOf(store, streams.filter(isChosen)), leftOut };
}

const KINDS: readonly StoredStream['kind'][] = ['run', 'transcript', 'hook'];

/** What the agent has written. What was written to it, and our own remarks, are no lines of its. */
async function* linesOf(
  { record }: Pick<Store, 'record'>,
  streams: readonly StoredStream[],
): AsyncIterable<readonly StoredLine[]> {
  for (const { name } of streams)
    for await (const lines of record.read(name)) yield lines.filter(({ source }) => OWN.has(source));
}

const OWN: ReadonlySet<string> = new Set(['stdout', 'transcript', 'hook']);

function byAge(a: StoredStream, b: StoredStream): number {
  if (a.kind !== b.kind) return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
  // A session's own file comes before those of its sub-agents, which tell whose they are.
  const [isSubA, isSubB] = [a.about !== undefined, b.about !== undefined];
  return isSubA === isSubB ? (a.firstAt ?? 0) - (b.firstAt ?? 0) : isSubA ? 1 : -1;
}

/** One event after the other. */
export async function* eventsOf({ events }: ExportInput): AsyncIterable<AgentStreamEvent> {
  for await (const rows of events) for (const row of rows) yield* row.events;
}
