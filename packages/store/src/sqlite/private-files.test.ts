import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openConnection } from './open.ts';
import { createRecord } from './record.ts';

let root: string;
let folder: string;
let file: string;
let umask: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tailrace-modes-'));
  folder = join(root, 'deep', 'home');
  file = join(folder, 'tailrace.db');
  umask = process.umask(0o000);
});

afterEach(() => {
  process.umask(umask);
  rmSync(root, { recursive: true });
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test.each([0o000, 0o777])('[T-24] folder 0700, database, -wal and -shm 0600 with umask %o', async (mask) => {
  mkdirSync(join(root, 'deep'), { mode: 0o755 });
  process.umask(mask);
  const connection = await openConnection({ file });
  const record = createRecord(connection);
  await record.claim('run', { kind: 'run' });
  await record.append('run', 1, [{ at: 1, source: 'stdout', bytes: new Uint8Array(10) }]);
  expect([folder, file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(['700', '600', '600', '600']);
  connection.close();
});

test('[T-24] a link in the way is refused, also one that leads nowhere', async () => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const target = join(root, 'target');
  symlinkSync(target, file);
  await expect(openConnection({ file })).rejects.toMatchObject({ code: 'unsafe' });
  expect(existsSync(target)).toBe(false);
  writeFileSync(target, 'mine', { mode: 0o600 });
  await expect(openConnection({ file })).rejects.toMatchObject({ code: 'unsafe' });
  expect(readFileSync(target, 'utf8')).toBe('mine');
});

test.each(['-wal', '-shm'])('[T-24] a link in the place of the %s file is refused', async (suffix) => {
  (await openConnection({ file })).close();
  const target = join(root, 'target');
  writeFileSync(target, 'mine', { mode: 0o600 });
  symlinkSync(target, file + suffix);
  await expect(openConnection({ file })).rejects.toMatchObject({ code: 'unsafe' });
  expect(readFileSync(target, 'utf8')).toBe('mine');
});

test('[T-24] looser modes are refused with the command that closes them', async () => {
  (await openConnection({ file })).close();
  for (const mode of [0o640, 0o604, 0o620, 0o644]) {
    chmodSync(file, mode);
    await expect(openConnection({ file })).rejects.toMatchObject({
      code: 'unsafe',
      message: expect.stringContaining(`chmod 600 ${file}`),
    });
  }
  chmodSync(file, 0o600);
  for (const mode of [0o750, 0o701, 0o755]) {
    chmodSync(folder, mode);
    for (const readOnly of [true, false]) {
      await expect(openConnection({ file, readOnly })).rejects.toMatchObject({
        code: 'unsafe',
        message: expect.stringContaining(`chmod 700 ${folder}`),
      });
    }
  }
  chmodSync(folder, 0o700);
  (await openConnection({ file })).close();
});

test('[T-24] the command in the message is quoted where a shell would read more into it', async () => {
  const odd = join(root, "it's; rm -rf");
  mkdirSync(odd, { mode: 0o755 });
  await expect(openConnection({ file: join(odd, 'tailrace.db') })).rejects.toThrow(`'${root}/it'\\''s; rm -rf'`);
});

test.skipIf(process.geteuid?.() !== 0)('[T-24] what belongs to another user is refused', async () => {
  (await openConnection({ file })).close();
  chownSync(file, 1234, 1234);
  await expect(openConnection({ file })).rejects.toMatchObject({ code: 'unsafe' });
  chownSync(file, 0, 0);
  chownSync(folder, 1234, 1234);
  await expect(openConnection({ file })).rejects.toMatchObject({ code: 'unsafe' });
});

test("a folder of one's own may be a link", async () => {
  mkdirSync(join(root, 'disk'), { mode: 0o700 });
  symlinkSync(join(root, 'disk'), join(root, 'home'));
  (await openConnection({ file: join(root, 'home', 'tailrace.db') })).close();
  expect(modeOf(join(root, 'disk', 'tailrace.db'))).toBe('600');
});
