// Somebody who is told what is new, and holds what they were told. In the end that must be what is kept.

import { deepStrictEqual, ok } from 'node:assert/strict';
import type { AgentStreamEvent } from '@tailrace/core';
import type { History, SessionEvents } from '../contract.ts';
import { eventsOf } from './snapshot.ts';

export interface Follower {
  /** Hears at most so many parts of what is new. */
  hear(history: History, parts: number): Promise<void>;
  /** Hears the rest, and compares. */
  check(history: History, words: string): Promise<void>;
}

interface Held {
  lines: SessionEvents[];
  closing: readonly AgentStreamEvent[];
}

/** Follows all sessions from the beginning, or one. */
export function createFollower(only?: string): Follower {
  const held = new Map<string, Held>();
  let epoch: string | undefined;
  let place = 0;
  /** What was said to be no longer so before this is heard as it is now. */
  let fresh = 0;

  function heldOf(session: string): Held {
    const one = held.get(session) ?? { lines: [], closing: [] };
    held.set(session, one);
    return one;
  }

  function beginAnew(end: number): void {
    held.clear();
    place = 0;
    fresh = end;
  }

  async function hearPart(history: History): Promise<boolean> {
    const part = await history.tidings(place, only === undefined ? undefined : [only]);
    ok(part.until <= part.end && part.until >= Math.min(place, part.end));
    if (epoch !== part.epoch) {
      epoch = part.epoch;
      beginAnew(part.end);
      return true;
    }
    for (const told of part.told) {
      ok(told.place > place && told.place <= part.until);
      if (told.kind === 'line') {
        const one = heldOf(told.sessionId);
        one.lines.push({ position: told.place, events: told.events });
        one.closing = [];
      } else if (told.kind === 'ended') heldOf(told.sessionId).closing = told.events;
      else if (told.kind === 'gone') held.delete(told.sessionId);
      else if (told.place > fresh) {
        if (only !== undefined) {
          beginAnew(part.end);
          return true;
        }
        const all = await eventsOf(history, told.sessionId, 0);
        heldOf(told.sessionId).lines = all.filter((line) => line.position <= told.place && isLine(line));
      }
    }
    place = part.until;
    return place < part.end;
  }

  return {
    async hear(history, parts) {
      for (let part = 0; part < parts; part++) if (!(await hearPart(history))) return;
    },
    async check(history, words) {
      while (await hearPart(history));
      const sessions = (await history.sessions()).map(({ id }) => id).filter((id) => only === undefined || id === only);
      deepStrictEqual([...held.keys()].sort(), [...sessions].sort(), words);
      for (const id of sessions) {
        const all = await eventsOf(history, id, 0);
        deepStrictEqual(heldOf(id).lines, all.filter(isLine), `${words}, lines of ${id}`);
        const closing = all.filter((line) => !isLine(line)).flatMap(({ events }) => events);
        // An end holds until another event comes: somebody may be writing again what tells nothing new.
        if (closing.length > 0) deepStrictEqual(heldOf(id).closing, closing, `${words}, end of ${id}`);
      }
    },
  };
}

function isLine({ position }: SessionEvents): boolean {
  return Number.isInteger(position);
}
