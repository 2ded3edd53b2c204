import {
  callPage,
  checkpointPage,
  filePage,
  messagePage,
  type Page,
  type PageQuery,
  pageQuery,
  todoPage,
} from '@tailrace/protocol';
import type { History, Store } from '@tailrace/store';
import type { z } from 'zod';
import { ProblemError } from '../../problem-error.ts';
import { listPage } from '../list-page.ts';
import { defineRoute, type Route } from '../route.ts';

/** What is in a session, one list each. */
export const sessionPartRoutes: readonly Route[] = [
  part('listMessages', 'messages', 'What was said in a session.', messagePage, (history, id) => history.messages(id)),
  part('listCalls', 'calls', 'The tools that were called in a session.', callPage, (history, id) => history.calls(id)),
  part('listFiles', 'files', 'The files that were changed in a session.', filePage, (history, id) => history.files(id)),
  part('listTodos', 'todos', 'What the agent plans to do.', todoPage, (history, id) => history.todos(id)),
  part(
    'listCheckpoints',
    'checkpoints',
    'The prompts that a session can be taken back to.',
    checkpointPage,
    (history, id) => history.checkpoints(id),
  ),
];

function part<T>(
  name: string,
  word: string,
  says: string,
  reply: z.ZodType<Page<T>>,
  list: (history: History, id: string) => Promise<readonly T[]>,
): Route {
  return defineRoute({
    name,
    method: 'GET',
    path: `/api/sessions/:sessionId/${word}` as '/api/sessions/:sessionId/part',
    says,
    entry: 'read',
    query: pageQuery,
    reply,
    handle: async ({ parameters: { sessionId }, query }, { store }) => ({ body: await page(store, sessionId, query) }),
  });

  async function page(store: Store, sessionId: string, query: PageQuery): Promise<Page<T>> {
    const all = await list(store.history, sessionId);
    // An empty list is not enough to tell a session that is not there.
    if (all.length === 0 && !(await store.history.session(sessionId)))
      throw new ProblemError('not-found', 'there is no such session');
    return listPage(all, await store.epoch(), query);
  }
}
