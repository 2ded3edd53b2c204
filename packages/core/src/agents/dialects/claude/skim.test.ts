import { describe, expect, test } from 'vitest';
import { captures, decodeAll, decodeMessages, ofType } from '../../../../test/captures.ts';
import { createDecoder } from '../../../index.ts';

const delta = (text: string, uuid: number, more: object = {}): object => ({
  type: 'stream_event',
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  session_id: 's',
  parent_tool_use_id: null,
  uuid: `00000000-0000-4000-8000-${String(uuid).padStart(12, '0')}`,
  api_message_id: 'm',
  ...more,
});
const start = [
  {
    type: 'stream_event',
    event: { type: 'message_start', message: { id: 'm', model: 'x' } },
    session_id: 's',
    uuid: 'a',
    api_message_id: 'm',
  },
  {
    type: 'stream_event',
    event: { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    session_id: 's',
    uuid: 'b',
    api_message_id: 'm',
  },
];
const deltas = (messages: readonly object[]): string[] =>
  ofType(decodeMessages(messages), 'text-delta').map((event) => event.delta);

test('a line that is skimmed gives the events that it gives when it is parsed', () => {
  for (const { bytes, name } of captures) {
    const skimmed = decodeAll([bytes], { agent: 'claude' });
    // With its message kept, every line is parsed.
    const parsed = decodeAll([bytes], { agent: 'claude', keepMessage: true }).map(
      ({ native: _native, ...event }) => event,
    );
    expect(skimmed, name).toEqual(parsed);
  }
});

describe('deltas in a row', () => {
  const many = Array.from({ length: 50 }, (_, index) => delta(`piece ${index} "quoted" ü\n`, index));

  test('all come out, whole and in order, with their own line', () => {
    const events = ofType(decodeMessages([...start, ...many]), 'text-delta');
    expect(events.map((event) => event.delta)).toEqual(
      Array.from({ length: 50 }, (_, index) => `piece ${index} "quoted" ü\n`),
    );
    expect(events.map(({ line }) => line)).toEqual(Array.from({ length: 50 }, (_, index) => index + 3));
  });

  test('carry the arrival of their own line', () => {
    const decoder = createDecoder({ agent: 'claude' });
    const feed = (message: object, at: number) => decoder.feed(Buffer.from(`${JSON.stringify(message)}\n`), { at });
    for (const message of start) feed(message, 1);
    expect(
      many
        .slice(0, 4)
        .flatMap((message, index) => feed(message, 100 + index))
        .map(({ at }) => at),
    ).toEqual([100, 101, 102, 103]);
  });

  test('are told apart when a field of theirs changes', () => {
    const other = { ...delta('elsewhere', 3), parent_tool_use_id: 'toolu_x', agent_id: 'agent' };
    const events = decodeMessages([...start, delta('one', 1), delta('two', 2), other, delta('three', 4)]);
    expect(ofType(events, 'text-delta').map(({ delta, subagentId }) => [delta, subagentId])).toEqual([
      ['one', undefined],
      ['two', undefined],
      ['elsewhere', 'agent'],
      ['three', undefined],
    ]);
    expect(
      ofType(decodeMessages([...start, delta('one', 1), delta('two', 2, { session_id: 't' })]), 'text-delta').map(
        ({ sessionId }) => sessionId,
      ),
    ).toEqual(['s', 't']);
  });

  test('begin a block anew when theirs was closed', () => {
    const stop = {
      type: 'stream_event',
      event: { type: 'content_block_stop', index: 0 },
      session_id: 's',
      uuid: 'c',
      api_message_id: 'm',
    };
    const events = decodeMessages([...start, delta('one', 1), delta('two', 2), stop, delta('three', 3)]);
    expect(ofType(events, 'text-end').map(({ text }) => text)).toEqual(['onetwo', 'three']);
  });

  test('that never fit each other are all read', () => {
    const odd = Array.from({ length: 60 }, (_, index) => delta(`${index} `, index, { extra: index }));
    expect(deltas([...start, ...odd]).join('')).toBe(Array.from({ length: 60 }, (_, index) => `${index} `).join(''));
  });
});
