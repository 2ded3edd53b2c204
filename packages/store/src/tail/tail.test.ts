// Real files that grow, shrink, vanish and are replaced, under a tail that is read and restarted at any moment.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { openFile } from './open-file.ts';
import { createTail, type Tail, type TailOptions } from './tail.ts';

let folder = '';
let path = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-tail-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
beforeEach(() => {
  path = join(folder, `${files++}.jsonl`);
});

interface Got {
  readonly generation: number;
  readonly bytes: Buffer;
}

/** Reads to the end; gives what came by generation. */
async function readAll(tail: Tail): Promise<{ got: Got[]; cursor: string | undefined; waiting: number }> {
  const got: Got[] = [];
  for (;;) {
    const piece = await tail.read();
    for (const line of piece?.lines ?? []) got.push({ generation: piece?.generation ?? 0, bytes: Buffer.from(line) });
    if (!piece?.isMore) return { got, cursor: piece?.cursor, waiting: piece?.waiting ?? 0 };
  }
}
const texts = (got: readonly Got[]): string[] => got.map(({ generation, bytes }) => `${generation} ${bytes}`);

/** What a tail has to hand out, worked out from whole contents: what it gave before either still stands there, or is another file's. */
function createOracle(): (content: Buffer | undefined) => string[] {
  let generation = 1;
  let given = Buffer.alloc(0);
  return (content) => {
    if (!content) return [];
    const whole = content.subarray(0, content.lastIndexOf(10) + 1);
    const goesOn = content.subarray(0, given.length).equals(given);
    if (!goesOn && whole.length === 0) return [];
    if (!goesOn) generation++;
    const fresh = whole.subarray(goesOn ? given.length : 0);
    given = Buffer.from(goesOn && whole.length < given.length ? given : whole);
    return texts(splitLines(fresh).map((bytes) => ({ generation, bytes })));
  };
}

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start) + 1 || bytes.length;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

/** A change of the file; places are parts of what is there. */
type Change =
  | {
      readonly kind: 'write' | 'rewrite' | 'replace' | 'copy';
      readonly lines: readonly number[];
      readonly cut: number;
    }
  | { readonly kind: 'truncate' | 'drop-line'; readonly where: number }
  | { readonly kind: 'delete' };

const part = fc.double({ min: 0, max: 1, noNaN: true });
const lines = (most: number) => fc.array(fc.nat(60), { maxLength: most, size: 'max' });
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('write'), lines: lines(4), cut: part }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('rewrite', 'replace'), lines: lines(20), cut: part }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('copy'), lines: lines(4), cut: part }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('truncate', 'drop-line'), where: part }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'delete' as const }) },
);
const schedule = fc.array(fc.record({ changes: fc.array(change, { maxLength: 3 }), isRestart: fc.boolean() }), {
  minLength: 1,
  maxLength: 20,
  size: 'max',
});

let lineNumber = 0;
/** Lines that no other file has, among them odd ones: with a carriage return, NULs, bytes that are no text, and empty ones. */
function makeLines(sizes: readonly number[]): Buffer {
  return Buffer.concat(
    sizes.map((size) => {
      const body = Buffer.alloc(size, 'abcdefghij');
      const odd = [Buffer.from('\r\n'), Buffer.from('\0\0\0\n'), Buffer.from([0xff, 0xfe, 10]), Buffer.from('\n\n')][
        size % 5
      ];
      return Buffer.concat([
        Buffer.from(`${(lineNumber++).toString().padStart(12, '0')}:`),
        body,
        odd ?? Buffer.from('\n'),
      ]);
    }),
  );
}

/** Changes the file. A write may end anywhere within its lines. */
function take(one: Change): void {
  const content = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  switch (one.kind) {
    case 'write':
    case 'rewrite':
    case 'replace':
    case 'copy': {
      const all = makeLines(one.lines);
      const bytes = all.subarray(0, one.cut > 0.5 ? all.length : Math.ceil(all.length * one.cut * 2));
      if (one.kind === 'write') return appendFileSync(path, bytes);
      if (one.kind === 'rewrite') return writeFileSync(path, bytes);
      const beside = `${path}.new`;
      writeFileSync(beside, one.kind === 'copy' ? Buffer.concat([content, bytes]) : bytes);
      return renameSync(beside, path);
    }
    case 'truncate':
      return existsSync(path) ? truncateSync(path, Math.floor(content.length * one.where)) : undefined;
    case 'drop-line': {
      const lines = splitLines(content);
      lines.splice(Math.floor(lines.length * one.where), 1);
      return existsSync(path) ? writeFileSync(path, Buffer.concat(lines)) : undefined;
    }
    case 'delete':
      return rmSync(path, { force: true });
  }
}

describe('[tail] a file that others write', () => {
  test('gives each whole line of each generation once and in order, whatever happens to it', async () => {
    await fc.assert(
      fc.asyncProperty(
        schedule,
        fc.constantFrom(7, 64, 100_000),
        fc.constantFrom(24, 1024),
        async (steps, pieceBytes, windowBytes) => {
          rmSync(path, { force: true });
          const options: TailOptions = { path, pieceBytes, windowBytes };
          const expected = createOracle();
          let tail = createTail(options);
          let cursor: string | undefined;
          for (const { changes, isRestart } of steps) {
            for (const one of changes) take(one);
            if (isRestart) tail = createTail({ ...options, cursor });
            const wanted = expected(existsSync(path) ? readFileSync(path) : undefined);
            const { got, cursor: reached } = await readAll(tail);
            expect(texts(got)).toEqual(wanted);
            cursor = reached ?? cursor;
          }
        },
      ),
      { numRuns: counts.tailSchedules },
    );
  });

  test('gives every line of a writer that cuts them anywhere while it is read', async () => {
    const lines = makeLines(Array.from({ length: 2000 }, (_, index) => index % 61));
    const source = `${path}.source`;
    writeFileSync(source, lines);
    const writer = spawn(process.execPath, [
      '-e',
      `const fs = require('node:fs'); const all = fs.readFileSync(process.argv[1]); let size = 1;
       for (let at = 0; at < all.length; at += size) { size = 1 + (size * 7919) % 331; fs.appendFileSync(process.argv[2], all.subarray(at, at + size)); }`,
      source,
      path,
    ]);
    const ended = once(writer, 'exit');
    const got: Got[] = [];
    let tail = createTail({ path, pieceBytes: 512 });
    for (let round = 0; ; round++) {
      const isOver = writer.exitCode !== null;
      const { got: more, cursor } = await readAll(tail);
      got.push(...more);
      if (isOver) break;
      if (round % 3 === 0 && cursor !== undefined) tail = createTail({ path, pieceBytes: 512, cursor });
    }
    await ended;
    expect(Buffer.concat(got.map(({ bytes }) => bytes)).equals(lines)).toBe(true);
    expect(new Set(got.map(({ generation }) => generation))).toEqual(new Set([1]));
  });

  test('never gives a mixture of two contents, though it is changed in the middle of a reading', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ next: change, after: fc.nat(6) }), { minLength: 1, maxLength: 30, size: 'max' }),
        fc.constantFrom(7, 64, 100_000),
        async (changes, pieceBytes) => {
          rmSync(path, { force: true });
          const contents: Buffer[] = [];
          const rest = [...changes];
          let wait = 0;
          const options = { path, pieceBytes, windowBytes: 24, open: openWith(disturb) };
          const tail = createTail(options);
          const given = new Map<number, Buffer[]>();
          while (rest.length > 0) {
            wait = 0;
            disturb();
            await read();
          }
          await read();
          const last = existsSync(path) ? readFileSync(path) : undefined;
          const joined = [...given.values()].map((lines) => Buffer.concat(lines));
          for (const bytes of joined)
            expect(contents.some((content) => content.subarray(0, bytes.length).equals(bytes))).toBe(true);
          const whole = last?.subarray(0, last.lastIndexOf(10) + 1);
          if (whole?.length) expect(joined.at(-1)?.subarray(0, whole.length).equals(whole)).toBe(true);

          async function read(): Promise<void> {
            for (const { generation, bytes } of (await readAll(tail)).got)
              given.set(generation, [...(given.get(generation) ?? []), bytes]);
          }
          function disturb(): void {
            if (wait-- > 0) return;
            const next = rest.shift();
            if (!next) return;
            wait = next.after;
            take(next.next);
            if (!existsSync(path)) return;
            contents.push(readFileSync(path));
            // The clock of a file system may be slower than this test.
            utimesSync(path, 1, ++changesMade);
          }
        },
      ),
      { numRuns: counts.disturbedReadings, examples: [[SAME_BEFORE, 64]] },
    );
  });
});

/** The file that takes the place of another in the middle of a reading has the same bytes right before the place, and another beginning. */
const SAME_BEFORE: { readonly next: Change; readonly after: number }[] = [
  { next: { kind: 'write', lines: [4, 25, 1], cut: 0.4671052631578948 }, after: 0 },
  { next: { kind: 'write', lines: [0], cut: 5e-324 }, after: 2 },
  { next: { kind: 'drop-line', where: 0 }, after: 2 },
  { next: { kind: 'write', lines: [], cut: 0 }, after: 2 },
  { next: { kind: 'rewrite', lines: [25, 0], cut: 0.49090909090909096 }, after: 0 },
  { next: { kind: 'replace', lines: [], cut: 0 }, after: 0 },
];

let changesMade = 0;
/** Opens files whose every reading may be preceded by a change. */
function openWith(disturb: () => void): (path: string) => Promise<FileHandle> {
  return async (name) => {
    const handle = await openFile(name);
    const read = handle.read.bind(handle);
    handle.read = ((...words: Parameters<typeof read>) => {
      disturb();
      return read(...words);
    }) as typeof handle.read;
    return handle;
  };
}

describe('a tail', () => {
  test('leaves half a line until it is whole, and tells how much waits', async () => {
    const tail = createTail({ path });
    expect(await tail.read()).toBeUndefined();
    writeFileSync(path, 'one\ntw');
    expect(await readAll(tail)).toMatchObject({ got: [{ generation: 1, bytes: Buffer.from('one\n') }], waiting: 2 });
    appendFileSync(path, 'o\n');
    expect(texts((await readAll(tail)).got)).toEqual(['1 two\n']);
  });

  test('hands out the same reading to all who ask at the same time', async () => {
    writeFileSync(path, 'one\n');
    const tail = createTail({ path });
    const [first, second] = await Promise.all([tail.read(), tail.read()]);
    expect(first).toBe(second);
    expect((await tail.read())?.lines).toEqual([]);
  });

  test.each([
    [9, ['123456789\n']],
    [10, ['1234567891\n']],
    [11, ['1234567891', '2\n']],
    [25, ['1234567891', '2345678912', '34567\n']],
  ])('keeps a line of %i bytes where 10 is the limit, if need be in parts', async (size, wanted) => {
    const line = '123456789'.repeat(3).slice(0, size);
    writeFileSync(path, `${line}\nnext\n`);
    const { got } = await readAll(createTail({ path, maxLineBytes: 10, pieceBytes: 4 }));
    expect(got.map(({ bytes }) => bytes.toString())).toEqual([...wanted, 'next\n']);
  });

  test('reads a long line that grows slowly about once', async () => {
    let bytesRead = 0;
    const tail = createTail({
      path,
      pieceBytes: 4096,
      open: async (name) => {
        const handle = await openFile(name);
        const read = handle.read.bind(handle);
        handle.read = (async (...words: Parameters<typeof read>) => {
          const result = await read(...words);
          bytesRead += result.bytesRead;
          return result;
        }) as typeof handle.read;
        return handle;
      },
    });
    const size = 200;
    for (let index = 0; index < size; index++) {
      appendFileSync(path, Buffer.alloc(4096, 'x'));
      expect((await tail.read())?.lines).toEqual([]);
    }
    appendFileSync(path, '\n');
    expect((await tail.read())?.lines[0]?.length).toBe(size * 4096 + 1);
    expect(bytesRead).toBeLessThan(3 * size * 4096);
  });

  test('knows a copy in the place of the file, and goes on in it', async () => {
    writeFileSync(path, 'one\ntwo\n');
    const { cursor } = await readAll(createTail({ path }));
    copyFileSync(path, `${path}.copy`);
    appendFileSync(`${path}.copy`, 'three\n');
    renameSync(`${path}.copy`, path);
    expect(texts((await readAll(createTail({ path, cursor }))).got)).toEqual(['1 three\n']);
  });

  test.each<[string, (old: readonly string[]) => { lines: readonly string[]; isReplaced?: boolean; isOld?: boolean }]>([
    ['at the beginning of a file that grew', ([, ...rest]) => ({ lines: ['x'.repeat(2000), ...rest, 'new'] })],
    ['at the end of a file that grew', (old) => ({ lines: [...old.slice(0, -1), 'y'.repeat(2000), 'new'] })],
    [
      'by a line less in a file that grew',
      ([first = '', , ...rest]) => ({ lines: [first, ...rest, 'z'.repeat(3000)] }),
    ],
    [
      'in the middle of a file that did not grow',
      ([first = '', , last = '']) => ({ lines: [first, 'two', last], isOld: true }),
    ],
    [
      'in the middle of a copy that grew',
      ([first = '', , last = '']) => ({ lines: [first, 'two', last, 'new'], isReplaced: true }),
    ],
    ['by a cut', ([first = '']) => ({ lines: [first] })],
  ])('notices a change %s', async (_, change) => {
    const old = ['a'.repeat(2000), 'one', 'b'.repeat(2000)];
    const write = (name: string, lines: readonly string[]): void => writeFileSync(name, `${lines.join('\n')}\n`);
    write(path, old);
    const { cursor } = await readAll(createTail({ path }));
    const { lines, isReplaced, isOld } = change(old);
    const written = isReplaced ? `${path}.new` : path;
    write(written, lines);
    if (isReplaced) renameSync(written, path);
    // The clock of a file system may be slower than this test.
    if (isOld) utimesSync(path, 1, 1);
    const { got } = await readAll(createTail({ path, cursor }));
    expect(texts(got)).toEqual(lines.map((line) => `2 ${line}\n`));
  });

  test('takes a broken cursor for none', async () => {
    writeFileSync(path, 'one\n');
    for (const cursor of ['', '{', 'null', '[]', '{"offset":-1}', '{"generation":1,"offset":1e99}'])
      expect(texts((await readAll(createTail({ path, cursor }))).got)).toEqual(['1 one\n']);
  });

  test('opens no link and nothing but files', async () => {
    symlinkSync('/etc/hostname', path);
    await expect(createTail({ path }).read()).rejects.toMatchObject({ code: 'refused' });
    await expect(createTail({ path: folder }).read()).rejects.toMatchObject({ code: 'refused' });
  });
});
