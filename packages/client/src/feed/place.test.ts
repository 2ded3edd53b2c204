// Whatever the frames and wherever the breaks: each message once, in order.

import { encodeCursor, type Frame, type ServerMessage } from '@tailrace/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { type Line, pack } from '../../test/test-server.ts';
import { eventLine, outputLine } from '../../test/tools.ts';
import type { FeedMessage } from './message.ts';
import { createPlace } from './place.ts';

const at = (position: number): string => encodeCursor({ epoch: 'e', position });
const frameOf = (position: number, messages: readonly ServerMessage[]): Frame => ({ cursor: at(position), messages });

interface Schedule {
  /** How many messages each line has. */
  readonly lines: readonly number[];
  /** For each frame: how much it takes, and whether the connection breaks after it. */
  readonly frames: readonly { readonly size: number; readonly breaks: boolean }[];
}

const schedules: fc.Arbitrary<Schedule> = fc.record({
  lines: fc.array(fc.nat(6), { minLength: 1, maxLength: 12 }),
  frames: fc.array(fc.record({ size: fc.integer({ min: 1, max: 8 }), breaks: fc.boolean() }), { maxLength: 60 }),
});

/** What a client hands on that hears lines in these frames, with these breaks. */
function handedOn(lines: readonly Line[], frames: Schedule['frames'], isLoose: boolean): FeedMessage[] {
  const place = createPlace(undefined);
  const handed: FeedMessage[] = [];
  const server = { position: 0, sent: 0 };
  const begin = (): void => {
    const cursor = place.cursor;
    server.position = lines.find(({ position }) => at(position) === cursor)?.position ?? 0;
    server.sent = 0;
    if (!isLoose) place.take(frameOf(server.position, []));
  };
  begin();
  for (let index = 0; ; index++) {
    const rest = lines.filter(({ position }) => position > server.position);
    if (rest.length === 0) return handed;
    const { size, breaks } = frames[index] ?? { size: 3, breaks: false };
    const messages = pack(rest, server, size, isLoose);
    handed.push(...place.take(frameOf(server.position, messages)));
    if (!breaks) continue;
    place.resume();
    begin();
  }
}

describe('what is handed on is what is stored, in order, once', () => {
  const linesOf = (sizes: readonly number[], make: (position: number, count: number) => readonly ServerMessage[]) =>
    sizes.map((size, index): Line => ({ position: index + 1, messages: make(index + 1, size) }));

  test.each([
    ['events', eventLine, false],
    ['events of a server that does not say where it begins, and moves its cursor on the way', eventLine, true],
    ['messages that do not say which line they are of', outputLine, false],
  ])('%s', (_, make, isLoose) => {
    fc.assert(
      fc.property(schedules, ({ lines: sizes, frames }) => {
        const lines = linesOf(sizes, make);
        const stored = lines.flatMap(({ messages }) => messages);
        expect(handedOn(lines, frames, isLoose)).toEqual(stored);
      }),
      { numRuns: counts.runs * 4 },
    );
  });
});

describe('a reset', () => {
  const reset = { type: 'reset', epoch: 'f' } as const;

  test('forgets the cursor and what was handed on since', () => {
    const place = createPlace(at(1));
    place.take(frameOf(1, eventLine(2, 3)));
    place.resume();
    expect(place.take({ messages: [reset] })).toEqual([reset]);
    expect(place.cursor).toBeUndefined();
    const anew = eventLine(2, 3);
    expect(place.take(frameOf(1, anew))).toEqual(anew);
  });

  test('in the middle of a frame voids only what was before it', () => {
    const place = createPlace(at(1));
    const [first, ...rest] = eventLine(7, 3);
    const messages = [...eventLine(2, 2), reset, first as ServerMessage];
    expect(place.take({ cursor: at(6), messages })).toEqual(messages);
    place.resume();
    expect(place.take(frameOf(7, [first as ServerMessage, ...rest]))).toEqual(rest);
  });

  test('of one session leaves everything else as it is', () => {
    const place = createPlace(at(1));
    const [first, second] = eventLine(2, 2) as [ServerMessage, ServerMessage];
    place.take(frameOf(1, [first]));
    place.take({ messages: [{ ...reset, sessionId: 'other' }] });
    expect(place.cursor).toBe(at(1));
    place.resume();
    expect(place.take(frameOf(2, [first, second]))).toEqual([second]);
  });
});

test('what is about no line is told each time, and is not taken for a part of one', () => {
  const place = createPlace(at(1));
  const [first, second] = eventLine(2, 2) as [ServerMessage, ServerMessage];
  place.take(frameOf(1, [{ type: 'live' }, first]));
  place.resume();
  expect(place.take(frameOf(1, [{ type: 'live' }]))).toEqual([{ type: 'live' }]);
  expect(place.take(frameOf(2, [first, second]))).toEqual([second]);
});

test('a line that follows in the place of the one that was begun is not taken for it', () => {
  const place = createPlace(at(1));
  place.take(frameOf(1, eventLine(2, 2)));
  place.resume();
  expect(place.take(frameOf(3, eventLine(3, 3)))).toEqual(eventLine(3, 3));
});
