// Somebody asks for the same long session a hundred times and reads nothing: what waits for them is bounded all the same.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_SUBSCRIPTIONS } from '@tailrace/protocol';
import { openStore } from '@tailrace/store';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from './peer.ts';
import { clientFrame, handshake, speak } from './raw.ts';
import { startWeighedServer } from './weighed-server.ts';
import { answerLine, createWriter, resultLine, runOf } from './writer.ts';

const MAX_GROWTH = 32_000_000;
const CALLS = 400;
const STEP_BYTES = 500_000;
const READ_STEPS = 40;

/** Reads about so much, and then no more. */
function read(socket: Socket, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    let left = bytes;
    function hear(chunk: Buffer): void {
      left -= chunk.length;
      if (left > 0) return;
      socket.pause();
      socket.off('data', hear);
      resolve();
    }
    socket.on('data', hear);
    socket.resume();
  });
}

test('[T-11] a hundred replays to somebody who does not read cost no more than one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-replays-'));
  chmodSync(folder, 0o700);
  const store = await openStore({ file: join(folder, 'tailrace.db') });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
  });
  const lines = Array.from({ length: CALLS }, (_, index) => [
    answerLine(`m${index}`, [{ type: 'tool_use', id: `t${index}`, name: 'Bash', input: { command: 'flow' } }]),
    resultLine(`r${index}`, [
      { type: 'tool_result', tool_use_id: `t${index}`, content: `${index} ${Math.random()}`.padEnd(20_000, 'water ') },
    ]),
  ]);
  const writer = createWriter(store, runOf(...lines.flat()));
  await writer.grow();
  await writer.end();
  await store.history.catchUp();
  const server = await startWeighedServer(folder);
  const wanted = { type: 'subscribe', view: 'events', sessions: [writer.sessionId] };
  const good = await connect(server.host, server.person);
  good.say({ ...wanted, subscriptionId: 'good' });
  await good.find('live');
  const before = await server.weigh();

  const deaf = await speak(server.port, handshake({ host: server.host, ...server.person }));
  await deaf.until(({ messages }) => messages.length > 0);
  deaf.socket.pause();
  for (let index = 0; index < MAX_SUBSCRIPTIONS; index++)
    deaf.socket.write(clientFrame(JSON.stringify({ ...wanted, subscriptionId: `s${index}` })));
  while ((await server.weigh()).listeners <= MAX_SUBSCRIPTIONS) expect(deaf.isClosed).toBe(false);
  // It reads a little now and then: all of them could go on at once.
  deaf.socket.removeAllListeners('data');
  let most = 0;
  for (let step = 0; step < READ_STEPS; step++) {
    await read(deaf.socket, STEP_BYTES);
    most = Math.max(most, (await server.weigh()).held);
  }
  expect(most - before.held).toBeLessThan(MAX_GROWTH);
  // Nobody else waits for it.
  good.say({ ...wanted, subscriptionId: 'good' });
  await good.until(() => good.all('live').length === 2);
});
