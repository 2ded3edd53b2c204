// Somebody reads 1 kB a second of sessions that grow by 4 MB a second: the server's memory stays, and nobody else is slowed.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { decodeCursor, type Frame } from '@tailrace/protocol';
import { openStore, type Store } from '@tailrace/store';
import { expect, onTestFinished, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { until } from '../control/runs-of-fake.ts';
import { compare, isEndTold } from '../feed/compare.ts';
import { createFollower } from './follower.ts';
import { clientFrame, handshake, type RawConnection, speak } from './raw.ts';
import { startWeighedServer, type WeighedServer } from './weighed-server.ts';
import { answerLine, createWriter, resultLine, runOf, type Writer } from './writer.ts';

const BYTES_A_SECOND = 4_000_000;
/** Of an open session something is held for each call; when it ends, that is given back. */
const SESSION_SECONDS = 5;
const OUTPUT_BYTES = 20_000;
const CALLS_A_STEP = 20;
const MAX_GROWTH = 16_000_000;

/** A session of some seconds: tools whose output is long. */
function session(store: Store): Writer {
  const count = Math.ceil((SESSION_SECONDS * BYTES_A_SECOND) / OUTPUT_BYTES);
  const lines = Array.from({ length: count }, (_, index) => [
    answerLine(`m${index}`, [{ type: 'tool_use', id: `t${index}`, name: 'Bash', input: { command: 'flow' } }]),
    resultLine(`r${index}`, [
      { type: 'tool_result', tool_use_id: `t${index}`, content: `${index} `.padEnd(OUTPUT_BYTES, 'water ') },
    ]),
  ]);
  return createWriter(store, runOf(...lines.flat()));
}

/** Writes it at its pace, or slower where the machine is. The most that the server weighed meanwhile. */
async function play(writer: Writer, server: WeighedServer): Promise<number> {
  const start = performance.now();
  let most = 0;
  for (let bytes = 0; !writer.isDone; bytes += CALLS_A_STEP * OUTPUT_BYTES) {
    await writer.grow(2 * CALLS_A_STEP);
    await pass(Math.max(0, start + (bytes / BYTES_A_SECOND) * 1000 - performance.now()));
    most = Math.max(most, (await server.weigh()).rss);
  }
  await writer.end();
  return most;
}

/** Reads a kilobyte, and rests for a second. */
function readSlowly({ socket }: RawConnection): () => number {
  let bytes = 0;
  socket.pause();
  socket.removeAllListeners('data');
  const timer = setInterval(() => {
    bytes += socket.read(1_000)?.length ?? 0;
  }, 1_000);
  socket.on('close', () => clearInterval(timer));
  onTestFinished(() => clearInterval(timer));
  return () => bytes;
}

test('[T-11] a slow reader costs no memory and slows nobody, and goes on from its cursor', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-slow-'));
  chmodSync(folder, 0o700);
  const store = await openStore({ file: join(folder, 'tailrace.db') });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
  });
  const server = await startWeighedServer(folder);
  const fast = createFollower({ host: () => server.host, headers: () => server.person });
  const heard = fast.listen('all', { view: 'events' });
  await until(() => fast.isLive);
  const sessions = Array.from({ length: 1 + Math.ceil(counts.slowSeconds / SESSION_SECONDS) }, () => session(store));
  const [warm = session(store), ...others] = sessions;
  const before = await play(warm, server);

  const slow = await speak(
    server.port,
    Buffer.concat([
      Buffer.from(handshake({ host: server.host, ...server.person })),
      clientFrame(JSON.stringify({ type: 'subscribe', subscriptionId: 'all', view: 'events' })),
    ]),
  );
  await slow.until(({ messages }) => messages.some(({ type }) => type === 'live'));
  const texts = slow.frames
    .filter(({ opcode }) => opcode === 1)
    .map(({ payload }) => JSON.parse(payload.toString()) as Frame);
  const { cursor } = texts.find((one) => one.cursor !== undefined) ?? {};
  const readBytes = readSlowly(slow);
  let most = 0;
  for (const one of others) most = Math.max(most, await play(one, server));
  expect(most - before).toBeLessThan(MAX_GROWTH);
  // It was slow indeed.
  expect(readBytes()).toBeLessThan(BYTES_A_SECOND);

  for (const { sessionId } of sessions) await until(() => isEndTold(store, sessionId, 0));
  const { end } = await store.history.tidings(Number.POSITIVE_INFINITY);
  const isAt = (one: string | undefined): boolean => decodeCursor(one ?? '')?.position === end;
  await until(() => isAt(heard.cursor));
  for (const { sessionId } of sessions) await compare(store, heard, sessionId, false);
  expect(fast.ends).toEqual([]);

  // It was let go, and all that it has missed is there for it.
  await until(async () => (await server.weigh()).sockets === 1);
  const again = createFollower({ host: () => server.host, headers: () => server.person });
  const late = again.listen('all', { view: 'events', cursor });
  await until(() => isAt(late.cursor));
  for (const { sessionId } of others) await compare(store, late, sessionId, false);
});
