import { labelChange, sessionDetail, sessionPage, sessionQuery, spending } from '@tailrace/protocol';
import { ProblemError } from '../../problem-error.ts';
import { defineRoute, type Route } from '../route.ts';
import { pageSessions } from '../session-page.ts';
import { createSessionView } from '../session-view.ts';
import { readSpending } from '../spending.ts';

export const sessionRoutes: readonly Route[] = [
  defineRoute({
    name: 'listSessions',
    method: 'GET',
    path: '/api/sessions',
    says: 'Sessions, those that were last active first.',
    entry: 'read',
    query: sessionQuery,
    reply: sessionPage,
    async handle({ query }, context) {
      const { projects, store } = context;
      const { items, next } = await pageSessions(
        store.history,
        query,
        ({ cwd }) => query.project === undefined || (cwd !== null && projects.idOf(cwd) === query.project),
      );
      const view = createSessionView(context);
      return { body: { items: items.map(view.of), next } };
    },
  }),
  defineRoute({
    name: 'getSession',
    method: 'GET',
    path: '/api/sessions/:sessionId',
    says: 'A session with its summary.',
    entry: 'read',
    reply: sessionDetail,
    hasETag: true,
    async handle({ parameters: { sessionId } }, context) {
      const row = await context.store.history.session(sessionId);
      if (!row) throw new ProblemError('not-found', 'there is no such session');
      return { body: { ...createSessionView(context).of(row), summary: row.summary } };
    },
  }),
  defineRoute({
    name: 'listSpending',
    method: 'GET',
    path: '/api/sessions/:sessionId/spending',
    says: 'What each answer of a session took and cost, in the order of their times.',
    entry: 'read',
    reply: spending,
    async handle({ parameters: { sessionId } }, { store, usage }) {
      return { body: { items: await readSpending(store, sessionId, usage?.priceFile) } };
    },
  }),
  defineRoute({
    name: 'labelSession',
    method: 'PATCH',
    path: '/api/sessions/:sessionId',
    says: 'Gives a session a name, a star or tags, or takes them away.',
    entry: 'run',
    body: labelChange,
    reply: sessionDetail,
    async handle({ parameters: { sessionId }, body }, context) {
      const { history } = context.store;
      await history.label(sessionId, body);
      context.onLabel?.(sessionId);
      const row = await history.session(sessionId);
      if (!row) throw new ProblemError('not-found', 'there is no such session');
      return { body: { ...createSessionView(context).of(row), summary: row.summary } };
    },
  }),
];
