import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FolderCode } from '@tailrace/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lookAtFolder, MAX_FOLDER_FILE } from './trust.ts';
import { createTrust } from './trust-file.ts';

/** An agent that runs each line of a file `hooks`, and takes `.agent/settings` for settings. */
const code: FolderCode = {
  files: ['hooks', '.agent/settings'],
  read: (file, text) =>
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => ({ kind: file === 'hooks' ? 'hook' : 'setting', name: file, detail: line })),
};

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-trust-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, content: string | Buffer): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}
const folder = (path: string): string => {
  mkdirSync(join(root, path), { recursive: true });
  return join(root, path);
};

describe('[T-15] what a folder brings', () => {
  test('is told with its file, from the folder and from those above it', async () => {
    const cwd = folder('a/b/c');
    const [here, above] = [put('a/b/c/.agent/settings', 'x = 1'), put('a/hooks', 'rm -rf /\n')];
    const { brought } = await lookAtFolder(code, cwd);
    expect(brought).toEqual([
      { kind: 'setting', name: '.agent/settings', detail: 'x = 1', file: here },
      { kind: 'hook', name: 'hooks', detail: 'rm -rf /', file: above },
    ]);
  });

  test('is nothing where there is no such file, or nothing in it', async () => {
    put('a/hooks', '\n');
    put('a/.agent', 'a file where a folder was expected');
    expect((await lookAtFolder(code, folder('a'))).brought).toEqual([]);
  });

  test('is the same through a link', async () => {
    put('real/hooks', 'x');
    symlinkSync(join(root, 'real'), join(root, 'link'));
    expect(await lookAtFolder(code, join(root, 'link'))).toEqual(await lookAtFolder(code, join(root, 'real')));
  });

  test('is itself when it is a folder, a pipe, a circle of links or too large', async () => {
    folder('a/hooks');
    expect((await lookAtFolder(code, join(root, 'a'))).brought[0]?.detail).toContain('is no file');
    spawnSync('mkfifo', [join(folder('b'), 'hooks')]);
    expect((await lookAtFolder(code, join(root, 'b'))).brought[0]?.detail).toContain('is no file');
    symlinkSync('hooks', join(folder('c'), 'hooks'));
    expect((await lookAtFolder(code, join(root, 'c'))).brought[0]?.detail).toContain('cannot be read (ELOOP)');
    put('d/hooks', Buffer.alloc(MAX_FOLDER_FILE + 1, '\n'));
    expect((await lookAtFolder(code, join(root, 'd'))).brought[0]?.detail).toContain('too large');
    put('e/hooks', Buffer.alloc(MAX_FOLDER_FILE, '\n'));
    expect((await lookAtFolder(code, join(root, 'e'))).brought).toEqual([]);
  });

  test('does not include what is the person’s own, and only that', async () => {
    const cwd = folder('home/project');
    put('home/.agent/settings', 'mine');
    put('home/.agent-evil/settings', 'not looked for');
    put('home/project/.agent/settings', 'theirs');
    const { brought } = await lookAtFolder(code, cwd, { own: [join(root, 'home/.agent'), join(root, 'gone')] });
    expect(brought.map(({ detail }) => detail)).toEqual(['theirs']);
  });

  test('has a digest that changes with content, place and number', async () => {
    const digests = new Set<string>();
    const see = async (path: string): Promise<void> => {
      digests.add((await lookAtFolder(code, folder(path))).digest);
    };
    await see('a');
    put('a/hooks', 'one');
    await see('a');
    put('a/hooks', 'two');
    await see('a');
    put('a/.agent/settings', 'two');
    await see('a');
    put('a/b/hooks', 'two');
    await see('a/b');
    expect(digests.size).toBe(5);
    await see('a/b');
    expect(digests.size).toBe(5);
  });
});

describe('[T-15] a yes', () => {
  const list = (): string => join(root, 'data/trust.json');
  const look = () => lookAtFolder(code, folder('project'));

  test('is needed before the first start, kept, and needed again when something changed', async () => {
    put('project/hooks', 'echo 1');
    const trust = createTrust({ file: list() });
    expect(await trust.check(await look())).toEqual({ isTrusted: false, reason: 'new' });
    expect(existsSync(list())).toBe(false);
    await trust.remember(await look());
    expect(await createTrust({ file: list() }).check(await look())).toEqual({ isTrusted: true, reason: 'agreed' });
    put('project/hooks', 'echo 2');
    expect(await trust.check(await look())).toEqual({ isTrusted: false, reason: 'changed' });
    put('project/hooks', 'echo 1');
    expect((await trust.check(await look())).isTrusted).toBe(true);
  });

  test('is not needed for a folder that brings nothing', async () => {
    expect(await createTrust({ file: list() }).check(await look())).toEqual({ isTrusted: true, reason: 'nothing' });
  });

  test('to one folder is none to another with the same content', async () => {
    put('project/hooks', 'echo');
    put('other/hooks', 'echo');
    const trust = createTrust({ file: list() });
    await trust.remember(await look());
    expect((await trust.check(await lookAtFolder(code, folder('other')))).reason).toBe('new');
  });

  test('is kept where nobody else can read or write, whatever the mask is', async () => {
    put('project/hooks', 'echo');
    const before = process.umask(0);
    try {
      await createTrust({ file: list() }).remember(await look());
    } finally {
      process.umask(before);
    }
    expect(statSync(list()).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(list())).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(list()))).toEqual(['trust.json']);
  });

  test('in a list through which a link was laid counts for nothing, and the link is not written through', async () => {
    put('project/hooks', 'echo');
    const trust = createTrust({ file: list() });
    await trust.remember(await look());
    const victim = put('victim', readFileSync(list()));
    rmSync(list());
    symlinkSync(victim, list());
    const answer = await trust.check(await look());
    expect(answer).toMatchObject({ isTrusted: false, reason: 'new' });
    expect(answer.warning).toContain('counts for nothing');
    const content = readFileSync(victim, 'utf8');
    await trust.remember(await look());
    expect(readFileSync(victim, 'utf8')).toBe(content);
    expect((await trust.check(await look())).isTrusted).toBe(true);
  });

  test('in a list that others may write to counts for nothing, and the message says what to do', async () => {
    put('project/hooks', 'echo');
    const trust = createTrust({ file: list() });
    await trust.remember(await look());
    chmodSync(list(), 0o620);
    const answer = await trust.check(await look());
    expect(answer.isTrusted).toBe(false);
    expect(answer.warning).toContain(`chmod 600 ${list()}`);
  });

  test.each([
    ['nothing', ''],
    ['half of it', '{"version":1,"folders":[["/a","b"'],
    ['another shape', '{"folders":{"/a":"b"}}'],
    ['other pairs', '{"folders":[["/a",1]]}'],
    ['null', 'null'],
    ['bytes', randomBytes(50)],
  ])('in a list that holds %s counts for nothing, which is said, and can be given anew', async (_, content) => {
    put('project/hooks', 'echo');
    put('data/trust.json', content);
    chmodSync(list(), 0o600);
    const trust = createTrust({ file: list() });
    const answer = await trust.check(await look());
    expect(answer.isTrusted).toBe(false);
    expect(answer.warning).toContain('it is damaged');
    await trust.remember(await look());
    expect(await trust.check(await look())).toEqual({ isTrusted: true, reason: 'agreed' });
  });

  test('leaves no draft behind when it cannot be kept', async () => {
    put('project/hooks', 'echo');
    mkdirSync(join(list(), 'full'), { recursive: true });
    await expect(createTrust({ file: list() }).remember(await look())).rejects.toThrow();
    expect(readdirSync(dirname(list()))).toEqual(['trust.json']);
  });
});
