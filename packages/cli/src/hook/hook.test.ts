// The small parts of `tailrace hook`; the command itself is called in test/hook.test.ts.

import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { dataFolder, type Surroundings } from '../home.ts';
import { commandText } from './command-text.ts';
import { lineOf } from './payload.ts';
import { receive } from './receive.ts';

describe('the data directory', () => {
  test.each<[NodeJS.Platform, Surroundings['env'], string]>([
    ['linux', {}, '/home/me/.local/share/tailrace'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/tailrace'],
    ['linux', { XDG_DATA_HOME: 'data' }, '/home/me/.local/share/tailrace'],
    ['linux', { XDG_DATA_HOME: '' }, '/home/me/.local/share/tailrace'],
    ['linux', { TAILRACE_HOME: '/mine', XDG_DATA_HOME: '/data' }, '/mine'],
    ['freebsd', {}, '/home/me/.local/share/tailrace'],
    ['darwin', { XDG_DATA_HOME: '/data' }, '/home/me/Library/Application Support/tailrace'],
    ['darwin', { TAILRACE_HOME: '/mine' }, '/mine'],
  ])('on %s with %j', (platform, env, wanted) => {
    expect(dataFolder({ platform, env, home: '/home/me' })).toBe(wanted);
  });

  test.each<[Surroundings['env'], string]>([
    [{ LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local\\tailrace'],
    [{}, 'C:\\Users\\me\\AppData\\Local\\tailrace'],
    [{ TAILRACE_HOME: 'E:\\mine' }, 'E:\\mine'],
  ])('on Windows with %j', (env, wanted) => {
    expect(dataFolder({ platform: 'win32', env, home: 'C:\\Users\\me' })).toBe(wanted);
  });
});

describe('a line of the spool', () => {
  const line = (bytes: Buffer | string) =>
    lineOf({ bytes: Buffer.from(bytes), size: Buffer.from(bytes).length, isWhole: true }, 7);

  test('is JSON as it came, on one line', () => {
    const number = '{"a":1.10,"b":123456789012345678901234567890}';
    expect(line(number)?.toString()).toBe(`{"at":7,"payload":${number}}\n`);
    expect(line('\uFEFF{}')?.toString()).toBe('{"at":7,"payload":{}}\n');
    expect(line('{\r\n"a"\n:\n1}\n')?.toString()).toBe('{"at":7,"payload":{  "a" : 1} }\n');
    // Bytes that are no UTF-8 are nobody's to change.
    const odd = Buffer.from([0x22, 0xff, 0x22]);
    expect(line(odd)?.includes(odd)).toBe(true);
  });

  test('is the text when it is no JSON, and nothing when nothing came', () => {
    expect(line('{"a":\n')?.toString()).toBe('{"at":7,"text":"{\\"a\\":\\n"}\n');
    expect(line('')).toBeUndefined();
  });

  test('is the size and the beginning of what was cut', () => {
    const cut = lineOf({ bytes: Buffer.alloc(300, 'x'), size: 300, isWhole: false }, 7);
    expect(JSON.parse(String(cut))).toEqual({ at: 7, bytes: 300, text: 'x'.repeat(200) });
  });

  test('is whole when it can be read, though nobody closed the pipe', () => {
    const open = (text: string) => String(lineOf({ bytes: Buffer.from(text), size: text.length, isWhole: false }, 7));
    expect(open('{"a":1}')).toBe('{"at":7,"payload":{"a":1}}\n');
    expect(JSON.parse(open('{"a":1'))).toEqual({ at: 7, bytes: 6, text: '{"a":1' });
    expect(JSON.parse(open('12'))).toEqual({ at: 7, bytes: 2, text: '12' });
  });

  test('means what the payload means, however that is written', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), fc.constantFrom(undefined, 1, '\t', '\r\n'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        const kept = String(line(text));
        expect(kept.indexOf('\n')).toBe(kept.length - 1);
        expect(kept).not.toContain('\r');
        expect(JSON.parse(kept)).toEqual({ at: 7, payload: JSON.parse(text) });
      }),
      { numRuns: counts.runs },
    );
  });
});

describe('what is received', () => {
  test.each([
    [9, true],
    [10, true],
    [11, false],
  ])('is kept whole up to the limit: %i of 10 bytes', async (size, isKept) => {
    const pieces = [Buffer.alloc(size - 3, 'a'), Buffer.alloc(3, 'b')];
    const received = await receive(Readable.from(pieces), 10, 60_000);
    expect(received).toMatchObject({ size, isWhole: true });
    expect(received.bytes.length === size).toBe(isKept);
    expect(JSON.parse(String(lineOf(received, 7)))).toHaveProperty(isKept ? 'text' : 'bytes');
  });

  test('is what came until the time was over, and what was there by then', async () => {
    const endless = new Readable({ read() {} });
    endless.push('{"a"');
    expect(await receive(endless, 10, 0)).toMatchObject({ size: 4, isWhole: false });
    endless.destroy();
  });

  test('is read first, where it is there and the process was not let run for longer than its time', async () => {
    const source = Object.assign(new EventEmitter(), { pause: () => {} });
    const received = receive(source, 10, 100);
    setImmediate(() => {
      source.emit('data', Buffer.from('{}'));
      setImmediate(() => source.emit('end'));
    });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
    expect(await received).toMatchObject({ size: 2, isWhole: true });
  });

  test('is no more than a beginning of what never stops', async () => {
    const flood = new Readable({
      read() {
        setImmediate(() => this.push('x'.repeat(6)));
      },
    });
    const { bytes, isWhole } = await receive(flood, 10, 0);
    expect([bytes.length <= 10, isWhole]).toEqual([true, false]);
    flood.destroy();
  });
});

describe('a command for a shell', () => {
  test('is taken by it for the words that it was made of', () => {
    const word = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(word, fc.constantFrom("it's", '$(x)', '`x`', 'a\nb', '-n', '*', '~', '!')), { minLength: 1 }),
        (words) => {
          const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${commandText(words, 'linux')}`]);
          expect(stdout.toString()).toBe(words.map((one) => `${one}\0`).join(''));
        },
      ),
      { numRuns: counts.runs / 5 },
    );
  });

  test('is written with slashes and double quotes on Windows, and refused when that is not safe', () => {
    expect(commandText(['C:\\Program Files\\node.exe', 'C:\\t\\tailrace.js', 'hook'], 'win32')).toBe(
      '"C:/Program Files/node.exe" "C:/t/tailrace.js" hook',
    );
    for (const sign of ['"', '%', '$', '`', '!'])
      expect(() => commandText([`C:\\${sign}`], 'win32')).toThrow('cannot be hooked');
  });
});
