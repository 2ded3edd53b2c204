// What is not parsed is not missed: a file read the short way is the file read line by line.

import type { TranscriptUsage } from '@tailrace/core';
import { countedTranscripts } from '@tailrace/core';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { createLineReader } from './answer-lines.ts';
import { createCollector, type FileUsage } from './file-usage.ts';

const reader = countedTranscripts[0]?.usage as TranscriptUsage;

const line = (message: object, more: object = {}): string =>
  JSON.stringify({
    parentUuid: 'p',
    message,
    type: 'assistant',
    uuid: 'u',
    timestamp: '2026-11-15T10:00:00Z',
    ...more,
  });
const answer = (id: string, output: number, content: readonly object[] = [{ type: 'text', text: 'words' }]): string =>
  line({ id, model: 'm', content, stop_reason: null, usage: { input_tokens: 1, output_tokens: output } });

describe('a line is parsed', () => {
  const parsed = (...lines: string[]): number => {
    const parse = vi.spyOn(JSON, 'parse');
    readAll(lines);
    const { length } = parse.mock.calls;
    parse.mockRestore();
    return length;
  };

  test('once for an answer that several lines tell', () => {
    const blocks = ['one', 'two', 'three'].map((text) => answer('a', 5, [{ type: 'text', text }]));
    expect(parsed(...blocks)).toBe(1);
    expect(parsed(...blocks, '{"type":"user","message":"_tokens"}', answer('a', 5))).toBe(3);
  });

  test('again when anything but the block is different', () => {
    expect(parsed(answer('a', 5), answer('a', 6))).toBe(2);
    expect(parsed(answer('a', 5), answer('b', 5))).toBe(2);
  });

  test('again when it has no id of its own', () => {
    const message = { model: 'm', content: [], stop_reason: null, usage: { output_tokens: 2 } };
    const lines = ['u1', 'u2'].map((uuid) => line(message, { uuid }));
    expect(parsed(...lines)).toBe(2);
    expect(readAll(lines).ids).toEqual(['u1', 'u2']);
  });

  test('without what it says', () => {
    const parse = vi.spyOn(JSON, 'parse');
    readAll([answer('a', 5, [{ type: 'text', text: 'long'.repeat(1000) }])]);
    expect(parse.mock.calls.map(([text]) => text.length < 1000)).toEqual([true]);
    parse.mockRestore();
  });
});

test('names and folders that are not ASCII are whole', () => {
  const text = line({ id: 'ä', model: 'modèle-日本', content: [], stop_reason: null, usage: { output_tokens: 2 } });
  expect(readAll([text, text])).toMatchObject({ ids: ['ä'], models: ['modèle-日本'] });
});

const block = fc.constantFrom<object[]>(
  { type: 'text', text: 'words with _tokens, "usage":{"input_tokens":9} and ],"stop_reason":null},"' },
  {
    type: 'tool_use',
    id: 'a',
    input: { a: 1, content: [1, { usage: { output_tokens: 9 } }], stop_reason: 'x', b: {} },
  },
  { type: 'tool_use', id: 'b', input: { x: [{}], stop_reason: { usage: { output_tokens: 8 } }, y: 1 } },
  { type: 'text', text: 'größer 日本 \\" {[' },
);
const message = fc.record({
  id: fc.constantFrom('a', 'b', 'ä', undefined),
  output: fc.nat(3),
  content: fc.array(block, { maxLength: 2 }),
  order: fc.shuffledSubarray(['id', 'model', 'content', 'stop_reason', 'usage', 'more'], { minLength: 4 }),
  isUsual: fc.boolean(),
});
const anyLine = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(message, fc.nat(9)).map(([one, place]) => lineOf(one, place)) },
  { weight: 1, arbitrary: fc.constantFrom('', '{}', '_tokens', '{"type":"cost-state","modelUsage":{},"startTime":1}') },
);

test('any lines tell the same as when each is parsed whole', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 8 }), fc.nat(400), (lines, cut) => {
      const all = [...lines, (lines[0] ?? '').slice(0, cut)];
      expect(readAll(all)).toEqual(readWhole(all));
    }),
    { numRuns: counts.hostileLines },
  );
});

function lineOf(
  { id, output, content, order, isUsual }: typeof message extends fc.Arbitrary<infer T> ? T : never,
  place: number,
): string {
  const fields: Record<string, unknown> = {
    id,
    model: 'm',
    content,
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: output, cache_creation: { ephemeral_1h_input_tokens: 0 } },
    more: { stop: [1], stop_reason: 2 },
  };
  const names = isUsual ? ['id', 'model', 'content', 'stop_reason', 'usage'] : order;
  const message = Object.fromEntries(names.map((name) => [name, fields[name]]));
  const more = [
    {},
    { diagnostics: { a: { b: 1 } } },
    { isSidechain: true, agentId: 'x' },
    { type: 'progress' },
    { costUSD: 2 },
  ];
  return line(message, { uuid: `u${place}`, ...more[place] });
}

function readAll(lines: readonly string[]): FileUsage {
  const file = createFile();
  const collector = createCollector(file);
  const read = createLineReader(reader);
  const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(''));
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    const sighting = read(bytes, start, end);
    if (sighting?.kind === 'answer') collector.addAnswer(sighting);
    else if (sighting) collector.addTotal(sighting, 0);
    start = end + 1;
  }
  return file;
}

function readWhole(lines: readonly string[]): FileUsage {
  const file = createFile();
  const collector = createCollector(file);
  for (const one of lines) {
    const sighting = reader.read(parse(Buffer.from(one).toString('latin1')));
    if (sighting?.kind === 'answer') collector.addAnswer(sighting);
    else if (sighting) collector.addTotal(sighting, 0);
  }
  return file;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function createFile(): FileUsage {
  return {
    path: '',
    dev: 0,
    ino: 0,
    size: 0,
    mtimeMs: 0,
    offset: 0,
    head: '',
    tail: '',
    sessionId: null,
    cwd: null,
    models: [],
    subagents: [],
    ids: [],
    numbers: new Float64Array(),
    totals: [],
  };
}
