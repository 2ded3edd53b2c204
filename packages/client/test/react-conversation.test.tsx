// @vitest-environment happy-dom
// A session in a page: all of it is there, drawn no more often than a screen shows, and let go when nobody looks.

import { type Conversation, createConversation, partsOf, reduce } from '@tailrace/core';
import type { EventMessage } from '@tailrace/protocol';
import { cleanup, render } from '@testing-library/react';
import { Profiler, type ReactNode, StrictMode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Client, createClient } from '../src/client.ts';
import {
  sessionStream,
  TailraceProvider,
  useConversation,
  useEventListener,
  useEvents,
  useStatus,
  useStreamingMessage,
} from '../src/react/index.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import { eventLine, eventMessage, fastClock, until } from './tools.ts';

let server: TestServer;
let client: Client;
beforeEach(async () => {
  server = await startTestServer({ frameSize: () => 1 });
  client = createClient({ url: server.url, WebSocket, clock: fastClock(20) });
});
afterEach(async () => {
  cleanup();
  client.close();
  await server.close();
});

const page = (children: ReactNode): ReactNode => (
  <StrictMode>
    <TailraceProvider client={client}>{children}</TailraceProvider>
  </StrictMode>
);
const textOf = (conversation: Conversation): string =>
  partsOf(conversation)
    .map((part) => ('text' in part ? part.text : ''))
    .join('');
const wanted = (): number => server.peers.reduce((sum, { subscriptions }) => sum + subscriptions.size, 0);

/** The beginning of an answer, and its pieces. */
const START: readonly EventMessage[] = [
  eventMessage(1, { type: 'turn-start', turnId: 't' }),
  eventMessage(1, { type: 'message-start', messageId: 'm' }),
  eventMessage(1, { type: 'text-start', messageId: 'm', blockId: 'b' }),
];
const delta = (position: number): EventMessage =>
  eventMessage(position, { type: 'text-delta', messageId: 'm', blockId: 'b', delta: `${position} ` });

/** Gives a server 10,000 pieces, spread over a second. */
async function streamFor(one: TestServer): Promise<readonly EventMessage[]> {
  const told: EventMessage[] = [];
  const begun = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(10_000, Math.ceil((performance.now() - begun) * 10));
      while (told.length < due) {
        const message = delta(told.length + 2);
        told.push(message);
        one.add([message]);
      }
      if (told.length < 10_000) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  return told;
}

test('10,000 deltas in a second are at most 120 renders, and none is missing', async () => {
  let renders = 0;
  let shown = '';
  function Page(): ReactNode {
    shown = textOf(useConversation('s').conversation);
    return <p>{shown}</p>;
  }
  const { container } = render(
    page(
      <Profiler id="page" onRender={() => renders++}>
        <Page />
      </Profiler>,
    ),
  );
  server.add(START);
  await until(() => wanted() === 1);
  const begun = performance.now();
  const told = await streamFor(server);
  const all = [...START, ...told];
  const expected = textOf(all.reduce((conversation, { event }) => reduce(conversation, event), createConversation()));
  await until(() => container.textContent === expected);
  const seconds = (performance.now() - begun) / 1000;
  expect(expected.length).toBeGreaterThan(40_000);
  expect(renders).toBeGreaterThan(5);
  expect(renders).toBeLessThanOrEqual(120 * Math.max(1, seconds));
});

test('the same holds for an answer that streams', async () => {
  let renders = 0;
  const source = sessionStream(client, 's');
  function Page(): ReactNode {
    const { content, isStreaming } = useStreamingMessage(source);
    return <p title={String(isStreaming)}>{content}</p>;
  }
  const { container } = render(
    page(
      <Profiler id="page" onRender={() => renders++}>
        <Page />
      </Profiler>,
    ),
  );
  server.add(START);
  await until(() => wanted() === 1);
  const begun = performance.now();
  const told = await streamFor(server);
  const expected = told.map(({ event }) => ('delta' in event ? event.delta : '')).join('');
  await until(() => container.textContent === expected);
  expect(container.querySelector('p')?.title).toBe('true');
  expect(renders).toBeLessThanOrEqual((120 * Math.max(1000, performance.now() - begun)) / 1000);
});

test('components that look at one session share a subscription, and see the same', async () => {
  const seen: (readonly [Conversation, Conversation])[] = [];
  function Both(): ReactNode {
    const one = useConversation('s').conversation;
    const other = useConversation('s').conversation;
    seen.push([one, other]);
    return null;
  }
  const { rerender, unmount } = render(page([<Both key="1" />, <Both key="2" />]));
  await until(() => wanted() === 1);
  for (let position = 1; position <= 50; position++) server.add(eventLine(position, 1));
  await until(() => seen.at(-1)?.[0].partCount === 50);
  expect(seen.every(([one, other]) => one === other)).toBe(true);
  expect(server.peers[0]?.heard.filter(({ type }) => type === 'subscribe')).toHaveLength(1);
  // One that goes leaves the other's.
  rerender(page([<Both key="1" />]));
  server.add(eventLine(51, 1));
  await until(() => seen.at(-1)?.[0].partCount === 51);
  unmount();
  await until(() => wanted() === 0);
  expect(server.peers[0]?.heard.map(({ type }) => type)).toEqual(['subscribe', 'unsubscribe']);
});

test('another session takes the place of the first, which is let go', async () => {
  function Page({ id }: { readonly id: string }): ReactNode {
    const { conversation, isLive } = useConversation(id);
    return `${id} ${isLive} ${conversation.partCount}`;
  }
  server.add(eventLine(1, 3));
  const { container, rerender } = render(page(<Page id="s" />));
  await until(() => container.textContent === 's true 3');
  rerender(page(<Page id="t" />));
  await until(() => container.textContent?.startsWith('t true'));
  await until(() => wanted() === 1);
  expect([...(server.peers[0]?.subscriptions.values() ?? [])].map(({ sessions }) => sessions)).toEqual([['t']]);
});

test('a reset clears it, and what comes anew is shown', async () => {
  function Page(): ReactNode {
    const { conversation, isLive } = useConversation('s');
    return `${isLive} ${conversation.partCount} ${useStatus().state}`;
  }
  server.add(eventLine(1, 3));
  const { container } = render(page(<Page />));
  await until(() => container.textContent === 'true 3 open');
  server.restart([{ position: 1, messages: eventLine(1, 2) }]);
  server.peers[0]?.cut('reset');
  await until(() => container.textContent === 'true 2 open');
  // About this session alone: nothing of it comes unless it is asked for.
  const { peers } = server;
  peers[0]?.send({ subscriptionId: 's1', messages: [{ type: 'reset', epoch: server.epoch, sessionId: 's' }] });
  await until(() => peers[0]?.subscriptions.has('s2'));
  await until(() => container.textContent === 'true 2 open');
});

test('what has gone says so, and where to', async () => {
  const seen: unknown[] = [];
  function Page(): ReactNode {
    const { isGone, movedTo, problem } = useConversation('s');
    seen.push([isGone, movedTo, problem?.code]);
    return null;
  }
  render(page(<Page />));
  await until(() => wanted() === 1);
  const problem = { type: 'about:blank', title: 'x', status: 404, code: 'not-found' } as const;
  server.peers[0]?.send({ subscriptionId: 's1', messages: [{ type: 'failed', problem }] });
  await until(() => JSON.stringify(seen.at(-1)) === '[false,null,"not-found"]');
  server.peers[0]?.send({ subscriptionId: 's1', messages: [{ type: 'gone', sessionId: 's', movedTo: 't' }] });
  await until(() => JSON.stringify(seen.at(-1)) === '[true,"t","not-found"]');
});

test('a list of events holds the last ones, and says how many there were', async () => {
  const seen: { first: string; count: number; dropped: number }[] = [];
  function Page(): ReactNode {
    const { messages, dropped } = useEvents({ view: 'events', sessions: ['s'], limit: 10 });
    const [first] = messages;
    const title = first?.type === 'event' && first.event.type === 'notice' ? first.event.title : '';
    seen.push({ first: title, count: messages.length, dropped });
    return null;
  }
  render(page(<Page />));
  for (let position = 1; position <= 95; position++) server.add(eventLine(position, 1));
  await until(() => seen.at(-1)?.dropped === 85);
  expect(seen.at(-1)).toEqual({ first: '86/0', count: 10, dropped: 85 });
  expect(Math.max(...seen.map(({ count }) => count))).toBe(10);
});

test('a listener hears everything once, renders nothing, and may be another one each time', async () => {
  const heard: string[] = [];
  let renders = 0;
  function Page({ name }: { readonly name: string }): ReactNode {
    renders++;
    useEventListener({ view: 'events', sessions: ['s'] }, (messages) => {
      for (const message of messages) if (message.type === 'event') heard.push(`${name}${message.position}`);
    });
    return null;
  }
  const { rerender, unmount } = render(page(<Page name="a" />));
  await until(() => wanted() === 1);
  server.add(eventLine(1, 1));
  await until(() => heard.length === 1);
  rerender(page(<Page name="b" />));
  const before = renders;
  server.add(eventLine(2, 1));
  await until(() => heard.length === 2);
  expect(heard).toEqual(['a1', 'b2']);
  expect(renders).toBe(before);
  unmount();
  await until(() => wanted() === 0);
});

test('a hook without a provider says what is missing', () => {
  function Page(): ReactNode {
    useConversation('s');
    return null;
  }
  expect(() => render(<Page />)).toThrow('<TailraceProvider>');
});

test('a session that nobody writes to is shown as ended, until it goes on', async () => {
  let shown: Conversation = createConversation();
  function Shown(): ReactNode {
    shown = useConversation('s').conversation;
    return null;
  }
  render(page(<Shown />));
  server.add(START, [delta(2)]);
  await until(() => textOf(shown) === '2 ');
  const closing = [
    { type: 'text-end', seq: 9, messageId: 'm', blockId: 'b', text: '2 ', synthetic: true },
    { type: 'session-end', seq: 10, outcome: 'unknown' },
  ] as unknown as EventMessage['event'][];
  const [subscriptionId] = [...(server.peers.at(-1)?.subscriptions.keys() ?? [])];
  server.peers.at(-1)?.send({ subscriptionId, messages: [{ type: 'ended', sessionId: 's', events: closing }] });
  await until(() => shown.state === 'ended');
  server.add([delta(3)]);
  await until(() => textOf(shown) === '2 3 ');
  expect(shown.state).not.toBe('ended');
});
