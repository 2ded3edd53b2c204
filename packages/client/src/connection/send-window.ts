// A server takes up so many messages at once and refuses the rest: the others wait here until it has answered some.

import type { ClientMessage } from '@tailrace/protocol';
import { MAX_UNANSWERED } from '../limits.ts';

export interface SendWindow {
  /** Says it, now or when there is room. */
  say(key: string, message: ClientMessage): void;
  /** It was answered, or is not wanted any more. Whether it was said already. */
  settle(key: string): boolean;
  /** The connection is lost: nothing is under way. */
  clear(): void;
}

export function createSendWindow(send: (message: ClientMessage) => void): SendWindow {
  const unanswered = new Set<string>();
  const waiting = new Map<string, ClientMessage>();

  function fill(): void {
    for (const [key, message] of waiting) {
      if (unanswered.size >= MAX_UNANSWERED) return;
      waiting.delete(key);
      unanswered.add(key);
      send(message);
    }
  }

  return {
    say(key, message) {
      waiting.set(key, message);
      fill();
    },
    settle(key) {
      const isSaid = !waiting.delete(key);
      if (unanswered.delete(key)) fill();
      return isSaid;
    },
    clear() {
      unanswered.clear();
      waiting.clear();
    },
  };
}
