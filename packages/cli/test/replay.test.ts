import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, call, fixtures, start } from './command.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const captures = readdirSync(fixtures).filter((file) => /\.(ndjson|jsonl)$/.test(file));

/** Line by line, but without waiting: the speed leaves nothing of any wait. */
const PACED = ['--speed', '1e9'];
const AT_ONCE = ['--speed', '0'];

/** What came out, byte for byte: a string would hide what is no UTF-8. */
async function replay(args: readonly string[], options: CallOptions = {}): Promise<Buffer> {
  const out = join(folder, 'out');
  const { code, stderr } = await call(['replay', ...args], { ...options, out });
  expect([code, stderr]).toEqual([0, '']);
  return readFileSync(out);
}

function expectSame(printed: Buffer, recorded: Buffer): void {
  expect(printed.length).toBe(recorded.length);
  expect(printed.equals(recorded)).toBe(true);
}

describe('the bytes that come out are the bytes that went in', () => {
  test('of every capture, at once', async () => {
    expect(captures.length).toBeGreaterThan(100);
    for (const file of captures) expectSame(await replay([fixtures + file, ...AT_ONCE]), readFileSync(fixtures + file));
  });

  test('of all captures in one stream, line by line, cut anywhere', async () => {
    const all = Buffer.concat(captures.map((file) => readFileSync(fixtures + file)));
    const pieces = function* () {
      for (let at = 0, size = 1; at < all.length; at += size, size = (size * 7 + 13) % 50_021)
        yield all.subarray(at, at + size);
    };
    expectSame(await replay(PACED, { input: pieces() }), all);
  });

  const first = readFileSync(`${fixtures}basic-text.ndjson`);
  let seed = 99;
  const junk = Buffer.from(
    Array.from({ length: 300_000 }, () => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return seed >>> 24;
    }),
  );
  test.each<[string, Buffer]>([
    ['an empty file', Buffer.alloc(0)],
    ['a single byte', Buffer.from('{')],
    ['a last line without line feed', first.subarray(0, -1)],
    ['a line that is cut off', first.subarray(0, -100)],
    ['CRLF', Buffer.from(first.toString().replaceAll('\n', '\r\n'))],
    ['blank lines', Buffer.from(`\n\n${first}\n \r\n\n`)],
    ['lines that are no JSON', Buffer.concat([Buffer.from('Welcome!\n'), first, Buffer.from('bye\n')])],
    ['binary junk', junk],
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), first])],
    [
      'a line that is too long to be held, between others',
      Buffer.concat([first, Buffer.alloc(9_000_000, 'x'), Buffer.from('\n'), first]),
    ],
    ['a last line that is too long to be held', Buffer.concat([first, Buffer.alloc(5_000_000, 'x')])],
    ['more lines than are held', Buffer.from('\n{}\n'.repeat(15_000))],
    ['more bytes than are held, without a time', Buffer.from(`${'y'.repeat(99_999)}\n`.repeat(60))],
  ])('of %s', async (_name, bytes) => {
    const path = join(folder, 'in');
    writeFileSync(path, bytes);
    expectSame(await replay([path, ...AT_ONCE]), bytes);
    expectSame(await replay([path, ...PACED]), bytes);
    expectSame(await replay(['-', ...PACED], { input: [bytes] }), bytes);
  });

  test('of a compressed file, unpacked', async () => {
    const path = join(folder, 'in.gz');
    const bytes = readFileSync(`${fixtures}unicode.ndjson`);
    writeFileSync(path, gzipSync(bytes));
    expectSame(await replay([path, ...AT_ONCE]), bytes);
    expectSame(await replay([path, ...PACED]), bytes);
  });

  test('of a compressed file that ends in the middle, as far as it goes', async () => {
    const path = join(folder, 'cut.gz');
    const out = join(folder, 'out');
    const bytes = readFileSync(`${fixtures}large-result.ndjson`);
    const packed = gzipSync(bytes);
    writeFileSync(path, packed.subarray(0, packed.length / 2));
    for (const speed of [AT_ONCE, PACED]) {
      const { code, stderr } = await call(['replay', path, ...speed], { out });
      expect(code).toBe(1);
      expect(stderr).toMatch(/ends in the middle/);
      const printed = readFileSync(out);
      expect(printed.length).toBeGreaterThan(1000);
      expectSame(printed, bytes.subarray(0, printed.length));
    }
  });
});

test('what reads a replay sees what reads the file', async () => {
  const file = `${fixtures}subagents-two.ndjson`;
  const child = start(['replay', file, ...PACED]);
  const piped = await call(['summary', '--json'], { input: child.stdout ?? [] });
  expect(JSON.parse(piped.stdout)).toMatchObject({ agent: 'claude', outcome: 'success' });
  expect(piped.stdout).toBe((await call(['summary', '--json', file])).stdout);
});

describe('between the lines', () => {
  const timed = (hour: number): string =>
    JSON.stringify({
      type: 'user',
      session_id: 's',
      timestamp: `2026-01-01T0${hour}:00:00Z`,
      message: { role: 'user', content: 'go on' },
    });
  const lines = `${timed(1)}\n${timed(2)}\n`;
  const first = `${timed(1)}\n`;

  /** What it prints next; it may not end before that. */
  const next = (child: ChildProcess): Promise<string> =>
    new Promise((resolve, reject) => {
      child.stdout?.once('data', (bytes: Buffer) => resolve(bytes.toString()));
      child.once('close', (code) => reject(new Error(`it ended with ${code}`)));
    });

  test('it waits as long as the agent did, and an interrupt stops it with 130', async () => {
    const path = join(folder, 'hours.ndjson');
    writeFileSync(path, lines);
    const child = start(['replay', path, '--max-gap', '3600']);
    const printed: Buffer[] = [];
    child.stdout?.on('data', (bytes: Buffer) => printed.push(bytes));
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    await next(child);
    child.kill('SIGINT');
    expect(await closed).toBe(130);
    expect(Buffer.concat(printed).toString()).toBe(first);
  });

  test('it does not wait where no gap is allowed', async () => {
    expect((await call(['replay', '--max-gap', '0'], { input: [Buffer.from(lines)] })).stdout).toBe(lines);
  });

  test('a line comes out while the input still goes on', async () => {
    const child = start(['replay', '-', ...PACED]);
    child.stdin?.write(`${first}{"type":`);
    expect(await next(child)).toBe(first);
    child.stdin?.end('1');
    expect(await next(child)).toBe('{"type":1');
  });
});

describe('like every command', () => {
  test('a reader that has seen enough is no error', async () => {
    for (const speed of [AT_ONCE, PACED]) {
      const child = start(['replay', `${fixtures}large-result.ndjson`, ...speed]);
      const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
      child.stdout?.once('data', () => child.stdout?.destroy());
      expect(await closed).toBe(0);
    }
  });

  test('a full disk is told in a sentence', async () => {
    for (const speed of [AT_ONCE, PACED]) {
      const { code, stderr } = await call(['replay', `${fixtures}large-result.ndjson`, ...speed], { out: '/dev/full' });
      expect(code).toBe(1);
      expect(stderr).toMatch(/no space left/);
    }
  });

  test.each<[string[], number, RegExp]>([
    [['a', 'b'], 2, /one file at a time/],
    [['--speed', 'fast'], 2, /--speed takes a number, not "fast"/],
    [['--speed=-1'], 2, /--speed takes a number, not "-1"/],
    [['--speed', ''], 2, /--speed takes a number/],
    [['--max-gap', 'long'], 2, /--max-gap takes a number, not "long"/],
    [['--speed'], 2, /--speed wants a value behind it/],
    [['--nonsense'], 2, /nonsense/],
    [['no-such-file'], 1, /there is no file .*no-such-file/],
    [['.'], 1, /is a folder/],
  ])('%j is answered with a sentence', async (args, expected, message) => {
    const { code, stderr, stdout } = await call(['replay', ...args]);
    expect(code).toBe(expected);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
  });

  test('it has its page of help, and is in the list', async () => {
    expect((await call(['replay', '--help'])).stdout).toMatch(/^tailrace replay .*Example/s);
    expect((await call(['--help'])).stdout).toContain('tailrace replay');
  });
});
