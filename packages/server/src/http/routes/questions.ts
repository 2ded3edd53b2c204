import { found, searchQuery, usageAnswer, usageQuery } from '@tailrace/protocol';
import { defineRoute, type Route } from '../route.ts';

/** Questions over all sessions. */
export const questionRoutes: readonly Route[] = [
  defineRoute({
    name: 'search',
    method: 'GET',
    path: '/api/search',
    says: 'Places where all of some words occur, the best first.',
    entry: 'read',
    query: searchQuery,
    reply: found,
    async handle({ query: { q, session: sessionId, kind, since, until, limit } }, { store }) {
      const kinds = kind && [kind];
      const hits = await store.history.search(q, { sessionId, kinds, since, until, limit });
      return { body: { items: hits.map(({ stream: _stream, line: _line, ...hit }) => hit) } };
    },
  }),
  defineRoute({
    name: 'getUsage',
    method: 'GET',
    path: '/api/usage',
    says: 'What was used and what it cost, as `tailrace usage --json` tells it.',
    entry: 'read',
    query: usageQuery,
    reply: usageAnswer,
    handle: async ({ query }, { usageReports }) => ({ body: await usageReports.answer(query) }),
  }),
];
