// A session that is merged from its stdout and its files looks the same, whoever came first.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../proof/counts.ts';
import { createConversation } from '../src/conversation/conversation.ts';
import { reduce } from '../src/conversation/reduce.ts';
import { type ConversationView, view } from '../src/conversation/select.ts';
import { captures, foldStreams, inTurn, interleaved, PRICES, type StreamEvents, streamsOf } from './captures.ts';

const recorded = captures.filter(
  // One id for two calls of two threads is a mock's doing: in the files nothing tells them apart.
  ({ name, transcripts }) => transcripts.length > 0 && name !== 'subagent-same-tool-id',
);

function seen(streams: readonly StreamEvents[], order: readonly number[]): ConversationView {
  const { events } = foldStreams(streams, order, PRICES);
  return view(events.reduce(reduce, createConversation()));
}

describe.each(recorded)('$name', (one) => {
  const streams = streamsOf(one);

  test('looks the same in any interleaving', () => {
    const expected = seen(streams, inTurn(streams));
    expect(seen(streams, inTurn(streams, [...streams.keys()].reverse()))).toEqual(expected);
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(seen(streams, interleaved(streams, seed))).toEqual(expected);
      }),
      { numRuns: counts.interleavings },
    );
  });
});
