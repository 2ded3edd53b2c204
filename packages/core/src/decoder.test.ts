import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../proof/counts.ts';
import { capture, captures, cutAt, decodeAll, decodeMessages, ofType } from '../test/captures.ts';
import { brokenPromises } from '../test/promises.ts';
import { createDecoder, defineAgent, MAX_DEPTH } from './index.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const line = (message: unknown): string => `${JSON.stringify(message)}\n`;
const init = { type: 'system', subtype: 'init', session_id: 's', uuid: 'u', claude_code_version: '2.1.325' };

describe('any chunking', () => {
  const small = captures.filter(({ bytes }) => bytes.length < 30_000);

  test('of a capture gives the same events', () => {
    const wholes = new Map(captures.map(({ name, bytes }) => [name, JSON.stringify(decodeAll([bytes]))]));
    fc.assert(
      fc.property(fc.constantFrom(...small), fc.array(fc.nat(), { maxLength: 30 }), ({ name, bytes }, cuts) => {
        expect(JSON.stringify(decodeAll(cutAt(bytes, cuts)))).toBe(wholes.get(name));
      }),
      { numRuns: counts.chunkings },
    );
  });

  test('byte by byte gives the same events', () => {
    for (const name of ['basic-text', 'unicode', 'partial-messages']) {
      const { bytes } = capture(name);
      const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
      expect(decodeAll(pieces)).toEqual(decodeAll([bytes]));
    }
  });

  test('at every split point gives the same events', () => {
    const { bytes } = capture('unicode');
    const whole = JSON.stringify(decodeAll([bytes]));
    for (let at = 0; at < Math.min(bytes.length, counts.everyByteUpTo); at += 3) {
      expect(JSON.stringify(decodeAll(cutAt(bytes, [at])))).toBe(whole);
    }
  });
});

test('the same bytes give the same events and ids, again and again', () => {
  for (const { bytes } of captures) expect(JSON.stringify(decodeAll([bytes]))).toBe(JSON.stringify(decodeAll([bytes])));
});

test('[A-01] wherever a stream is cut, every start has its end and nothing throws', () => {
  for (const { bytes, name } of captures) {
    const everyByte = bytes.length <= counts.everyByteUpTo;
    const step = everyByte ? 1 : Math.max(Math.floor(bytes.length / counts.cuts), 1);
    for (let at = 0; at <= bytes.length; at += step) {
      const events = decodeAll([bytes.subarray(0, at)]);
      expect(brokenPromises(events), `${name} cut at ${at}`).toEqual([]);
    }
  }
});

test('no byte is lost: every line is a message, an event that says what is wrong with it, or blank', () => {
  const good = fc.constantFrom(
    line(init),
    line({ type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'é' }] } }),
  );
  const bad = fc.constantFrom(
    'noise\n',
    '\n',
    '\r\n',
    ' \n',
    '{"cut\n',
    `${'['.repeat(600)}\n`,
    `${'x'.repeat(400)}\n`,
    '\u0000\n',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(good, bad)), (lines) => {
      const bytes = bytesOf(lines.join(''));
      const decoder = createDecoder({ agent: 'claude', maxLineBytes: 300 });
      const events = [...decoder.feed(bytes), ...decoder.end()];
      const reported = ofType(events, 'raw').filter(({ reason }) => reason !== 'no_counterpart');
      const messages = lines.filter((text) => text.startsWith('{"type"'));
      const blank = lines.filter((text) => text.trim() === '');
      expect(decoder.stats).toMatchObject({
        bytes: bytes.length,
        offset: bytes.length,
        lines: lines.length - blank.length,
      });
      expect(reported).toHaveLength(lines.length - blank.length - messages.length);
      const counted = reported.reduce((sum, { bytes: size }) => sum + (size ?? 0) + 1, 0);
      const rest = [...messages, ...blank].reduce((sum, text) => sum + bytesOf(text).length, 0);
      expect(counted + rest).toBe(bytes.length);
    }),
    { numRuns: counts.runs },
  );
});

describe('a line that cannot be read', () => {
  test('[G-02] [A-13] is reported with its text, and reading goes on', () => {
    const events = decodeMessages([init, 'this is no JSON', { type: 'result', is_error: false, result: 'ok' }]);
    expect(ofType(events, 'raw')).toEqual([
      expect.objectContaining({
        reason: 'not_json',
        text: 'this is no JSON',
        line: 2,
        bytes: 15,
        offset: line(init).length,
      }),
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'session-end', outcome: 'success' });
  });

  test('[A-02] over the limit is reported with size, offset and first bytes', () => {
    const decoder = createDecoder({ agent: 'claude', maxLineBytes: 1000 });
    const events = [...decoder.feed(bytesOf(`${line(init)}${'y'.repeat(5000)}\n${line(init)}`)), ...decoder.end()];
    expect(ofType(events, 'raw')).toEqual([
      expect.objectContaining({
        reason: 'too_long',
        bytes: 5000,
        offset: line(init).length,
        text: 'y'.repeat(200),
        line: 2,
      }),
    ]);
    expect(ofType(events, 'turn-start')).toHaveLength(2);
  });

  test('[R-07] is not one because it is long: far over 64 KB is ordinary', () => {
    const text = 'long '.repeat(1_000_000);
    const events = decodeMessages([
      { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text }] }, session_id: 's' },
    ]);
    expect(ofType(events, 'text-end')[0]?.text).toBe(text);
  });

  test('[T-27] that is too deep is reported and never parsed', () => {
    const deep = (depth: number): string => `{"type":"system","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    for (const depth of [MAX_DEPTH - 1, MAX_DEPTH]) {
      expect(ofType(decodeMessages([deep(depth)]), 'raw')).toMatchObject([{ reason: 'unknown_type' }]);
    }
    for (const depth of [MAX_DEPTH + 1, 1_000_000]) {
      const [raw] = ofType(decodeMessages([deep(depth)]), 'raw');
      expect(raw).toMatchObject({ reason: 'too_deep', bytes: deep(depth).length });
      expect(raw?.text).toHaveLength(200);
    }
  });

  test('[T-27] keeps its numbers out of the figures when they are no counts', () => {
    const usage = '{"input_tokens":1e400,"output_tokens":12345678901234567890}';
    const events = decodeMessages([
      `{"type":"assistant","session_id":"s","message":{"id":"m","content":[],"usage":${usage}}}`,
      '{"type":"result","is_error":false,"usage":{"input_tokens":-5,"output_tokens":1.5},"total_cost_usd":1e999}',
    ]);
    expect(ofType(events, 'message-end')[0]?.usage).toBeUndefined();
    const end = ofType(events, 'session-end')[0];
    expect(end?.usage).toBeUndefined();
    expect(end?.cost).toBeUndefined();
  });

  test('at the end without its line feed is cut off', () => {
    const events = decodeAll([bytesOf(`${line(init)}{"type":"assist`)]);
    expect(ofType(events, 'raw')).toEqual([
      expect.objectContaining({ reason: 'cut_off', text: '{"type":"assist', bytes: 15 }),
    ]);
  });

  test('at the end without its line feed is an ordinary line when it is whole', () => {
    const { bytes } = capture('basic-text');
    expect(decodeAll([bytes.subarray(0, -1)])).toEqual(decodeAll([bytes]));
  });

  test('glued to another one leaves that one whole', () => {
    const result = { type: 'result', is_error: false, result: 'ok', session_id: 's', uuid: 'r', duration_api_ms: 1 };
    const events = decodeMessages([`${JSON.stringify(init)}{"type":"assistant","mess${JSON.stringify(result)}`]);
    expect(ofType(events, 'raw')).toMatchObject([{ reason: 'spliced', text: '{"type":"assistant","mess' }]);
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'success', result: 'ok' }]);
  });

  test('wherever a recorded line is cut, the line glued to it is recovered', () => {
    const lines = Buffer.from(capture('tools-read-edit').bytes).toString().trimEnd().split('\n');
    const [first = '', second = ''] = lines.slice(1);
    for (let at = 1; at < first.length; at += 7) {
      const events = decodeMessages([lines[0], first.slice(0, at) + second]);
      expect(
        ofType(events, 'raw').map(({ reason }) => reason),
        `cut at ${at}`,
      ).toContain('spliced');
      expect(brokenPromises(events)).toEqual([]);
    }
  });

  test('of an array of messages is read one by one', () => {
    const { messages } = capture('basic-text');
    const whole = decodeMessages(messages);
    const array = decodeMessages([JSON.stringify(messages)]);
    expect(array.map(({ type }) => type)).toEqual(whole.map(({ type }) => type));
  });

  test.each(['42', '"text"', 'null', 'true'])('%s is JSON, but no message', (text) => {
    expect(ofType(decodeMessages([text]), 'raw')).toMatchObject([{ reason: 'unknown_type', value: JSON.parse(text) }]);
  });
});

describe('the agent', () => {
  test('is told by the first line', () => {
    for (const { bytes, name } of captures.filter(({ messages }) => messages.length > 0)) {
      const decoder = createDecoder();
      const end = bytes.indexOf(10) + 1;
      decoder.feed(bytes.subarray(0, end));
      expect(decoder.agent, name).toBe('claude');
    }
  });

  test('is told when reading begins in the middle', () => {
    for (const { bytes, messages } of captures.filter(({ messages }) => messages.length > 3)) {
      const start = bytes.indexOf(10, bytes.indexOf(10) + 1) + 1;
      const decoder = createDecoder();
      const events = [...decoder.feed(bytes.subarray(start)), ...decoder.end()];
      expect(decoder.agent, JSON.stringify(messages[2]).slice(0, 80)).toBe('claude');
      expect(brokenPromises(events)).toEqual([]);
    }
  });

  test('is waited for while a banner is printed, and the banner is not lost', () => {
    const decoder = createDecoder();
    expect(decoder.feed(bytesOf('Welcome!\n'))).toEqual([]);
    const events = [...decoder.feed(bytesOf(line(init))), ...decoder.end()];
    expect(events.slice(0, 4).map(({ type, line }) => [type, line])).toEqual([
      ['session-start', 1],
      ['raw', 1],
      ['session-update', 2],
      ['turn-start', 2],
    ]);
    expect(events[0]).toMatchObject({ agent: 'claude' });
  });

  test('is not waited for longer than 64 kB', () => {
    const decoder = createDecoder();
    expect(decoder.feed(bytesOf(`${'x'.repeat(64 * 1024)}\n`))).toEqual([]);
    const events = decoder.feed(bytesOf('y\n'));
    expect(events.map(({ type }) => type)).toEqual(['session-start', 'raw', 'raw']);
    expect(events[0]).toMatchObject({ agent: 'unknown' });
  });

  test('is not looked for in more than 200 messages', () => {
    const decoder = createDecoder();
    expect(decoder.feed(bytesOf('1\n'.repeat(199)))).toEqual([]);
    expect(decoder.feed(bytesOf('1\n'))).toHaveLength(201);
    // An array of a million messages on one line is no trouble either.
    expect(createDecoder().feed(bytesOf(`[${'1,'.repeat(999_999)}1]\n`))).toHaveLength(1_000_001);
  });

  test('that nobody knows has its messages shown raw', () => {
    const decoder = createDecoder();
    const events = [
      ...decoder.feed(bytesOf('{"kind":"hello"}\n{"type":"other.thing"}\n')),
      ...decoder.end({ signal: 'SIGTERM' }),
    ];
    expect(events).toMatchObject([
      { type: 'session-start', agent: 'unknown' },
      { type: 'raw', reason: 'unknown_type', value: { kind: 'hello' } },
      { type: 'raw', reason: 'unknown_type', nativeType: 'other.thing' },
      { type: 'session-end', outcome: 'cancelled', signal: 'SIGTERM' },
    ]);
  });

  test('can be named, and a name nobody has is a mistake', () => {
    expect(createDecoder({ agent: 'claude' }).agent).toBe('claude');
    expect(() => createDecoder({ agent: 'nobody' })).toThrow(/no agent is called "nobody"/);
  });

  test('misuse is a mistake that is told: strings, and limits that are none', () => {
    expect(() => createDecoder().feed('text' as unknown as Uint8Array)).toThrow(/feed takes bytes/);
    for (const maxLineBytes of [0, -1, 1.5, Number.NaN])
      expect(() => createDecoder({ maxLineBytes })).toThrow(/maxLineBytes/);
  });

  test('can be handed in', () => {
    const mine = defineAgent({
      name: 'mine',
      detect: () => 0,
      createTranslator: () => ({
        translate: (_message, out) => out.write({ type: 'session-start', agent: 'mine' }),
        end: (_exit, out) => out.write({ type: 'session-end', outcome: 'success' }),
      }),
    });
    expect(decodeAll([bytesOf('{}\n')], { agent: mine }).map(({ type }) => type)).toEqual([
      'session-start',
      'session-end',
    ]);
  });
});

describe('what belongs to the line', () => {
  test('is on each event: its number, its arrival, its session', () => {
    const decoder = createDecoder();
    const events = decoder.feed(bytesOf(`\n${line(init)}`), { at: 1234 });
    expect(events.every((event) => event.line === 2 && event.at === 1234 && event.sessionId === 's')).toBe(true);
  });

  test('is its message, when that is wanted', () => {
    const events = decodeAll([bytesOf(line(init) + line({ ...init, model: 'm' }))], { keepMessage: true });
    const kept = events.filter(({ native }) => native !== undefined);
    expect(kept.map(({ native }) => native)).toEqual([init, { ...init, model: 'm' }]);
  });

  test('goes on from where a file is resumed', () => {
    const { bytes } = capture('stdin-multiturn');
    const first = createDecoder();
    first.feed(bytes.subarray(0, 10_000));
    const { offset } = first.stats;
    expect(bytes[offset - 1]).toBe(10);
    const resumed = createDecoder({ start: { offset, line: 3 } });
    resumed.feed(bytes.subarray(offset));
    resumed.end();
    expect(resumed.stats.offset).toBe(bytes.length);
  });

  test('what an agent says on stderr is a remark, and what was fed last ends the stream', () => {
    const decoder = createDecoder();
    const events = [
      ...decoder.feed(bytesOf('warn'), { source: 'stderr' }),
      ...decoder.feed(bytesOf(line(init))),
      ...decoder.feed(bytesOf('ing\n\n'), { source: 'stderr' }),
      ...decoder.end({ code: 1 }),
    ];
    expect(ofType(events, 'notice')).toMatchObject([{ severity: 'warning', title: 'warning', nativeCode: 'stderr' }]);
    expect(events.at(-1)).toMatchObject({ type: 'session-end', outcome: 'error', exitCode: 1 });
    expect(decoder.feed(bytesOf(line(init)))).toEqual([]);
    expect(decoder.end()).toEqual([]);
  });

  test('an empty stream is a session all the same', () => {
    expect(decodeAll([])).toMatchObject([
      { type: 'session-start', agent: 'unknown' },
      { type: 'session-end', outcome: 'unknown' },
    ]);
    expect(createDecoder().stats).toEqual({ bytes: 0, lines: 0, events: 0, offset: 0 });
  });
});
