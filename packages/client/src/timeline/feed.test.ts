import { partsOf } from '@tailrace/core';
import type { EventQuery } from '@tailrace/protocol';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { event, messagesOf, recorded } from '../../test/session-events.ts';
import type { Client } from '../client.ts';
import type { FeedMessage } from '../feed/message.ts';
import type { FeedListener, SubscribeOptions } from '../feed/subscriptions.ts';
import { createSessionFeed, type SessionFeed } from './feed.ts';
import { createFolded, makerOf, partIdOf } from './folded.ts';

let wanted: SubscribeOptions[];
let listeners: FeedListener[];
let closed: number;
let feed: SessionFeed;
let ending: readonly unknown[];
let lastOnes: readonly FeedMessage[];

// What a feed uses of a client.
const client = {
  subscribe(options: SubscribeOptions, listener: FeedListener) {
    wanted.push(options);
    listeners.push(listener);
    return { status: { state: 'live' }, cursor: 'here', close: () => closed++ };
  },
  http: {
    events: async (_: string, { last }: EventQuery) => ({
      items: last === true ? lastOnes : [],
      next: 'here',
      hasMore: false,
      ending: last === true ? [] : ending,
    }),
  },
} as unknown as Client;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 16));
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
  [wanted, listeners, closed, ending, lastOnes] = [[], [], 0, [], []];
  feed = createSessionFeed(client, 's');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const hear = (...messages: readonly FeedMessage[]): void => listeners.at(-1)?.(messages);
const text = (id: string): FeedMessage => ({
  type: 'event',
  sessionId: 's',
  position: 1,
  event: event({ type: 'text-end', messageId: 'm', blockId: id, text: id }),
});
const texts = (): readonly string[] =>
  partsOf(feed.getSnapshot().conversation).map((part) => (part.type === 'text' ? part.text : part.type));
const live: FeedMessage = { type: 'live' };

test('a recorded session is folded, and each part knows the event it came with', () => {
  feed.subscribe(() => undefined);
  const messages = messagesOf(recorded('demo'));
  hear(...messages, live);
  vi.runAllTimers();
  const view = feed.getSnapshot();
  expect([view.isLive, view.eventCount]).toEqual([true, messages.length]);
  const parts = view.conversation.parts.flat();
  expect(parts.length).toBeGreaterThan(20);
  for (const part of parts) {
    const maker = makerOf(view, part);
    expect(maker).toBeDefined();
    const id = maker && partIdOf(maker.event);
    if (id?.startsWith('block:') || id?.startsWith('call:')) expect(part.id).toBe(id);
  }
});

test('changes are shown once per frame, and also where there are no frames', () => {
  const shown = vi.fn();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  feed.subscribe(shown);
  hear(live);
  for (const id of ['a', 'b', 'c']) hear(text(id));
  expect(shown).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(shown).toHaveBeenCalledTimes(1);
  expect(texts()).toEqual(['a', 'b', 'c']);
});

test('what is there is shown with the next frame when it is whole, however little was to see before', () => {
  const shown = vi.fn();
  feed.subscribe(shown);
  hear(text('a'));
  vi.advanceTimersByTime(20);
  expect(shown).not.toHaveBeenCalled();
  hear(live);
  vi.advanceTimersByTime(20);
  expect(shown).toHaveBeenCalledTimes(1);
  vi.runAllTimers();
  expect(shown).toHaveBeenCalledTimes(1);
});

describe('the last events', () => {
  test('are shown until all of it is there, and its place is taken then', async () => {
    lastOnes = [text('c'), text('d')];
    feed.subscribe(() => undefined);
    hear(text('a'));
    await vi.runAllTimersAsync();
    expect(texts()).toEqual(['c', 'd']);
    expect(feed.getSnapshot()).toMatchObject({ isTail: true, isLive: false, loadedCount: 1 });
    hear(text('b'));
    await vi.runAllTimersAsync();
    expect(texts()).toEqual(['c', 'd']);
    expect(feed.getSnapshot().loadedCount).toBe(2);
    hear(text('c'), text('d'), live);
    await vi.runAllTimersAsync();
    expect(texts()).toEqual(['a', 'b', 'c', 'd']);
    expect(feed.getSnapshot()).toMatchObject({ isTail: false, isLive: true, eventCount: 4 });
  });

  test('are not shown where all of it was there before them', async () => {
    lastOnes = [text('b')];
    feed.subscribe(() => undefined);
    hear(text('a'), text('b'), text('c'), live);
    await vi.runAllTimersAsync();
    expect(texts()).toEqual(['a', 'b', 'c']);
  });

  test('of a recorded session, however many, are what it ends with', () => {
    const messages = messagesOf(recorded('demo'));
    const lastOf = (from: number): unknown => {
      const folded = createFolded();
      for (const message of messages.slice(from)) if (message.type === 'event') folded.take(message);
      const last = partsOf(folded.view().conversation).at(-1);
      // Its id has a number that counts the parts.
      return last && { ...last, id: '', order: [] };
    };
    for (let from = 1; from < messages.length - 20; from++) expect(lastOf(from)).toEqual(lastOf(0));
  });
});

describe('a reset', () => {
  test('of everything: what was shown stays until the new is whole', () => {
    feed.subscribe(() => undefined);
    hear(text('old'), live);
    vi.runAllTimers();
    hear({ type: 'reset', epoch: '2' }, text('new'));
    vi.runAllTimers();
    expect(texts()).toEqual(['old']);
    hear(live);
    vi.runAllTimers();
    expect(texts()).toEqual(['new']);
  });

  test('of the session: it is asked for again', () => {
    feed.subscribe(() => undefined);
    hear(text('old'), live);
    hear({ type: 'reset', epoch: '1', sessionId: 'another' });
    expect(wanted).toHaveLength(1);
    hear({ type: 'reset', epoch: '1', sessionId: 's' });
    expect([wanted.length, closed]).toEqual([2, 1]);
    hear(text('new'), live);
    vi.runAllTimers();
    expect(texts()).toEqual(['new']);
  });
});

test('a session that is gone tells where it went', () => {
  feed.subscribe(() => undefined);
  hear({ type: 'gone', sessionId: 'another' });
  vi.runAllTimers();
  expect(feed.getSnapshot().isGone).toBe(false);
  hear({ type: 'gone', sessionId: 's', movedTo: 't' });
  vi.runAllTimers();
  expect(feed.getSnapshot()).toMatchObject({ isGone: true, movedTo: 't' });
});

describe('what closes a session', () => {
  const start: FeedMessage = {
    type: 'event',
    sessionId: 's',
    position: 1,
    event: event({ type: 'tool-call-start', toolCallId: 'c', toolName: 'Tool', kind: 'other' }),
  };
  const end = event({ type: 'tool-call-end', toolCallId: 'c', toolName: 'Tool', outcome: 'unknown', content: [] });
  const status = (): unknown => {
    const [part] = partsOf(feed.getSnapshot().conversation);
    return part?.type === 'call' && part.status;
  };

  test('holds until it goes on', () => {
    feed.subscribe(() => undefined);
    hear(start, live, { type: 'ended', sessionId: 's', events: [end] });
    vi.runAllTimers();
    expect(status()).toBe('unknown');
    hear(text('more'));
    vi.runAllTimers();
    expect(status()).not.toBe('unknown');
  });

  test('is fetched where not all of it came', async () => {
    ending = [end];
    feed.subscribe(() => undefined);
    hear(start, live, { type: 'ended', sessionId: 's', events: [], left: 1 });
    await vi.runAllTimersAsync();
    expect(status()).toBe('unknown');
  });
});

test('nobody is listened to when nobody looks', () => {
  const stop = feed.subscribe(() => undefined);
  stop();
  expect(closed).toBe(1);
});

test('strings that were cut are known by the part that shows them', () => {
  feed.subscribe(() => undefined);
  const cut = [{ path: ['text'], bytes: 9, ref: '/x' }];
  hear({ ...text('a'), cut } as FeedMessage, { ...text('a'), cut } as FeedMessage);
  vi.runAllTimers();
  expect(feed.getSnapshot().cuts.get('block:a')).toHaveLength(2);
});
