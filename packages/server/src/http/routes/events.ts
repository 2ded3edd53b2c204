import { eventPage, eventQuery, PAGE_ITEMS, wholeEvents } from '@tailrace/protocol';
import type { Store, StoredLine } from '@tailrace/store';
import { ProblemError } from '../../problem-error.ts';
import { readEventPage, readLastPage, readWholeEvents } from '../event-page.ts';
import { defineRoute, type Route } from '../route.ts';

export const eventRoutes: readonly Route[] = [
  defineRoute({
    name: 'listEvents',
    method: 'GET',
    path: '/api/sessions/:sessionId/events',
    says: 'The events of a session behind a cursor, or the last ones. A page begins and ends where the events of a line do.',
    entry: 'read',
    query: eventQuery,
    reply: eventPage,
    async handle({ parameters: { sessionId }, query: { after, limit = PAGE_ITEMS, last = false } }, { store }) {
      const page = last
        ? await readLastPage(store, sessionId, limit)
        : await readEventPage(store, sessionId, after, limit);
      if (page.items.length === 0 && !(await store.history.session(sessionId)))
        throw new ProblemError('not-found', 'there is no such session');
      return { body: page };
    },
  }),
  defineRoute({
    name: 'getLine',
    method: 'GET',
    path: '/api/sessions/:sessionId/lines/:position',
    says: 'A line as it came, to the byte; ranges can be asked for. The number counts the lines of all streams.',
    entry: 'read',
    hasBytes: true,
    hasETag: true,
    async handle({ parameters: { sessionId, position } }, { store }) {
      const line = await lineOf(store, sessionId, Number(position));
      return { bytes: line.bytes, etag: `"${await store.epoch()}-${position}"` };
    },
  }),
  defineRoute({
    name: 'listWholeEvents',
    method: 'GET',
    path: '/api/sessions/:sessionId/lines/:position/events',
    says: 'The events that a line told, with nothing cut.',
    entry: 'read',
    reply: wholeEvents,
    async handle({ parameters: { sessionId, position } }, { store }) {
      const items = await readWholeEvents(store, sessionId, Number(position));
      // A line may tell nothing; then it has to be one.
      if (items.length === 0) await lineOf(store, sessionId, Number(position));
      return { body: { items } };
    },
  }),
];

/** Nobody reads a line by the name of another session. */
async function lineOf({ record }: Store, sessionId: string, position: number): Promise<StoredLine> {
  const [line] = await record.after(position - 1, 1);
  const streams = await record.streams({ sessionId });
  if (line?.position !== position || !streams.some(({ name }) => name === line.stream))
    throw new ProblemError('not-found', 'there is no such line in this session');
  return line;
}
