// What of a session goes to whom, and in which pieces.

import type { AgentStreamEvent } from '@tailrace/core';
import {
  decodeCursor,
  type EventFilter,
  encodeCursor,
  type Frame,
  MAX_FRAME_BYTES,
  MAX_STRING_BYTES,
} from '@tailrace/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutShort } from './cut-short.ts';
import { createWholes } from './deltas.ts';
import { MAX_MESSAGES_BYTES, packFrames } from './frames.ts';
import { createSelection, isSessionWanted } from './selection.ts';

const event = (type: string, fields: object = {}): AgentStreamEvent =>
  ({ type, seq: 0, ...fields }) as unknown as AgentStreamEvent;
const REF = '/api/sessions/s/lines/7';
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('an event that is too long', () => {
  const textEnd = (text: string): AgentStreamEvent => event('text-end', { messageId: 'm', blockId: 'b', text });

  test.each([
    [MAX_STRING_BYTES - 1, false],
    [MAX_STRING_BYTES, false],
    [MAX_STRING_BYTES + 1, true],
  ])('with a string of %d bytes is cut: %s', (length, isCut) => {
    const whole = textEnd('x'.repeat(length));
    const { short: sent, cut } = cutShort(whole, REF, MAX_MESSAGES_BYTES);
    if (!isCut) expect([sent, cut]).toEqual([whole, undefined]);
    else {
      expect(sent).toMatchObject({ text: 'x'.repeat(MAX_STRING_BYTES) });
      expect(cut).toEqual([{ path: ['text'], bytes: length, ref: REF }]);
    }
  });

  test('is cut between characters, wherever the string stands', () => {
    const text = '日本語🙂é'.repeat(5000);
    const content = [
      { type: 'text', text: 'short' },
      { type: 'json', value: { deep: [text] } },
    ];
    const { short: sent, cut } = cutShort(event('tool-call-end', { content }), REF, MAX_MESSAGES_BYTES);
    expect(cut).toMatchObject([{ path: ['content', 1, 'value', 'deep', 0], bytes: Buffer.byteLength(text) }]);
    const [, { value }] = (sent as unknown as { content: [unknown, { value: { deep: [string] } }] }).content;
    expect(text.startsWith(value.deep[0])).toBe(true);
    expect(Buffer.byteLength(value.deep[0])).toBeGreaterThan(MAX_STRING_BYTES - 4);
    expect(value.deep[0]).not.toContain('\ufffd');
  });

  test('of 60 MB travels', () => {
    const { short: sent, cut } = cutShort(textEnd('x'.repeat(60 * 1024 * 1024)), REF, MAX_MESSAGES_BYTES);
    expect(bytesOf(sent)).toBeLessThan(MAX_STRING_BYTES + 200);
    expect(cut).toMatchObject([{ bytes: 60 * 1024 * 1024 }]);
  });

  test('keeps names that are dangerous as names', () => {
    const input = JSON.parse(`{"__proto__":{"polluted":"${'x'.repeat(20_000)}"}}`);
    const { short: sent } = cutShort(event('tool-call-input-end', { input }), REF, MAX_MESSAGES_BYTES);
    expect(Object.keys((sent as unknown as { input: object }).input)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('of any shape fits, and is itself where it is short', () => {
    const big = fc.constantFrom('x'.repeat(9000), '日'.repeat(4000), 'x'.repeat(300_000));
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        big,
        fc.integer(),
        fc.array(tie('any'), { maxLength: 60 }),
        fc.dictionary(fc.string(), tie('any'), { maxKeys: 40 }),
      ),
    })).any;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('input', 'content', 'text', 'output'), value), (fields) => {
        const whole = event('tool-call-end', fields);
        const { short: sent, cut } = cutShort(whole, REF, 50_000);
        expect(bytesOf(sent)).toBeLessThanOrEqual(50_000);
        expect(sent.type).toBe('tool-call-end');
        if (!cut) expect(sent).toBe(whole);
      }),
      { numRuns: 60 },
    );
    const many = event('tool-call-input-end', {
      toolCallId: 'c',
      input: Array.from({ length: 200_000 }, (_, n) => ({ n })),
    });
    const { short: sent, cut } = cutShort(many, REF, MAX_MESSAGES_BYTES);
    expect(sent).toEqual({ type: 'tool-call-input-end', seq: 0, toolCallId: 'c', input: [] });
    expect(cut).toEqual([{ path: ['input'], bytes: bytesOf((many as unknown as { input: unknown }).input), ref: REF }]);
  });
});

describe('a subscription', () => {
  const select = (filter: EventFilter, events: readonly AgentStreamEvent[]): string[] => {
    const selection = createSelection(filter);
    return events.filter((one) => selection.isWanted(one)).map(({ type }) => type);
  };
  const call = (toolCallId: string, toolName: string): AgentStreamEvent[] => [
    event('tool-call-start', { toolCallId, toolName }),
    event('tool-call-update', { toolCallId }),
    event('tool-call-end', { toolCallId, toolName }),
  ];

  test('without a filter has everything', () => {
    expect(select({}, [...call('a', 'Read'), event('notice')])).toHaveLength(4);
  });

  test('has the kinds that it names', () => {
    expect(select({ kinds: ['notice'] }, [...call('a', 'Read'), event('notice')])).toEqual(['notice']);
  });

  test('has of calls only those of the tools that it names, all parts of them', () => {
    const events = [
      ...call('a', 'Read'),
      ...call('b', 'Bash'),
      event('file-change', { toolCallId: 'b' }),
      event('notice'),
    ];
    const types = call('a', 'Read').map(({ type }) => type);
    expect(select({ tools: ['Read'] }, events)).toEqual([...types, 'file-change', 'notice']);
    expect(select({ tools: ['Read'], kinds: ['tool-call-update'] }, events)).toEqual(['tool-call-update']);
  });

  test('has no end of a call that it does not want, though it began before', () => {
    expect(select({ tools: ['Read'] }, [event('tool-call-end', { toolCallId: 'z', toolName: 'Bash' })])).toEqual([]);
  });

  test('has the main thread, and the sub-agents that it names', () => {
    const events = ['x', 'y', undefined].map((subagentId) => event('notice', subagentId ? { subagentId } : {}));
    expect(select({ subagents: 'none' }, events)).toHaveLength(1);
    expect(select({ subagents: ['x'] }, events)).toHaveLength(2);
  });

  test('has the agents and projects that it names', () => {
    const about = { agent: 'claude', project: 'p' };
    expect(isSessionWanted({}, about)).toBe(true);
    expect(isSessionWanted({ agents: ['codex'] }, about)).toBe(false);
    expect(isSessionWanted({ agents: ['claude'], projects: ['p'] }, about)).toBe(true);
    expect(isSessionWanted({ projects: ['q'] }, about)).toBe(false);
    expect(isSessionWanted({ projects: ['q'] }, { agent: 'claude', project: undefined })).toBe(false);
  });
});

test('a replay leaves out the pieces of what it sends whole, and keeps those of what is still open', () => {
  const events = [
    event('text-delta', { blockId: 'a' }),
    event('text-delta', { blockId: 'b' }),
    event('text-end', { blockId: 'a' }),
    event('tool-call-input-delta', { toolCallId: 'c' }),
    event('tool-call-input-end', { toolCallId: 'c' }),
    event('tool-call-update', { toolCallId: 'c', outputDelta: 'x' }),
    event('tool-call-update', { toolCallId: 'c', title: 'x' }),
    event('tool-call-end', { toolCallId: 'c' }),
    event('tool-call-update', { toolCallId: 'd', outputSnapshot: 'x' }),
  ];
  const wholes = createWholes();
  for (const one of events) wholes.add(one);
  expect(events.map((one) => wholes.isPiece(one))).toEqual([
    true,
    false,
    false,
    true,
    false,
    true,
    false,
    false,
    false,
  ]);
});

describe('frames', () => {
  const line = fc.record({
    step: fc.integer({ min: 1, max: 5 }),
    sizes: fc.array(fc.constantFrom(10, 1000, 60_000, 200_000), { maxLength: 8 }),
  });

  test('hold all messages once and in order, none is too long, and each can be gone on from', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.nat(100), (made, after) => {
        let position = after;
        let number = 0;
        const lines = made.map(({ step, sizes }) => {
          position += step;
          const messages = sizes.map((size) => JSON.stringify({ number: number++, position, text: 'x'.repeat(size) }));
          return { position, messages };
        });
        const frames = packFrames('one', { epoch: 'e', position: after }, lines);
        const sent: { number: number; position: number }[] = [];
        let before = after;
        for (const { text, position: covered } of frames) {
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_FRAME_BYTES);
          const frame = JSON.parse(text) as Omit<Frame, 'messages'> & {
            messages: { number: number; position: number }[];
          };
          expect(frame.subscriptionId).toBe('one');
          expect(decodeCursor(frame.cursor ?? '')).toEqual({ epoch: 'e', position: covered });
          sent.push(...frame.messages);
          // Parts of a line are known by a cursor that has not moved, and nothing else stands beside them.
          if (frame.messages.some((one) => one.position > covered)) expect(covered).toBe(before);
          if (covered === before) expect(new Set(frame.messages.map((one) => one.position)).size).toBeLessThan(2);
          before = covered;
          // Everything up to the cursor is sent, and whoever begins there misses nothing.
          const upTo = lines.filter((one) => one.position <= covered).flatMap(({ messages }) => messages).length;
          expect(sent.filter((one) => one.position <= covered)).toHaveLength(upTo);
        }
        expect(sent.map((one) => one.number)).toEqual(Array.from({ length: number }, (_, index) => index));
        expect(frames.at(-1)?.position).toBe(made.length > 0 ? position : undefined);
      }),
    );
  });

  test('have a line whole where it fits into one', () => {
    const message = (size: number): string => JSON.stringify('x'.repeat(size));
    const lines = [
      { position: 1, messages: [message(200_000)] },
      { position: 2, messages: [message(50_000), message(50_000)] },
    ];
    const frames = packFrames('one', { epoch: 'e', position: 0 }, lines);
    expect(frames.map(({ text }) => JSON.parse(text).messages.length)).toEqual([1, 2]);
  });

  test('move on though nothing of a line is wanted', () => {
    const [frame] = packFrames('one', { epoch: 'e', position: 3 }, [{ position: 9, messages: [] }]);
    expect(JSON.parse(frame?.text ?? '')).toEqual({
      subscriptionId: 'one',
      cursor: encodeCursor({ epoch: 'e', position: 9 }),
      messages: [],
    });
  });

  test('have a name that cannot break out of its quotation marks', () => {
    const [frame] = packFrames('"}\u2028', { epoch: 'e"', position: 0 }, [{ position: 1, messages: ['{}'] }]);
    expect(JSON.parse(frame?.text ?? '')).toMatchObject({
      subscriptionId: '"}\u2028',
      cursor: encodeCursor({ epoch: 'e"', position: 1 }),
    });
  });
});
