import { expect, test, vi } from 'vitest';
import type { Client } from '../client.ts';
import { sessionOfRun } from './session-of-run.ts';

type Subscribe = Client['subscribe'];
type Told = Parameters<Parameters<Subscribe>[1]>[0];

function listen(): {
  readonly client: Pick<Client, 'subscribe'>;
  readonly close: () => void;
  tell(sessionId: string): void;
} {
  let take: (messages: Told) => void = () => {};
  const close = vi.fn();
  const subscribe: Subscribe = (_wish, listener) => {
    take = listener;
    return { close, status: 'live', cursor: undefined } as unknown as ReturnType<Subscribe>;
  };
  return { client: { subscribe }, close, tell: (sessionId) => take([{ type: 'event', sessionId }] as unknown as Told) };
}

const { signal } = new AbortController();

test('the first event tells the session', async () => {
  const { client, close, tell } = listen();
  const found = sessionOfRun(client, 'run', { signal });
  tell('run');
  expect(await found).toBe('run');
  expect(close).toHaveBeenCalledOnce();
});

test('events under the name that is known already are passed over', async () => {
  const { client, close, tell } = listen();
  const found = sessionOfRun(client, 'run', { signal, besides: 'run' });
  tell('run');
  expect(close).not.toHaveBeenCalled();
  tell('session');
  expect(await found).toBe('session');
});

test('nobody waits any more', async () => {
  const { client, close } = listen();
  const end = new AbortController();
  const found = sessionOfRun(client, 'run', { signal: end.signal });
  end.abort();
  expect(await found).toBeUndefined();
  expect(close).toHaveBeenCalledOnce();
});
