import type { History, SessionEvents } from '../contract.ts';

/** Everything that a history tells about its sessions. */
export async function snapshotOf(history: History): Promise<unknown> {
  const sessions = [...(await history.sessions())].sort((a, b) => (a.id < b.id ? -1 : 1));
  const all: unknown[] = [];
  for (const { id } of sessions) {
    all.push({
      session: await history.session(id),
      messages: await history.messages(id),
      calls: await history.calls(id),
      files: await history.files(id),
      todos: await history.todos(id),
      checkpoints: await history.checkpoints(id),
      events: await eventsOf(history, id, 0),
    });
  }
  return { sessions: all, usage: await history.usage() };
}

/** The events of a session behind a position. */
export async function eventsOf(history: History, id: string, after: number): Promise<readonly SessionEvents[]> {
  const all: SessionEvents[] = [];
  for await (const piece of history.events(id, after)) all.push(...piece);
  return all;
}
