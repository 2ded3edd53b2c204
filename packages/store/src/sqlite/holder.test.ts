import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UNSEEN_WRITER_MS } from '../limits.ts';
import { isLiving, ourselves, type Processes, parseStartTime, systemProcesses } from './holder.ts';
import { openConnection } from './open.ts';
import { createRecord } from './record.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-holder-'));
  file = join(folder, 'tailrace.db');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('this process lives; one that has ended does not', async () => {
  expect(await isLiving(await ourselves(systemProcesses, 0), systemProcesses, 0)).toBe(true);
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const start = (await systemProcesses.startTimeOf(pid)) ?? 'unknown';
  const holder = { pid, start, place: systemProcesses.place, at: 0 };
  expect(await isLiving(holder, systemProcesses, 0)).toBe(true);
  // The same id, but another process.
  expect(await isLiving({ ...holder, start: 'before' }, systemProcesses, 0)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await isLiving(holder, systemProcesses, 0)).toBe(false);
});

test('what cannot be seen: gone with the boot, else heard of', async () => {
  const processes: Processes = { place: 'boot-1 pid:[1]', startTimeOf: async () => '7' };
  const holder = { pid: 5, start: '7', place: 'boot-1 pid:[2]', at: 1000 };
  expect(await isLiving({ ...holder, place: 'boot-0 pid:[1]' }, processes, 1000)).toBe(false);
  expect(await isLiving(holder, processes, 1000 + UNSEEN_WRITER_MS - 1)).toBe(true);
  expect(await isLiving(holder, processes, 1000 + UNSEEN_WRITER_MS)).toBe(false);
});

test.each([
  ['12 (cat) S 1 12 12 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 8 9', '4711'],
  ['12 (a) b) R 1 12 12 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 8 9', '4711'],
  ['12 (cat) Z 1 12 12 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 8 9', undefined],
  ['12 (cat) X 1 12 12 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 8 9', undefined],
  ['', undefined],
])('the start time in %j is %s', (stat, expected) => {
  expect(parseStartTime(stat)).toBe(expected);
});

test('the lease of a dead writer is taken over, that of a living one is not', async () => {
  const living = new Map([[7, 'then']]);
  const processes = (pid: number): Processes => ({
    place: '',
    // This process plays the writers: it asks for its own start first.
    startTimeOf: async (asked) => (asked === process.pid ? `of ${pid}` : living.get(asked)),
  });
  const connection = await openConnection({ file });
  const first = createRecord(connection, { processes: processes(1) });
  await first.claim('run', { kind: 'run' });
  await first.append('run', 1, [{ at: 1, source: 'stdout', bytes: new Uint8Array(1) }]);
  // As if process 7 had it.
  connection.raw.prepare("UPDATE streams SET lease_pid = 7, lease_start = 'then'").run();
  const second = createRecord(connection, { processes: processes(2) });
  await expect(second.claim('run', { kind: 'run' })).rejects.toMatchObject({ code: 'busy' });
  living.delete(7);
  expect((await second.claim('run', { kind: 'run' })).stream.nextSeq).toBe(2);
  // Whoever was taken for dead and is not is told with the next line.
  await expect(first.append('run', 2, [{ at: 1, source: 'stdout', bytes: new Uint8Array(1) }])).rejects.toMatchObject({
    code: 'refused',
  });
  await first.close();
  await second.append('run', 2, [{ at: 1, source: 'stdout', bytes: new Uint8Array(2) }]);
  expect((await second.stream('run'))?.nextSeq).toBe(3);
  connection.close();
});

test('of two who find the same dead writer, the second finds the first', async () => {
  const connection = await openConnection({ file });
  const quick = createRecord(connection);
  await (await quick.claim('run', { kind: 'run' })).release();
  connection.raw
    .prepare("UPDATE streams SET lease_token = 'old', lease_pid = 7, lease_start = 'then', lease_place = ''")
    .run();
  let isTaken = false;
  const slow = createRecord(connection, {
    processes: {
      place: '',
      async startTimeOf(pid) {
        if (pid === process.pid) return 'now';
        // While the slow one still looks at the dead writer, the other one takes its place.
        if (!isTaken) {
          isTaken = true;
          connection.raw.prepare("UPDATE streams SET lease_token = 'new', lease_pid = 8, lease_start = 'later'").run();
        }
        return pid === 8 ? 'later' : undefined;
      },
    },
  });
  await expect(slow.claim('run', { kind: 'run' })).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('8'),
  });
  connection.close();
});
