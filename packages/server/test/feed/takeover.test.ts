// Somebody leaves while they are being told something, and another comes who wants the same.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@tailrace/store';
import { expect, onTestFinished, test } from 'vitest';
import { createHub } from '../../src/feed/hub.ts';
import { until } from '../control/runs-of-fake.ts';
import { answerLine, createWriter, runOf } from '../socket/writer.ts';
import { createReader } from './reader.ts';

test('whoever comes in the place of one who has just left hears what follows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-takeover-'));
  const store = await openStore({ file: join(folder, 'tailrace.db') });
  let release = (): void => undefined;
  let gate: Promise<void> | undefined;
  let isAsked = false;
  const hub = createHub({
    store,
    look: async () => [],
    about: async () => {
      isAsked = true;
      await gate;
      return { agent: 'claude', project: 'p' };
    },
  });
  onTestFinished(async () => {
    await hub.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const wanted = { view: 'events', filter: { agents: ['claude'] } } as const;
  const first = createReader(hub, wanted);
  await first.join();
  await until(() => first.holding.isLive);

  gate = new Promise((resolve) => {
    release = resolve;
  });
  const said = createWriter(store, runOf(answerLine('a', [{ type: 'text', text: 'said' }])));
  await said.grow();
  hub.wake();
  await until(() => isAsked);
  first.cut();
  const second = createReader(hub, wanted);
  await second.join();
  await until(() => second.holding.isLive);
  gate = undefined;
  release();

  const next = createWriter(store, runOf(answerLine('b', [{ type: 'text', text: 'next' }])));
  await next.grow();
  hub.wake();
  await until(() => second.holding.sessions.has(next.sessionId), 5_000);
  expect(second.holding.sessions.get(next.sessionId)?.events.length).toBeGreaterThan(0);
  await said.end();
  await next.end();
});
