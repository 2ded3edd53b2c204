import { parseArgs } from 'node:util';
import type { Store } from '@tailrace/store';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { parseTime } from '../history/filters.ts';
import { findSession } from '../history/find.ts';
import { takeHooks, tellEmpty, withHistory } from '../history/open.ts';
import { writeOut } from '../input/write.ts';
import { tellPlainly } from '../printer/hidden.ts';

/** `tailrace forget`: takes sessions out of the store for good. The agents' own files are theirs, and stay. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      before: { type: 'string' },
      vacuum: { type: 'boolean' },
      size: { type: 'boolean' },
      json: { type: 'boolean' },
    },
  });
  const before = parseTime('--before', values.before);
  if (positionals.length === 0 && before === undefined && !values.vacuum && !values.size)
    throw new UsageError('what is to be forgotten? Session ids, or --before DAY');
  const done = await withHistory(async (store) => {
    const sessions: Forgotten[] = [];
    // All are found before the first is forgotten: "last" is one session, however often it is said.
    const ids = new Set<string>();
    for (const wanted of positionals) ids.add(await findSession(store, wanted));
    if (ids.size > 0) await emptySpool(store);
    for (const id of ids) sessions.push(await forget(store, id));
    const old = before === undefined ? [] : await store.forgetBefore(before);
    sessions.push(...old.map((id) => ({ id, files: [] })));
    if (values.vacuum) await store.vacuum();
    return { sessions, size: await store.size() };
  });
  if (!done) tellEmpty();
  else if (values.json)
    await writeOut(`${JSON.stringify({ forgotten: done.sessions.map(({ id }) => id), size: done.size })}\n`);
  else {
    for (const { id, files } of done.sessions) {
      await writeOut(`forgotten: ${tellPlainly(id)}\n`);
      for (const file of files) await writeOut(`  the agent's own file stays: ${tellPlainly(file)}\n`);
    }
    await writeOut(describeSize(done.size));
  }
  return 0;
};

/** What hooks told lies in a file of its own until it is taken away: twice, since it is put aside first. */
async function emptySpool(store: Store): Promise<void> {
  await takeHooks(store, 0);
  await takeHooks(store, 0);
}

interface Forgotten {
  readonly id: string;
  readonly files: readonly string[];
}

async function forget(store: Store, id: string): Promise<Forgotten> {
  const streams = await store.record.streams({ sessionId: id });
  await store.forget(id);
  return { id, files: streams.flatMap(({ path }) => path ?? []) };
}

function describeSize({
  fileBytes,
  lineBytes,
  lines,
  sessions,
  indexBytes,
  freeBytes,
}: Awaited<ReturnType<Store['size']>>): string {
  const mb = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
  return (
    `${sessions} sessions with ${lines} lines: ${mb(fileBytes)} on the disk, ` +
    `${mb(lineBytes)} of it lines, ${mb(indexBytes)} made of them, ${mb(freeBytes)} free (--vacuum gives it back)\n`
  );
}
