import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../../proof/counts.ts';
import { captures } from '../../../test/captures.ts';
import { contentBlocks, textContent, toolResultBlocks, toolUseBlocks } from './message.ts';
import { createCallTimer, firstCharacters, parseMessageLine } from './one-line.ts';

function parse(text: string): { message: unknown; warnings: [string, string][] } {
  const warnings: [string, string][] = [];
  const message = parseMessageLine(text, (...warning) => warnings.push(warning));
  return { message, warnings };
}

const text = { type: 'text', text: 'Hi' };
const call = { type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'a' } };
const result = { type: 'tool_result', tool_use_id: 't', content: 'done' };

describe('[W-08] one line in, a message out', () => {
  test('every line of the recorded runs, unchanged', () => {
    for (const { messages } of captures)
      for (const message of messages) expect(parse(JSON.stringify(message))).toEqual({ message, warnings: [] });
  });

  test.each([
    ['a bare block', { type: 'assistant', message: text }, 'Hi'],
    ['a list of blocks', { type: 'assistant', message: { role: 'assistant', content: [text, call, text] } }, 'HiHi'],
    ['a string', { type: 'user', message: { role: 'user', content: 'Hi' } }, 'Hi'],
    ['content moved up', { type: 'assistant', content: [text] }, 'Hi'],
  ])('reads both shapes: %s', (_, line, expected) => {
    const { message, warnings } = parse(`${JSON.stringify(line)}\r\n`);
    expect(message).toMatchObject({ type: line.type, message: { role: line.type } });
    expect(textContent(message)).toBe(expected);
    expect(warnings).toEqual([]);
  });

  test('finds calls and results in both shapes', () => {
    for (const line of [call, { type: 'assistant', message: call }, { type: 'assistant', message: { role: 'assistant', content: [call] } }]) // biome-ignore format: a list
      expect(toolUseBlocks(parse(JSON.stringify(line)).message)).toMatchObject([call]);
    for (const line of [result, { type: 'user', message: result }, { type: 'user', message: { role: 'user', content: [result] } }]) // biome-ignore format: a list
      expect(toolResultBlocks(parse(JSON.stringify(line)).message)).toMatchObject([result]);
    expect(parse('{"type":"init","session_id":"s"}').message).toMatchObject({ type: 'system', subtype: 'init' });
    expect(parse('{"type":"message_stop"}').message).toMatchObject({ type: 'stream_event' });
  });

  test.each([
    ['not JSON', 'npm warn', 'the line is not JSON'],
    ['cut off', '{"type":"assistant","mess', 'the line is not JSON'],
    ['two in one', '{"type":"user"}{"type":"user"}', 'the line is not JSON'],
    ['a number', '42', 'the line is JSON, but no message: that is an object with a type'],
    ['null', 'null', 'the line is JSON, but no message: that is an object with a type'],
    ['a list', '[{"type":"user"}]', 'the line is JSON, but no message: that is an object with a type'],
    ['no type', '{"message":{}}', 'the line is JSON, but no message: that is an object with a type'],
    ['no text for a type', '{"type":7}', 'the line is JSON, but no message: that is an object with a type'],
    ['an unknown type', '{"type":"hologram"}', 'no message of Claude\'s has the type "hologram"'],
    ['a foreign word', '{"type":"constructor"}', 'no message of Claude\'s has the type "constructor"'],
    ['too deep', `{"type":"user","a":${'['.repeat(600)}${']'.repeat(600)}}`, 'the line nests too deep to be read'],
  ])('gives null and one warning: %s', (_, line, sentence) => {
    expect(parse(line)).toEqual({ message: null, warnings: [[sentence, line.slice(0, 100)]] });
    expect(parseMessageLine(line)).toBeNull();
  });

  test('shows the first 100 characters, none of them halved', () => {
    const [[, shown = ''] = []] = parse('x'.repeat(500)).warnings;
    expect(shown).toBe('x'.repeat(100));
    expect(parse(`${'x'.repeat(99)}😀`).warnings[0]?.[1]).toBe('x'.repeat(99));
    expect(parse(`${'x'.repeat(98)}😀😀`).warnings[0]?.[1]).toBe(`${'x'.repeat(98)}😀`);
    expect(firstCharacters('😀', 2)).toBe('😀');
    expect(firstCharacters('', 2)).toBe('');
    const [[sentence = ''] = []] = parse(JSON.stringify({ type: 'y'.repeat(5_000) })).warnings;
    expect(sentence.length).toBeLessThan(200);
  });

  test('a blank line is no message and no fault', () => {
    for (const blank of ['', '  ', '\r\n', '\uFEFF']) expect(parse(blank)).toEqual({ message: null, warnings: [] });
    expect(parse(`\uFEFF ${JSON.stringify(result)} \t\r\n`).message).toMatchObject({ type: 'user' });
  });

  test('never throws', () => {
    for (const foreign of [undefined, null, 5, {}]) expect(parse(foreign as unknown as string).message).toBeNull();
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.json(),
          fc.json().map((json) => `{"type":"user","message":${json}}`),
        ),
        (line) => {
          const { message, warnings } = parse(line);
          expect(warnings.length).toBe(message === null && line.trim() !== '' ? 1 : 0);
          contentBlocks(message);
        },
      ),
      { numRuns: counts.hostileLines },
    );
  });
});

describe('[W-09] how long a call took', () => {
  const calling = (id: string, timestamp?: string): unknown => ({
    type: 'assistant',
    message: { role: 'assistant', content: [{ ...call, id }] },
    ...(timestamp && { timestamp }),
  });
  const answered = (ids: readonly string[], timestamp?: string): unknown => ({
    type: 'user',
    message: { role: 'user', content: ids.map((id) => ({ ...result, tool_use_id: id })) },
    ...(timestamp && { timestamp }),
  });
  const early = '2026-11-15T07:08:47.500Z';
  const late = '2026-11-15T07:08:48.750Z';

  test.each([
    ['the messages say', early, 10, late, 20, 1_250],
    ['the messages say, though nobody saw them come', early, undefined, late, undefined, 1_250],
    ['they came, when the call does not say', undefined, 10, late, 25, 15],
    ['they came, when the result does not say', early, 10, undefined, 25, 15],
    ['they came, when what they say is no time', 'noon', 10, late, 25, 15],
    ['they came, when the clock was set back', late, 10, early, 25, 15],
    ['at once', early, undefined, early, undefined, 0],
  ])('is measured from when %s', (_, callTime, callAt, resultTime, resultAt, durationMs) => {
    const timer = createCallTimer();
    expect(timer.add(calling('a', callTime), callAt)).toEqual([]);
    expect(timer.add(answered(['a'], resultTime), resultAt)).toStrictEqual([{ toolUseId: 'a', durationMs }]);
  });

  test.each([
    [undefined, undefined],
    [10, undefined],
    [undefined, 10],
    [Number.NaN, 10],
    [20, 10],
  ])('is not known when nobody says: %s, %s', (callAt, resultAt) => {
    const timer = createCallTimer();
    timer.add(calling('a'), callAt);
    expect(timer.add(answered(['a']), resultAt)).toStrictEqual([{ toolUseId: 'a' }]);
  });

  test('is told apart for calls side by side, and for several results at once', () => {
    const timer = createCallTimer();
    timer.add(calling('a'), 0);
    timer.add(calling('b'), 100);
    timer.add(calling('c'), 200);
    expect(timer.add(answered(['b']), 300)).toEqual([{ toolUseId: 'b', durationMs: 200 }]);
    expect(timer.add(answered(['c', 'a']), 400)).toEqual([
      { toolUseId: 'c', durationMs: 200 },
      { toolUseId: 'a', durationMs: 400 },
    ]);
  });

  test('counts from the first time that a call is printed, and ends with the first result', () => {
    const timer = createCallTimer();
    timer.add(calling('a'), 0);
    timer.add(calling('a'), 100);
    expect(timer.add(answered(['a', 'a', 'never']), 300)).toStrictEqual([
      { toolUseId: 'a', durationMs: 300 },
      { toolUseId: 'a' },
      { toolUseId: 'never' },
    ]);
  });

  test('reads the older shapes', () => {
    const timer = createCallTimer();
    timer.add({ type: 'assistant', message: call }, 0);
    expect(timer.add(result, 7)).toEqual([{ toolUseId: 't', durationMs: 7 }]);
  });

  test('forgets calls whose result came, and the oldest of very many', () => {
    const timer = createCallTimer();
    for (let index = 0; index < 25_000; index++) {
      timer.add(calling(`${index}`), index);
      timer.add(answered([`${index}`]), index);
    }
    expect(timer.open).toBe(0);
    for (let index = 0; index < 10_001; index++) timer.add(calling(`${index}`), index);
    expect(timer.open).toBe(10_000);
    expect(timer.add(answered(['0', '1']), 10_001)).toStrictEqual([
      { toolUseId: '0' },
      { toolUseId: '1', durationMs: 10_000 },
    ]);
  });

  test('every result of the recorded runs has one, from their own times', () => {
    for (const { messages } of captures) {
      const timer = createCallTimer();
      const seen = new Set<string | undefined>();
      for (const message of messages) {
        for (const { id } of toolUseBlocks(message)) seen.add(id);
        const results = toolResultBlocks(message);
        const told = timer.add(message);
        expect(told.map(({ toolUseId }) => toolUseId)).toEqual(results.map((block) => block.tool_use_id));
        if (!('timestamp' in message)) continue;
        for (const { toolUseId, durationMs } of told)
          if (seen.delete(toolUseId)) expect(durationMs).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test('anything else is heard and forgotten', () => {
    const timer = createCallTimer();
    for (const foreign of [
      undefined,
      null,
      'x',
      {},
      { type: 'assistant', message: { content: [{ type: 'tool_use' }] } },
    ])
      expect(timer.add(foreign, 5)).toEqual([]);
    expect(timer.open).toBe(0);
  });
});
