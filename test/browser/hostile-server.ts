// What the real server sends, made hostile on its way to the page: a session with any events, a list with any words, anything that waits.

import type { AgentStreamEvent } from '@tailrace/core';
import type { ClientMessage, Frame, RunInfo, SessionInfo } from '@tailrace/protocol';
import type { APIResponse, Page, Route } from 'playwright-core';

/** Before it goes live, the session that is asked for has these events too. */
export async function addEvents(page: Page, events: readonly AgentStreamEvent[]): Promise<void> {
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    const asked = new Map<string, string>();
    socket.onMessage((data) => {
      const message = JSON.parse(String(data)) as ClientMessage;
      const [sessionId] = (message.type === 'subscribe' && message.sessions) || [];
      if (message.type === 'subscribe' && message.view === 'events' && sessionId !== undefined)
        asked.set(message.subscriptionId, sessionId);
      server.send(data);
    });
    server.onMessage((data) => {
      const frame = JSON.parse(String(data)) as Frame;
      const sessionId = asked.get(frame.subscriptionId ?? '');
      const live = frame.messages.findIndex(({ type }) => type === 'live');
      if (sessionId === undefined || live < 0) return socket.send(data);
      const added = events.map((event) => ({ type: 'event' as const, sessionId, position: 1, event }));
      const messages = [...frame.messages.slice(0, live), ...added, ...frame.messages.slice(live)];
      socket.send(JSON.stringify({ ...frame, messages }));
    });
  });
}

/** The list of sessions, as if it were this one. */
export async function showSessions(page: Page, make: (known: SessionInfo) => readonly SessionInfo[]): Promise<void> {
  await page.route(/\/api\/sessions(\?|$)/, async (route) => {
    const response = await fetchOwn(route);
    const found = (await response.json()) as { readonly items: readonly SessionInfo[] };
    await route.fulfill({ response, json: { ...found, items: found.items.flatMap(make) } });
  });
}

/** The runs of the server, as if they were these. */
export async function showRuns(page: Page, items: readonly RunInfo[]): Promise<void> {
  await page.route(/\/api\/runs(\?|$)/, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    await route.fulfill({ response: await fetchOwn(route), json: { items } });
  });
}

/** As the page itself asks: a browser tells that of its own accord. */
function fetchOwn(route: Route): Promise<APIResponse> {
  return route.fetch({ headers: { ...route.request().headers(), 'sec-fetch-site': 'same-origin' } });
}
