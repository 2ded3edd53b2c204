// @vitest-environment happy-dom
// In a page: which server it speaks to, and what makes it look at its connection at once.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Client, createClient } from '../src/client.ts';
import { LONGEST_RETRY_MS } from '../src/limits.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import { handClock, openPage, until } from './tools.ts';

let server: TestServer;
let client: Client;
beforeEach(async () => {
  server = await startTestServer({ heartbeatMs: 1000, route: () => ({ body: {} }) });
});
afterEach(async () => {
  client.close();
  await server.close();
});

test('[T-08] a page speaks to its own server, whatever its address says', async () => {
  openPage(`${server.url}/?server=http://evil.example&url=http://evil.example#http://evil.example`);
  const asked: string[] = [];
  class Watched extends WebSocket {
    constructor(url: string) {
      asked.push(url);
      super(url);
    }
  }
  client = createClient({ WebSocket: Watched });
  const subscription = client.subscribe({ view: 'sessions' }, () => undefined);
  await until(() => subscription.status.state === 'live');
  expect(asked).toEqual([`${server.url.replace('http', 'ws')}/ws`]);
});

describe('a page that waits for its server', () => {
  const see = (visibility: string): void => {
    Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const online = (): void => void window.dispatchEvent(new Event('online'));

  test.each([
    ['the network is back', online],
    ['somebody looks at it', () => see('visible')],
  ])('tries at once when %s', async (_, wake) => {
    const clock = handClock();
    client = createClient({ url: server.url, WebSocket, clock });
    const subscription = client.subscribe({ view: 'sessions' }, () => undefined);
    await until(() => subscription.status.state === 'live');
    server.peers[0]?.cut('reset');
    await until(() => client.status.state === 'waiting');
    see('hidden');
    expect(client.status.state).toBe('waiting');
    wake();
    expect(client.status.state).toBe('connecting');
    await until(() => subscription.status.state === 'live');
    expect(server.connections).toBe(2);
  });

  test('that slept sees that the server was silent', async () => {
    const clock = handClock();
    let sleptMs = 0;
    client = createClient({ url: server.url, WebSocket, clock: { ...clock, now: () => clock.now() + sleptMs } });
    const subscription = client.subscribe({ view: 'sessions' }, () => undefined);
    await until(() => subscription.status.state === 'live');
    see('visible');
    expect(client.status.state).toBe('open');
    sleptMs = LONGEST_RETRY_MS;
    see('visible');
    expect(client.status.state).toBe('waiting');
  });

  test('is no longer woken after it was closed', async () => {
    client = createClient({ url: server.url, WebSocket });
    client.subscribe({ view: 'sessions' }, () => undefined);
    client.close();
    online();
    see('visible');
    expect(client.status.state).toBe('closed');
  });
});
