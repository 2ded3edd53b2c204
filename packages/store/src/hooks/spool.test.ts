// Hooks that write while their lines are taken into a real store, and everything that can come in between.

import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { bytesOf, createScratch, fixtures, type Scratch } from '../../test/transcripts/scratch.ts';
import type { LineRecord } from '../contract.ts';
import { StoreError } from '../errors.ts';
import { type HookImportOptions, importHooks, UNKNOWN_HOOKS } from './spool.ts';

const LINES = counts.spoolLines;

let scratch: Scratch;
let folder = '';
let file = '';
let record: LineRecord;
beforeEach(async () => {
  scratch = createScratch();
  record = (await scratch.open()).record;
  folder = join(scratch.folder, 'data', 'spool');
  file = join(folder, 'hooks.ndjson');
});
afterEach(() => scratch.remove());

const idOf = (number: number): string => `0000000${number % 10}-0000-4000-8000-000000000000`;
const payloadOf = (session: number, number: number): string =>
  JSON.stringify({ session_id: idOf(session), hook_event_name: 'Notification', message: `number ${number}` });

/** Writes as `tailrace hook` does: opens, looks, writes once. */
async function hook(text: string, at = 7, into = folder): Promise<void> {
  mkdirSync(into, { recursive: true, mode: 0o700 });
  const handle = await open(join(into, 'hooks.ndjson'), 'a+', 0o600);
  const { size } = await handle.stat();
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
  const payload = `{"at":${at},"payload":${text.replaceAll('\n', ' ')}}\n`;
  const line = isJson(text) ? payload : `${JSON.stringify({ at, text })}\n`;
  await handle.write(size > 0 && buffer[0] !== 10 ? `\n${line}` : line);
  await handle.close();
}
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
const take = (options: Partial<HookImportOptions> = {}) => importHooks(record, { folder, ...options });
const textOf = async (stream: string): Promise<string> => (await bytesOf(record, stream)).toString();
const feedOf = (session: number): string => `hook:claude:${idOf(session)}`;

describe('the spool', () => {
  test('is nothing where there is none, and where nobody has written', async () => {
    expect(await take()).toMatchObject({ lines: 0, isBusy: false });
    expect(await record.streams()).toEqual([]);
  });

  test('gives each payload to the stream of its session, as it came and with its time', async () => {
    await hook(`{"session_id":"${idOf(1)}",\n "big": 123456789012345678901234567890}`, 11);
    await hook(payloadOf(2, 1), 12);
    await hook(payloadOf(1, 2), 13);
    expect(await take()).toMatchObject({ lines: 3, sessions: 2, unknown: 0 });
    expect(await textOf(feedOf(1))).toBe(
      `{"session_id":"${idOf(1)}",  "big": 123456789012345678901234567890}\n${payloadOf(1, 2)}\n`,
    );
    expect(await record.stream(feedOf(1))).toMatchObject({
      kind: 'hook',
      agent: 'claude',
      sessionId: idOf(1),
      firstAt: 11,
      lastAt: 13,
    });
    expect(await record.line(feedOf(1), 2)).toMatchObject({ at: 13, source: 'hook' });
    expect(await take()).toMatchObject({ lines: 0 });
    await hook(payloadOf(2, 3), 14);
    expect(await take()).toMatchObject({ lines: 1 });
    expect(await textOf(feedOf(2))).toBe(`${payloadOf(2, 1)}\n${payloadOf(2, 3)}\n`);
  });

  test('gives what real hooks were told', async () => {
    const names = readdirSync(`${fixtures}hooks`).filter((name) => name.endsWith('.hooks.ndjson'));
    expect(names.length).toBeGreaterThan(0);
    const lines = names.flatMap((name) => readFileSync(`${fixtures}hooks/${name}`, 'utf8').split('\n').filter(Boolean));
    for (const line of lines) await hook(line);
    expect(await take()).toMatchObject({ lines: lines.length, unknown: 0 });
    const streams = (await record.streams()).filter(({ name }) => name !== UNKNOWN_HOOKS);
    const kept = (await Promise.all(streams.map(({ name }) => textOf(name)))).join('');
    expect(kept.split('\n').sort().join('\n').trim()).toBe(lines.sort().join('\n'));
  });

  test('keeps what is no payload in a stream of its own', async () => {
    await hook('no JSON at all', 21);
    await hook('{"cut', 22);
    await hook('{"session_id":"../../etc/passwd"}', 23);
    await hook('[1,2]', 24);
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"at":25,"payload":{"ses`);
    // The next hook ends the line of one that could not.
    await hook(payloadOf(1, 1), 26);
    const whole = readFileSync(file, 'utf8').split('\n').slice(0, 5);
    expect(await take()).toMatchObject({ lines: 6, unknown: 5, sessions: 1 });
    expect(await textOf(UNKNOWN_HOOKS)).toBe(`${whole.join('\n')}\n`);
    expect((await record.line(UNKNOWN_HOOKS, 3))?.at).toBe(23);
  });

  test('leaves half a line until it is whole', async () => {
    await hook(payloadOf(1, 1));
    const line = `{"at":9,"payload":${payloadOf(1, 2)}}\n`;
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before + line.slice(0, 30));
    expect(await take()).toMatchObject({ lines: 1, waitingBytes: 30 });
    writeFileSync(file, before + line);
    expect(await take()).toMatchObject({ lines: 1, waitingBytes: 0 });
    expect(await textOf(feedOf(1))).toBe(`${payloadOf(1, 1)}\n${payloadOf(1, 2)}\n`);
  });

  test('is left to the one who is at it, and forgotten sessions are left out', async () => {
    await hook(payloadOf(1, 1));
    await hook(payloadOf(2, 1));
    const other = await scratch.open();
    const lease = await other.record.claim(UNKNOWN_HOOKS, { kind: 'hook' });
    expect(await take()).toMatchObject({ lines: 0, isBusy: true });
    await lease.release();
    expect(await take({ isForgotten: async (id) => id === idOf(1) })).toMatchObject({ lines: 1, forgotten: 1 });
    expect(await record.stream(feedOf(1))).toBeUndefined();
  });

  test('[T-24] is not read where others can write it, or through a link', async () => {
    await hook(payloadOf(1, 1));
    chmodSync(file, 0o666);
    await expect(take()).rejects.toMatchObject({ code: 'unsafe' });
    chmodSync(file, 0o600);
    chmodSync(folder, 0o777);
    await expect(take()).rejects.toMatchObject({ code: 'unsafe' });
    chmodSync(folder, 0o700);
    symlinkSync(file, join(folder, 'hooks-link.ndjson'));
    await expect(take()).rejects.toMatchObject({ code: 'refused' });
    expect(await record.streams()).toEqual([]);
  });
});

describe('a file of the spool', () => {
  /** Put aside when it was read, taken away as soon as it may be. */
  const quick = { rotateBytes: 1, graceMs: -1e9 };

  test('is put aside when it was read, and taken away when nobody has it open', async () => {
    await hook(payloadOf(1, 1));
    const late = openSync(file, 'a');
    expect(await take(quick)).toMatchObject({ lines: 1, removedFiles: 0 });
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^hooks-.+\.ndjson$/)]);
    await hook(payloadOf(1, 2));
    expect(await take(quick)).toMatchObject({ lines: 1, removedFiles: 0 });
    // This hook was called before the others, and gets to write only now.
    writeSync(late, `{"at":5,"payload":${payloadOf(1, 3)}}\n`);
    expect(await take(quick)).toMatchObject({ lines: 1, removedFiles: 1 });
    writeSync(late, `{"at":5,"payload":${payloadOf(1, 4)}}\n`);
    closeSync(late);
    expect(await take(quick)).toMatchObject({ lines: 1, removedFiles: 1 });
    expect(readdirSync(folder)).toEqual([]);
    expect(await textOf(feedOf(1))).toBe([1, 2, 3, 4].map((number) => `${payloadOf(1, number)}\n`).join(''));
  });

  test('stays while it is young, or has a line that is not whole', async () => {
    await hook(payloadOf(1, 1));
    expect(await take()).toMatchObject({ lines: 1 });
    expect(readdirSync(folder)).toEqual(['hooks.ndjson']);
    let now = Date.now() + 2 * 60 * 60 * 1000;
    expect(await take({ clock: () => now })).toMatchObject({ lines: 0, removedFiles: 0 });
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^hooks-/)]);
    expect(await take()).toMatchObject({ removedFiles: 0 });
    const [name = ''] = readdirSync(folder);
    writeFileSync(join(folder, name), `${readFileSync(join(folder, name))}{"at":`);
    now += 1e9;
    expect(await take({ clock: () => now })).toMatchObject({ removedFiles: 0, waitingBytes: 6 });
  });

  test.each([
    ['nothing was written since', []],
    ['a new one was begun since', [payloadOf(1, 2), payloadOf(2, 3)]],
  ])('is known by its new name when another puts it aside before the spool is claimed, and %s', async (_, later) => {
    const keep = { rotateBytes: 1, graceMs: 1e12 };
    const other = (await scratch.open()).record;
    await hook(payloadOf(1, 1));
    /** The other has its turn when this one has looked into the folder and is about to claim the spool. */
    const second: LineRecord = {
      ...record,
      async claim(name, facts) {
        if (name === UNKNOWN_HOOKS) {
          expect(await importHooks(other, { folder, ...keep })).toMatchObject({ lines: 1, isBusy: false });
          expect(readdirSync(folder)).toEqual([expect.stringMatching(/^hooks-/)]);
          for (const text of later) await hook(text);
        }
        return record.claim(name, facts);
      },
    };
    expect(await importHooks(second, { folder, ...keep })).toMatchObject({ lines: later.length, isBusy: false });
    const kept = [1, 2].map(async (session) => ((await record.stream(feedOf(session))) ? textOf(feedOf(session)) : ''));
    expect((await Promise.all(kept)).join('')).toBe([payloadOf(1, 1), ...later].map((line) => `${line}\n`).join(''));
    // Neither has taken the place of the other.
    const left = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(left.join('').split('\n').filter(Boolean)).toHaveLength(1 + later.length);
  });

  test('loses nothing while many write and it is put aside again and again', async () => {
    let isOver = false;
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      for (let number = writer; number < LINES; number += 20) await hook(payloadOf(number, number), number);
    });
    const written = Promise.all(writers).finally(() => {
      isOver = true;
    });
    let lines = 0;
    for (let round = 0; !isOver; round++)
      lines += (await take(round % 3 === 0 ? { rotateBytes: 1, graceMs: 1e12 } : { graceMs: 1e12 })).lines;
    await written;
    for (const _ of [1, 2]) lines += (await take(quick)).lines;
    expect(lines).toBe(LINES);
    const kept: string[] = [];
    for (let session = 0; session < 10; session++) kept.push(...(await textOf(feedOf(session))).trimEnd().split('\n'));
    expect(kept.sort()).toEqual(Array.from({ length: LINES }, (_, number) => payloadOf(number, number)).sort());
    expect(readdirSync(folder)).toEqual([]);
  });

  test('gives each line once, though the taking breaks off anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ call: fc.nat(8), isDone: fc.boolean(), lines: fc.nat(5) }), {
          minLength: 1,
          maxLength: 8,
        }),
        async (breaks) => {
          const own = createScratch();
          const place = join(own.folder, 'data', 'spool');
          let store = await own.open();
          let number = 0;
          try {
            for (const { call, isDone, lines } of breaks) {
              for (let count = 0; count < lines; count++, number++) {
                const text = number % 4 === 3 ? `odd ${number}` : payloadOf(number % 3, number);
                await hook(text, number, place);
              }
              await importHooks(breakingAt(store.record, call, isDone), {
                folder: place,
                rotateBytes: 300,
                graceMs: -1e9,
              }).catch(() => {});
              await store.close();
              store = await own.open();
            }
            await importHooks(store.record, { folder: place });
            const kept: string[] = [];
            for (const { name } of await store.record.streams())
              kept.push(...(await bytesOf(store.record, name)).toString().split('\n').filter(Boolean));
            const numbers = kept.map((line) => Number(/(?:number|odd) (\d+)/.exec(line)?.[1]));
            expect(numbers.sort((one, other) => one - other)).toEqual(
              Array.from({ length: number }, (_, index) => index),
            );
          } finally {
            await own.remove();
          }
        },
      ),
      { numRuns: counts.brokenImports },
    );
  });
});

/** A record whose Nth writing call fails, before or after it is done. */
function breakingAt(whole: LineRecord, call: number, isDone: boolean): LineRecord {
  let calls = 0;
  const failing = async <T>(run: () => Promise<T>): Promise<T> => {
    if (calls++ < call) return run();
    if (isDone && calls === call + 1) await run();
    throw new StoreError('io', 'broken');
  };
  return {
    ...whole,
    claim: (...words) => failing(() => whole.claim(...words)),
    append: (...words) => failing(() => whole.append(...words)),
  };
}
