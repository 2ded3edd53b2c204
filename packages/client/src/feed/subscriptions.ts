// What is listened to. All subscriptions share one socket, and each knows how far it has come.

import type { ClientMessage, Frame, Problem, Subscribe } from '@tailrace/protocol';
import { checkSize } from '../connection/message-size.ts';
import { createSendWindow } from '../connection/send-window.ts';
import type { Warn } from '../warning.ts';
import type { FeedMessage } from './message.ts';
import { createPlace, type Place } from './place.ts';

/** What to listen to. With a `cursor` of an earlier subscription to the same, only what came after it. */
export type SubscribeOptions = Omit<Subscribe, 'type' | 'subscriptionId'>;

/** Is given what a frame has, in order, and nothing twice. A `reset` without session says that all of it is void and comes anew. */
export type FeedListener = (messages: readonly FeedMessage[]) => void;

export type SubscriptionStatus =
  /** There is no connection. */
  | { readonly state: 'waiting' }
  /** What was there is on its way. */
  | { readonly state: 'catching-up' }
  /** What comes is new. */
  | { readonly state: 'live' }
  | { readonly state: 'failed'; readonly problem: Problem }
  | { readonly state: 'closed' };

export interface Subscription {
  readonly status: SubscriptionStatus;
  /** Everything up to here was handed on: a later program can go on from it. */
  readonly cursor: string | undefined;
  close(): void;
}

export interface Subscriptions {
  add(options: SubscribeOptions, listener: FeedListener): Subscription;
  /** A socket is open. */
  open(): void;
  /** It is lost. */
  lose(): void;
  take(frame: Frame): void;
  closeAll(): void;
}

interface Held {
  readonly options: SubscribeOptions;
  readonly listener: FeedListener;
  readonly place: Place;
  status: SubscriptionStatus;
}

export function createSubscriptions(send: (message: ClientMessage) => void, warn: Warn): Subscriptions {
  const held = new Map<string, Held>();
  const window = createSendWindow(send);
  let count = 0;
  let isOpen = false;

  function say(subscriptionId: string, one: Held): void {
    one.status = { state: 'catching-up' };
    window.say(subscriptionId, messageOf(subscriptionId, one));
  }

  function handOn({ listener }: Held, messages: readonly FeedMessage[]): void {
    try {
      listener(messages);
    } catch (error) {
      warn('listener', 'a listener threw', error);
    }
  }

  function note(one: Held, messages: readonly FeedMessage[]): void {
    for (const message of messages) {
      if (message.type === 'failed') one.status = { state: 'failed', problem: message.problem };
      else if (message.type === 'live') one.status = { state: 'live' };
      else if (message.type === 'reset' && message.sessionId === undefined) one.status = { state: 'catching-up' };
    }
  }

  return {
    add(options, listener) {
      const subscriptionId = `s${++count}`;
      const one: Held = { options, listener, place: createPlace(options.cursor), status: { state: 'waiting' } };
      checkSize(messageOf(subscriptionId, one));
      held.set(subscriptionId, one);
      if (isOpen) say(subscriptionId, one);
      return {
        get status() {
          return one.status;
        },
        get cursor() {
          return one.place.cursor;
        },
        close() {
          one.status = { state: 'closed' };
          if (!held.delete(subscriptionId) || !isOpen) return;
          if (window.settle(subscriptionId)) send({ type: 'unsubscribe', subscriptionId });
        },
      };
    },
    open() {
      isOpen = true;
      for (const [subscriptionId, one] of held) say(subscriptionId, one);
    },
    lose() {
      if (!isOpen) return;
      isOpen = false;
      window.clear();
      for (const one of held.values()) {
        one.place.resume();
        one.status = { state: 'waiting' };
      }
    },
    take(frame) {
      const { subscriptionId = '' } = frame;
      window.settle(subscriptionId);
      const one = held.get(subscriptionId);
      // One that was closed may still be spoken to.
      if (!one) return;
      const messages = one.place.take(frame);
      if (messages.length === 0) return;
      note(one, messages);
      handOn(one, messages);
    },
    closeAll() {
      for (const one of held.values()) one.status = { state: 'closed' };
      held.clear();
    },
  };
}

function messageOf(subscriptionId: string, { options, place: { cursor } }: Held): Subscribe {
  const { cursor: _first, ...wanted } = options;
  return { ...wanted, type: 'subscribe', subscriptionId, ...(cursor !== undefined && { cursor }) };
}
