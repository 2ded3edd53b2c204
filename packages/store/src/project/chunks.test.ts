import type { AgentStreamEvent } from '@tailrace/core';
import { expect, test } from 'vitest';
import { CHUNK_BYTES, createChunks, parseChunk } from './chunks.ts';

const notice = (title: string): AgentStreamEvent => ({ type: 'notice', seq: 0, severity: 'info', title });
/** So much is around the title in a chunk. */
const AROUND = '[1,[{"type":"notice","seq":0,"severity":"info","title":""}]]\n'.length;

test.each([CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1])(
  'two lines of %i bytes together are one chunk up to the limit',
  (size) => {
    const chunks = createChunks();
    const first = 1_000;
    chunks.add(1, [notice('a'.repeat(first - AROUND))]);
    chunks.add(2, [notice('b'.repeat(size - first - AROUND))]);
    const rows = chunks.take();
    expect(rows.map(({ first, last }) => [first, last])).toEqual(
      size <= CHUNK_BYTES
        ? [[1, 2]]
        : [
            [1, 1],
            [2, 2],
          ],
    );
    expect(chunks.waiting).toBe(0);
  },
);

test('one line alone may be larger, and what is behind a position is given', () => {
  const chunks = createChunks();
  chunks.add(1, [notice('a'.repeat(2 * CHUNK_BYTES))]);
  chunks.add(2, []);
  chunks.add(3, [notice('line\nfeed'), notice('\u2028')]);
  chunks.add(3.5, [notice('end')]);
  const rows = chunks.take();
  expect(rows.map(({ first, last }) => [first, last])).toEqual([
    [1, 1],
    [3, 3.5],
  ]);
  const text = Buffer.from(rows[1]?.data ?? []).toString();
  const nothing = { references: [] };
  const [three, end] = [
    { position: 3, events: [notice('line\nfeed'), notice('\u2028')], ...nothing },
    { position: 3.5, events: [notice('end')], ...nothing },
  ];
  expect(parseChunk(text, { after: 0 })).toEqual([three, end]);
  expect(parseChunk(text, { after: 3 })).toEqual([end]);
  expect(parseChunk(text, { after: 0, until: 3 })).toEqual([three]);
});
