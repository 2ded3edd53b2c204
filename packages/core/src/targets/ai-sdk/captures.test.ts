import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../../proof/counts.ts';
import { cutAt, decodeAll } from '../../../test/captures.ts';
import { anyEvent } from '../../../test/conversations.ts';
import { brokenRules, chunksOf } from '../../../test/ui-messages.ts';
import type { AgentStreamEvent } from '../../event/event.ts';

const fixtures = fileURLToPath(new URL('../../../../../fixtures/', import.meta.url));
const agents = readdirSync(fixtures).filter((name) => /^[a-z]+$/.test(name) && name !== 'screens' && name !== 'demo');

const capturesOf = (agent: string): { name: string; bytes: Uint8Array }[] =>
  readdirSync(`${fixtures}${agent}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ndjson'))
    .map((path) => ({ name: path, bytes: readFileSync(`${fixtures}${agent}/${path}`) }));

test('all ten agents are there', () => expect(agents).toHaveLength(10));

describe.each(agents)('what %s has printed', (agent) => {
  const captures = capturesOf(agent);

  test('is a message that obeys the protocol, in every capture', () => {
    expect(captures.length).toBeGreaterThan(5);
    for (const { name, bytes } of captures) expect(brokenRules(chunksOf(decodeAll([bytes], {}, {}))), name).toEqual([]);
  });

  test('is one also when it is cut short', () => {
    for (const { name, bytes } of captures)
      for (const part of [0.3, 0.7])
        expect(brokenRules(chunksOf(decodeAll([bytes.slice(0, bytes.length * part)]))), name).toEqual([]);
  });

  test('is one also when nobody tells the end', () => {
    for (const { name, bytes } of captures)
      expect(brokenRules(chunksOf(decodeAll([bytes]).slice(0, -1))), name).toEqual([]);
  });

  test('is the same message, however the bytes are cut', () => {
    const [capture = { bytes: new Uint8Array() }] = captures.filter(({ bytes }) => bytes.length < 60_000);
    const whole = chunksOf(decodeAll([capture.bytes]));
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), (cuts) => {
        expect(chunksOf(decodeAll(cutAt(capture.bytes, cuts)))).toEqual(whole);
      }),
      { numRuns: counts.cuts },
    );
  });
});

test('any events in any order are a message that obeys the protocol', () => {
  fc.assert(
    fc.property(fc.array(anyEvent(), { maxLength: 60, size: 'max' }), (events) => {
      expect(brokenRules(chunksOf(events))).toEqual([]);
    }),
    { numRuns: counts.runs },
  );
});

test('events of any shape at all do not throw', () => {
  const types = fc.constantFrom(
    'text-delta',
    'text-end',
    'tool-call-start',
    'tool-call-end',
    'turn-end',
    'task-end',
    '',
  );
  const broken = fc.oneof(
    fc.anything(),
    fc.record({ type: types, blockId: fc.jsonValue(), toolCallId: fc.jsonValue(), content: fc.jsonValue() }),
    fc
      .tuple(
        anyEvent(),
        fc.constantFrom('blockId', 'toolCallId', 'delta', 'text', 'content', 'messageIds', 'requestId'),
      )
      .chain(([event, key]) => fc.jsonValue().map((value) => ({ ...event, [key]: value }))),
  );
  fc.assert(
    fc.property(fc.array(broken, { maxLength: 20 }), (values) => {
      // The bridge stands at the end of a wire as often as at the end of a decoder.
      const events = values as AgentStreamEvent[];
      expect(chunksOf(events).at(-1)?.type).toBe('finish');
    }),
    { numRuns: counts.runs },
  );
});
