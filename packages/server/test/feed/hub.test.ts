// Whoever listens, from wherever and however often cut off, has in the end what is kept: nothing missing, nothing twice.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeCursor, encodeCursor, MAX_FRAME_BYTES } from '@tailrace/protocol';
import { type Lease, type NewLine, openStore, type Store } from '@tailrace/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { createHub, type Hub } from '../../src/feed/hub.ts';
import { compare } from './compare.ts';
import { createRandom, pick } from './random.ts';
import { createReader, type Reader } from './reader.ts';
import { linesOf, type RecordedRun, recordedRuns } from './recordings.ts';

let folder: string;
/** The server's, and that of another process. */
let store: Store;
let other: Store;
let hub: Hub;
const errors: unknown[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-hub-'));
  store = await openStore({ file: join(folder, 'tailrace.db') });
  other = await openStore({ file: join(folder, 'tailrace.db') });
  errors.length = 0;
  hub = createHub({
    store,
    look: async () => [],
    about: async (id) => {
      const row = await store.history.session(id);
      return row && { agent: row.agent, project: row.cwd ?? undefined };
    },
    onError: (error) => errors.push(error),
  });
});

afterEach(async () => {
  await hub.close();
  await store.close();
  await other.close();
  rmSync(folder, { recursive: true });
  expect(errors).toEqual([]);
});

/** Writes a run as another process would, some lines at a time. */
function createWriter({ name, lines }: RecordedRun): { grow(count: number): Promise<void>; end(): Promise<void> } {
  let lease: Lease | undefined;
  let next = 0;
  return {
    async grow(count) {
      const some = lines.slice(next, next + count);
      if (some.length === 0) return;
      lease ??= await other.record.claim(`run:${name}`, { kind: 'run', agent: 'claude' });
      await other.record.append(`run:${name}`, next + 1, some);
      next += some.length;
    },
    async end() {
      await lease?.release();
      lease = undefined;
    },
  };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`it does not come about: ${String(condition)} ${errors.map(String)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Everything is told, and the reader has heard all of it. */
async function settled(reader: Reader, lines: number): Promise<void> {
  await until(async () => {
    const { end } = await store.history.tidings(Number.POSITIVE_INFINITY);
    if (end < lines || !reader.holding.isLive) return false;
    hub.sayCursors();
    const mark = reader.holding.cursor;
    return mark !== undefined && decodeCursor(mark)?.position === end;
  });
}

function startedLine(runId: string): NewLine {
  const line = { type: 'run-started', runId, agent: 'claude', prompt: 'go' };
  return { at: 1_794_719_999_999, source: 'host', bytes: Buffer.from(`${JSON.stringify(line)}\n`) };
}

/** A line that a run's host writes between those of its agent. */
function stateLine(state: string): NewLine {
  return {
    at: 1_794_720_000_000,
    source: 'host',
    bytes: Buffer.from(`${JSON.stringify({ type: 'state-changed', state })}\n`),
  };
}

test('a run of another program that waits already is learnt when the list is looked at, and forgotten when nobody does', async () => {
  const writer = createWriter({
    name: 'early',
    lines: [startedLine('early'), stateLine('waiting'), stateLine('ended')],
  });
  await writer.grow(2);
  await hub.told();
  const [row] = await store.history.sessions({ status: 'running' });
  const id = row?.id ?? '';
  expect(hub.liveRun(id)).toBeUndefined();
  const reader = createReader(hub, { view: 'sessions' });
  await reader.join();
  await until(() => hub.liveRun(id) !== undefined);
  expect(hub.liveRun(id)).toMatchObject({ runId: 'early', state: 'waiting', isOurs: false, waiting: 1 });
  reader.cut();
  await hub.told();
  await until(() => hub.liveRun(id) === undefined);
  await writer.grow(1);
  await hub.told();
  await reader.join();
  await hub.told();
  expect(hub.liveRun(id)).toBeUndefined();
  await writer.end();
});

describe('whoever listens', () => {
  test('hears what was there, then what comes, whenever they are cut off', async () => {
    const seed = Date.now() % 1_000_000;
    const random = createRandom(seed);
    for (let round = 0; round < counts.feedSchedules; round++) {
      const runs = [pick(random, recordedRuns), pick(random, recordedRuns)].map((run, index) => {
        const name = `${run.name}-${round}-${index}`;
        // A run that somebody started has a line before the agent's first: until that comes, its session has a made-up name.
        return { name, lines: random() < 0.6 ? [startedLine(name), ...run.lines] : run.lines };
      });
      const writers = runs.map(createWriter);
      const readers: Reader[] = [];
      const named = new Map<Reader, readonly string[]>();
      const before = await store.record.last();
      for (let step = 0; step < 40; step++) {
        await pick(random, writers).grow(1 + Math.floor(random() * 12));
        if (random() < 0.2 && readers.length < 4) {
          const ids = (await store.history.sessions({ limit: 5 })).map(({ id }) => id);
          const sessions = random() < 0.7 && ids.length > 0 ? [pick(random, ids)] : undefined;
          const reader = createReader(hub, { view: 'events', ...(sessions && { sessions }) });
          if (sessions) named.set(reader, sessions);
          readers.push(reader);
          await reader.join();
        }
        const reader = readers.length > 0 ? pick(random, readers) : undefined;
        if (reader && random() < 0.4) {
          if (random() < 0.5) reader.cut();
          await reader.join();
        } else if (reader && random() < 0.5) reader.deafAfter = 1 + Math.floor(random() * 3);
        if (random() < 0.3) await until(async () => (await store.history.catchUp()).behind === 0);
      }
      for (const writer of writers) await writer.grow(Number.POSITIVE_INFINITY);
      for (const writer of writers) if (random() < 0.7) await writer.end();
      const lines = await store.record.last();
      expect(lines).toBeGreaterThan(before);
      for (const reader of readers) {
        if (!reader.holding.isLive || random() < 0.5) await reader.join();
        reader.deafAfter = Number.POSITIVE_INFINITY;
        await reader.join();
        await settled(reader, lines);
      }
      for (const writer of writers) await writer.end();
      await store.history.catchUp();
      for (const reader of readers) {
        await settled(reader, lines);
        const ids = named.get(reader) ?? (await store.history.sessions()).map(({ id }) => id);
        for (const id of ids) {
          // One that turned out to be part of another is no session any more.
          if (!(await store.history.session(id))) {
            expect(reader.holding.sessions.has(id)).toBe(false);
            continue;
          }
          await compare(store, reader.holding, id, named.has(reader)).catch((error: unknown) => {
            throw new Error(`seed ${seed}, round ${round}: ${String(error)}`, { cause: error });
          });
        }
        reader.cut();
      }
    }
  });

  test('goes on from a cursor that they got after something was told otherwise, and does not begin anew again', async () => {
    const [run] = recordedRuns.filter(({ lines }) => lines.length > 60);
    const long = Buffer.from(`${JSON.stringify({ type: 'unheard-of', text: 'x'.repeat(300_000) })}\n`);
    const lines = (run?.lines ?? []).flatMap((line) => [line, { ...line, bytes: long }]);
    const writer = createWriter({ name: 'moved', lines: [startedLine('moved'), ...lines] });
    // Too much for one part, and a session that is told otherwise after the first of them.
    for (let step = 0; step < 40; step++) {
      await writer.grow(step === 0 ? 1 : 2);
      await store.history.catchUp();
    }
    const [session] = await store.history.sessions();
    const reader = createReader(hub, { view: 'events', sessions: [session?.id ?? ''] });
    let joins = 0;
    while (!reader.holding.isLive) {
      reader.deafAfter = 2;
      const before = reader.holding.frames;
      await reader.join();
      reader.deafAfter = 2;
      await until(() => reader.holding.frames > before);
      joins++;
      expect(joins).toBeLessThan(100);
    }
    expect(joins).toBeGreaterThan(3);
    expect(reader.holding.others).toEqual([]);
    await writer.end();
  });

  test('and comes to a server that has only just begun is not told to begin anew', async () => {
    const [run] = recordedRuns.filter(({ lines }) => lines.length > 20);
    const writer = createWriter({ name: 'early', lines: run?.lines ?? [] });
    await writer.grow(3);
    await store.history.catchUp();
    const { epoch, end: position } = await store.history.tidings(Number.POSITIVE_INFINITY);
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { history } = store;
    const slow = { ...history, catchUp: (given: object) => gate.then(() => history.catchUp(given)) };
    const fresh = createHub({ store: { ...store, history: slow }, look: async () => [], about: async () => undefined });
    const reader = createReader(fresh, { view: 'events', cursor: encodeCursor({ epoch, position }) });
    await reader.join();
    await until(() => reader.holding.isLive);
    await writer.grow(5);
    open();
    const last = await store.record.last();
    await until(() => {
      fresh.sayCursors();
      return (decodeCursor(reader.holding.cursor ?? '')?.position ?? 0) >= last;
    });
    expect(reader.holding.others).toEqual([]);
    await fresh.close();
    await writer.end();
  });

  test('is sent no frame that is too long, and the whole of a line of 60 MiB can be asked for', async () => {
    const text = 'x'.repeat(60 * 1024 * 1024);
    const line = JSON.stringify({
      type: 'assistant',
      session_id: 'a0000000-0000-4000-8000-000000000001',
      uuid: 'u',
      message: { id: 'm', role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
    });
    const writer = createWriter({ name: 'long', lines: linesOf(line) });
    const lengths: number[] = [];
    const reader = createReader(hub, { view: 'events' });
    await reader.join();
    await until(() => reader.holding.isLive);
    await writer.grow(1);
    await writer.end();
    await until(() => [...reader.holding.sessions.values()].some(({ events }) => events.some(({ cut }) => cut)));
    const [held] = [...reader.holding.sessions.values()];
    const whole = held?.events.find(({ cut }) => cut?.some(({ bytes }) => bytes === text.length));
    expect(whole?.cut?.[0]?.ref).toMatch(/^\/api\/sessions\/a0000000-0000-4000-8000-000000000001\/lines\/1$/);
    for (const event of held?.events ?? []) lengths.push(JSON.stringify(event).length);
    expect(Math.max(...lengths)).toBeLessThan(MAX_FRAME_BYTES);
  });
});
