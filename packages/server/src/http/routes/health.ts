import { health, PROTOCOL_VERSION, type StoreHealth } from '@tailrace/protocol';
import type { Store } from '@tailrace/store';
import { problemOf } from '../problem-of.ts';
import { defineRoute, type Route } from '../route.ts';

export const healthRoutes: readonly Route[] = [
  defineRoute({
    name: 'getHealth',
    method: 'GET',
    path: '/api/health',
    says: 'How the server and its store are doing.',
    entry: 'read',
    reply: health,
    async handle(_, { store, version, feedPosition }) {
      const [epoch, about, told] = await Promise.all([
        store.epoch().catch(() => null),
        lookAt(store),
        feedPosition?.().catch(() => null),
      ]);
      return { body: { version, protocol: PROTOCOL_VERSION, epoch, store: about, feedPosition: told ?? null } };
    },
  }),
];

async function lookAt(store: Store): Promise<StoreHealth> {
  try {
    const { fileBytes, lineBytes, lines, streams, sessions, freeBytes } = await store.size();
    const position = await store.record.last();
    return { status: 'ok', fileBytes, lineBytes, lines, streams, sessions, freeBytes, position };
  } catch (error) {
    return { status: problemOf(error).code };
  }
}
