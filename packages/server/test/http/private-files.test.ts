// Files of the server that are for their owner alone (T-24).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAudit } from '../../src/control/audit.ts';
import { openToAppend } from '../../src/guard/private-file.ts';
import { openProgramFile } from '../../src/guard/program-file.ts';
import { createPrograms } from '../../src/guard/programs.ts';
import { keep, openPlace, recordedLines } from './place.ts';

let folder: string;
let umask: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-files-'));
  chmodSync(folder, 0o700);
  umask = process.umask(0o000);
});
afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true });
});

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);
const entry = { action: 'answer', caller: 'person-1', runId: 'r', requestId: 'q', result: 'done' } as const;
const linesOf = (file: string): readonly Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe.each([
  [
    'the audit log',
    (file: string) => {
      const audit = createAudit({ file });
      audit.write(entry);
      return audit.close();
    },
  ],
  [
    'the file of programs',
    async (file: string) => {
      createPrograms(openProgramFile(file)).add('ci', ['read']);
    },
  ],
] as const)('[T-24] %s', (_, use) => {
  test.each([0o000, 0o777, 0o022])('is for its owner alone with umask %o', async (mask) => {
    const file = join(folder, 'file');
    process.umask(mask);
    await use(file);
    await use(file);
    expect(modeOf(file)).toBe('600');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('is not written through a link that lies in the way', async () => {
    const [file, target] = [join(folder, 'file'), join(folder, 'target')];
    writeFileSync(target, '[]', { mode: 0o600 });
    symlinkSync(target, file);
    await expect((async () => use(file))()).rejects.toThrow('is a link: refused');
    expect([readFileSync(target, 'utf8'), lstatSync(file).isSymbolicLink()]).toEqual(['[]', true]);
  });

  test('is not made through a link that leads nowhere', async () => {
    const [file, target] = [join(folder, 'file'), join(folder, 'target')];
    symlinkSync(target, file);
    await expect((async () => use(file))()).rejects.toThrow('is a link: refused');
    expect(existsSync(target)).toBe(false);
  });

  test('is refused with another name, and when it is no file', async () => {
    const file = join(folder, 'file');
    writeFileSync(join(folder, 'other'), '[]', { mode: 0o600 });
    linkSync(join(folder, 'other'), file);
    await expect((async () => use(file))()).rejects.toThrow('another name');
    mkdirSync(join(folder, 'folder'));
    await expect((async () => use(join(folder, 'folder')))()).rejects.toThrow();
  });

  test.each([0o644, 0o620, 0o602, 0o666])('is refused with mode %o, with the command that helps', async (mode) => {
    const file = join(folder, 'file');
    writeFileSync(file, '[]');
    chmodSync(file, mode);
    await expect((async () => use(file))()).rejects.toThrow(`chmod 600 ${file}`);
    expect(readFileSync(file, 'utf8')).toBe('[]');
  });

  test('is refused in a folder that others may write to', async () => {
    chmodSync(folder, 0o777);
    await expect((async () => use(join(folder, 'file')))()).rejects.toThrow(`chmod 700 ${folder}`);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('[T-24] a link that is put in the way between a look and the making is not followed', async () => {
  const [file, target] = [join(folder, 'file'), join(folder, 'target')];
  // Another program that puts it there and takes it away, as fast as it can.
  const flip = `const fs = require('node:fs'); process.stdout.write('ready');
    for (;;) { try { fs.symlinkSync(${JSON.stringify(target)}, ${JSON.stringify(file)}); } catch {}
      try { if (fs.lstatSync(${JSON.stringify(file)}).isSymbolicLink()) fs.unlinkSync(${JSON.stringify(file)}); } catch {} }`;
  const child = spawn(process.execPath, ['-e', flip], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(child.stdout, 'data');
    let made = 0;
    for (let tries = 0; tries < 20_000; tries++) {
      try {
        closeSync(openToAppend(file).descriptor);
        made++;
        rmSync(file, { force: true });
      } catch {
        // The link was there, at one time or the other.
      }
    }
    expect([existsSync(target), made > 0]).toEqual([false, true]);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});

describe('the audit log', () => {
  test('has one object a line, and goes on where it was', async () => {
    const file = join(folder, 'audit.log');
    for (const at of [1, 2]) {
      const audit = createAudit({ file, clock: () => at });
      audit.write({ ...entry, detail: 'with\na line feed' });
      await audit.close();
    }
    expect(linesOf(file)).toEqual([1, 2].map((at) => ({ at, ...entry, detail: 'with\na line feed' })));
  });

  test('has two files of bounded size, however much is written', async () => {
    const file = join(folder, 'audit.log');
    const maxBytes = 2_000;
    const audit = createAudit({ file, maxBytes, clock: () => 1 });
    for (let count = 0; count < 500; count++) audit.write({ ...entry, detail: `${count} ${'x'.repeat(10_000)}` });
    await audit.close();
    expect(readdirSync(folder).sort()).toEqual(['audit.log', 'audit.log.1']);
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(maxBytes);
      expect(modeOf(join(folder, name))).toBe('600');
    }
    const kept = [...linesOf(`${file}.1`), ...linesOf(file)].map(({ detail }) => Number.parseInt(String(detail), 10));
    expect(kept.at(-1)).toBe(499);
    expect(kept).toEqual(kept.map((_, index) => 500 - kept.length + index));
  });

  test('an older part that is a link is replaced, and not written to', async () => {
    const [file, target] = [join(folder, 'audit.log'), join(folder, 'target')];
    writeFileSync(target, 'mine', { mode: 0o600 });
    symlinkSync(target, `${file}.1`);
    const audit = createAudit({ file, maxBytes: 200 });
    for (let count = 0; count < 10; count++) audit.write(entry);
    await audit.close();
    expect([readFileSync(target, 'utf8'), lstatSync(`${file}.1`).isSymbolicLink()]).toEqual(['mine', false]);
  });

  test('never throws when it cannot be written, and tells what is missing as soon as it can', async () => {
    const file = join(folder, 'audit.log');
    const audit = createAudit({ file, maxBytes: 150 });
    audit.write(entry);
    // The next one has to go to a new file, and there is no room for it.
    mkdirSync(`${file}.1`);
    for (let count = 0; count < 3; count++) expect(() => audit.write(entry)).not.toThrow();
    rmSync(`${file}.1`, { recursive: true });
    audit.write(entry);
    expect(linesOf(file)).toMatchObject([{ ...entry, lost: 3 }]);
    await audit.close();
    expect(() => audit.write(entry)).not.toThrow();
    expect(linesOf(file)).toHaveLength(1);
    await audit.close();
  });
});

describe('the file of programs', () => {
  test('[T-07] keeps who may come in as a hash, and what they may', () => {
    const file = join(folder, 'programs.json');
    const programs = createPrograms(openProgramFile(file));
    const { token, program } = programs.add('ci', ['read', 'run']);
    expect(readFileSync(file, 'utf8')).not.toContain(token.slice(9));
    const again = createPrograms(openProgramFile(file));
    expect(again.find(token)).toEqual({ kind: 'program', id: program.id, rights: new Set(['read', 'run']) });
    again.remove(program.id);
    expect(createPrograms(openProgramFile(file)).find(token)).toBeUndefined();
  });

  test.each([
    '',
    '{',
    'null',
    '{"programs":[]}',
    '[{"id":1}]',
    '[{"id":"a","name":"b","rights":["admin"],"hash":"c","madeAt":1}]',
  ])('is refused when it holds %j: a right is never guessed', (text) => {
    const file = join(folder, 'programs.json');
    writeFileSync(file, text, { mode: 0o600 });
    expect(() => openProgramFile(file)).toThrow(`rm ${file}`);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('is refused when it is too large', () => {
    const file = join(folder, 'programs.json');
    writeFileSync(file, `[]${' '.repeat(1024 * 1024)}`, { mode: 0o600 });
    expect(() => openProgramFile(file)).toThrow('not what it should be');
  });
});

test('[T-24] a server that is started with umask 000 leaves no file that others may read', async () => {
  const place = await openPlace();
  try {
    await keep(place.store, recordedLines('basic-text'));
    await place.askAsPerson('/api/programs', { method: 'POST', body: { name: 'ci', rights: ['read'] } });
    await place.ask('/api/sessions', { headers: { origin: 'https://evil.example' } });
    const names = readdirSync(place.folder);
    expect(names).toEqual(expect.arrayContaining(['audit.log', 'programs.json', 'tailrace.db', 'tailrace.db-wal']));
    for (const name of names) expect([name, modeOf(join(place.folder, name))]).toEqual([name, '600']);
    expect(modeOf(place.folder)).toBe('700');
  } finally {
    await place.close();
  }
});
