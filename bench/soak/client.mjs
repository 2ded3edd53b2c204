// A client that listens to everything, is cut off again and again, and goes on from its cursor; it keeps of each session only what it
// needs to see that nothing is missing and nothing came twice.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** It is cut off each time when about so many events have come; `onCut` is told. */
export async function createListener({ port, packages, eventsPerCut, onCut }) {
  const { WebSocket } = await import(pathToFileURL(join(packages, '../node_modules/ws/wrapper.mjs')).href);
  const next = new Map();
  let socket;
  let cursor;
  let wrong = 0;
  let events = 0;
  let turns = 0;
  let handed = 0;
  let dropped = 0;
  let cutAt = nextCut();
  let isClosed = false;

  function nextCut() {
    return events + eventsPerCut * (0.5 + Math.random());
  }

  function connect() {
    dropped = handed;
    socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { origin: `http://127.0.0.1:${port}` } });
    const own = socket;
    own.on('open', () => own.send(JSON.stringify({ type: 'subscribe', subscriptionId: 's', view: 'events', cursor })));
    own.on('message', (data) => own === socket && hear(JSON.parse(String(data))));
    own.on('error', () => {});
    own.on('close', () => own === socket && !isClosed && connect());
  }

  function hear(frame) {
    for (const message of frame.messages) take(message);
    if (frame.cursor !== undefined && frame.cursor !== cursor) {
      cursor = frame.cursor;
      handed = 0;
      dropped = 0;
    }
    if (events < cutAt || isClosed) return;
    cutAt = nextCut();
    // Half of them politely, half of them not.
    const old = socket;
    if (!onCut()) return;
    connect();
    if (Math.random() < 0.5) old.close();
    else old.terminate();
  }

  function take(message) {
    if (message.type === 'ping') return socket.send('{"type":"pong"}');
    if (message.type === 'reset' || message.type === 'gone') return void next.delete(message.sessionId);
    if (message.type !== 'event') return;
    if (dropped > 0) return void dropped--;
    handed++;
    events++;
    const { event, sessionId, position } = message;
    const before = next.get(sessionId) ?? 0;
    if (position < before) wrong++;
    next.set(sessionId, position);
    if (event.type === 'turn-end') turns++;
    if (event.type === 'run-state' && event.state === 'ended') next.delete(sessionId);
  }

  connect();
  return {
    get wrong() {
      return wrong;
    },
    get events() {
      return events;
    },
    /** Each run ends its turn once. */
    get turns() {
      return turns;
    },
    close() {
      isClosed = true;
      socket.close();
    },
  };
}
