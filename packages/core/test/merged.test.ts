// A session that is merged from its stdout and its files looks the same, whoever came first.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../proof/counts.ts';
import { createConversation } from '../src/conversation/conversation.ts';
import { reduce } from '../src/conversation/reduce.ts';
import { type ConversationView, view } from '../src/conversation/select.ts';
import {
  type Capture,
  captures,
  foldStreams,
  inTurn,
  interleaved,
  PRICES,
  type StreamEvents,
  streamsOf,
} from './captures.ts';

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

/** The bytes up to the end of one of their lines. */
function cutAfterLine(bytes: Uint8Array, seed: number): Uint8Array {
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 10);
  return bytes.subarray(0, (ends[seed % Math.max(ends.length, 1)] ?? -1) + 1);
}

const billOf = (streams: readonly StreamEvents[]): unknown => {
  const { usage, costUsd } = foldStreams(streams, inTurn(streams), PRICES).summary;
  return { usage, cost: costUsd === null ? null : Number(costUsd.toFixed(9)) };
};

/** Their files hold several runs, or only one of two sessions: the run's bill is not the file's. */
const isOneRun = ({ name }: Capture): boolean => !/^(resume-fork|session-chain|clear)/.test(name);

describe.each(recorded.filter(isOneRun))('$name, cut anywhere', (one) => {
  const [stdout, ...files] = streamsOf(one);
  const run = foldStreams(stdout ? [stdout] : [], inTurn(stdout ? [stdout] : []), PRICES).summary;
  const file = foldStreams(files, inTurn(files), PRICES).summary;

  test('what one of the two still has whole is the bill', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        if (file.usage.state === 'reconciled') {
          const cut = streamsOf({ ...one, bytes: cutAfterLine(one.bytes, seed) });
          expect(billOf(cut)).toEqual(billOf(files));
        }
        if (run.usage.state === 'reconciled') {
          const transcripts = one.transcripts.map((other) => ({ ...other, bytes: cutAfterLine(other.bytes, seed) }));
          expect(billOf(streamsOf({ ...one, transcripts }))).toEqual(billOf(stdout ? [stdout] : []));
        }
      }),
      { numRuns: counts.interleavings },
    );
  });
});
