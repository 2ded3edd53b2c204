// Real files, really changed.

import { execFileSync } from 'node:child_process';
import {
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { WorkspaceChange, WorkspaceWarning } from './change.ts';
import { createWatcher, type Watcher, type WatcherOptions } from './watch.ts';

/** Nothing happens by itself: only a look looks. */
const stillClock: Clock = { now: () => Date.now(), after: () => () => undefined };

const LATE_BY = 3_600_000;
/** So far from the times of the files that they cannot be mistaken for each other. */
const lateClock: Clock = { ...stillClock, now: () => Date.now() + LATE_BY };

interface Scene {
  readonly root: string;
  readonly watcher: Watcher;
  readonly changes: WorkspaceChange[];
  readonly warnings: WorkspaceWarning[];
  at(path: string): string;
  write(path: string, text?: string): void;
  /** What was told since it was last asked, after a look. */
  told(options?: { whole?: boolean }): Promise<string[]>;
}

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function createScene(
  files: Readonly<Record<string, string>> = {},
  options: Partial<WatcherOptions> = {},
): Promise<Scene> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-watch-')));
  const at = (path: string): string => join(root, path);
  const write = (path: string, text = ''): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const changes: WorkspaceChange[] = [];
  const warnings: WorkspaceWarning[] = [];
  const watcher = createWatcher({
    root,
    clock: stillClock,
    onChange: (change) => changes.push(change),
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  ends.push(() => {
    watcher.close();
    rmSync(root, { recursive: true, force: true });
  });
  await watcher.ready;
  return {
    root,
    watcher,
    changes,
    warnings,
    at,
    write,
    async told(how) {
      await watcher.look(how);
      return changes.splice(0).map(({ path, operation, sizeBytes }) => {
        return `${operation} ${relative(root, path)}${sizeBytes === undefined ? '' : ` ${sizeBytes}`}`;
      });
    },
  };
}

describe('what changed', () => {
  test('a file is added, modified and deleted, and a deleted one has no size', async () => {
    const { at, write, told } = await createScene({ 'a.txt': 'one' });
    expect(await told()).toEqual([]);
    write('b.txt', 'four');
    expect(await told()).toEqual(['add b.txt 4']);
    write('a.txt', 'fourteen');
    expect(await told()).toEqual(['modify a.txt 8']);
    rmSync(at('a.txt'));
    expect(await told()).toEqual(['delete a.txt']);
    expect(await told({ whole: true })).toEqual([]);
  });

  test('a new folder is watched, with what is in it and what comes later', async () => {
    const { write, told } = await createScene();
    write('new/deep/a', 'a');
    expect(await told()).toEqual(['add new/deep/a 1']);
    write('new/deep/b', 'bb');
    write('new/c', 'ccc');
    expect((await told()).sort()).toEqual(['add new/c 3', 'add new/deep/b 2']);
  });

  test('what comes into a new folder while it is being found is found', async () => {
    const watch = watchBy((path) => {
      if (path.endsWith('new')) writeFileSync(join(path, 'between'), 'x');
    });
    const { at, told, watcher } = await createScene({}, { watch });
    mkdirSync(at('new'));
    watcher.mark(at('new'));
    expect(await told()).toEqual(['add new/between 1']);
  });

  test('a rename is a deletion and an addition, of a folder too', async () => {
    const { at, told, write } = await createScene({ 'd/a': 'a', 'd/e/b': 'bb', f: 'f' });
    renameSync(at('f'), at('g'));
    renameSync(at('d'), at('h'));
    expect((await told()).sort()).toEqual([
      'add g 1',
      'add h/a 1',
      'add h/e/b 2',
      'delete d/a',
      'delete d/e/b',
      'delete f',
    ]);
    write('h/e/b', 'bbb');
    expect(await told()).toEqual(['modify h/e/b 3']);
  });

  test('a folder that is deleted and made again is watched again', async () => {
    const { at, told, write } = await createScene({ 'd/a': 'a', 'd/b': 'b' });
    rmSync(at('d'), { recursive: true });
    write('d/a', 'aa');
    expect((await told()).sort()).toEqual(['delete d/b', 'modify d/a 2']);
    write('d/c', 'c');
    expect(await told()).toEqual(['add d/c 1']);
  });

  test('a file becomes a folder and a folder a file', async () => {
    const { at, told, write } = await createScene({ a: 'a', 'b/c': 'c' });
    rmSync(at('a'));
    write('a/x', 'x');
    rmSync(at('b'), { recursive: true });
    write('b', 'bb');
    expect((await told()).sort()).toEqual(['add a/x 1', 'add b 2', 'delete a', 'delete b/c']);
  });

  test('an old time does not hide a new content', async () => {
    const { at, told, write } = await createScene({ a: 'old' });
    utimesSync(at('a'), 1_000, 1_000);
    expect(await told()).toEqual(['modify a 3']);
    write('a', 'new');
    utimesSync(at('a'), 1_000, 1_000);
    expect(await told()).toEqual(['modify a 3']);
  });

  test('links are files, and are not followed', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'tailrace-outside-'));
    ends.push(() => rmSync(outside, { recursive: true, force: true }));
    const { at, told } = await createScene();
    symlinkSync(outside, at('link'));
    expect(await told()).toEqual([`add link ${outside.length}`]);
    writeFileSync(join(outside, 'a'), 'a');
    expect(await told({ whole: true })).toEqual([]);
  });

  test('the time is that of the change, not of the look', async () => {
    const { at, changes, write, watcher } = await createScene({ gone: '' }, { clock: lateClock });
    write('a', 'a');
    const { ctimeMs } = statSync(at('a'));
    await watcher.look();
    expect(changes.map((change) => change.at)).toEqual([Math.floor(ctimeMs)]);
  });

  test('a deletion has the time of the folder', async () => {
    const { at, changes, watcher } = await createScene({ 'd/gone': '' }, { clock: lateClock });
    rmSync(at('d/gone'));
    const { mtimeMs } = statSync(at('d'));
    await watcher.look();
    expect(changes.map((change) => change.at)).toEqual([Math.floor(mtimeMs)]);
  });

  test('a folder that is moved here brings its files now, whatever their times say', async () => {
    const { at, changes, watcher } = await createScene({ 'd/a': '' }, { clock: lateClock });
    renameSync(at('d'), at('e'));
    const { ctimeMs } = statSync(at('e'));
    await watcher.look();
    expect(changes.find(({ operation }) => operation === 'add')?.at).toBe(Math.floor(ctimeMs));
  });

  test('a time that cannot be is set right: nothing changes after now, nor before the last look', async () => {
    const early: Clock = { ...stillClock, now: () => 1_000 };
    const { changes, watcher, write } = await createScene({}, { clock: early });
    write('a');
    await watcher.look();
    const late = await createScene({}, { clock: lateClock });
    await late.watcher.look();
    const before = Date.now() + LATE_BY;
    late.write('a');
    await late.watcher.look();
    expect(changes.map((change) => change.at)).toEqual([1_000]);
    expect(late.changes[0]?.at).toBeGreaterThan(before - LATE_BY / 2);
  });

  test('names of all sorts', async () => {
    const { told, write } = await createScene();
    const names = ['-rf', ' ', 'a\nb', 'é', 'e\u0301', '$(x)', '*', '__proto__', 'constructor'];
    for (const name of names) write(name, 'x');
    expect((await told()).sort()).toEqual(names.map((name) => `add ${name} 1`).sort());
  });
});

describe('what is not told', () => {
  test('what git ignores, and what is in .git and node_modules', async () => {
    const { told, write } = await createScene({
      '.git/HEAD': '',
      '.git/info/exclude': 'secret',
      '.gitignore': 'dist/\n*.log',
      'sub/.gitignore': '!keep.log\n/only-here',
    });
    for (const path of [
      'dist/a',
      'sub/dist/a',
      'a.log',
      'secret',
      'node_modules/x/i.js',
      'sub/node_modules/y',
      '.git/x',
    ])
      write(path, 'x');
    for (const path of ['sub/keep.log', 'sub/deep/only-here', 'sub/only-here', 'only-here']) write(path, 'x');
    expect((await told()).sort()).toEqual(['add only-here 1', 'add sub/deep/only-here 1', 'add sub/keep.log 1']);
    expect(await told({ whole: true })).toEqual([]);
  });

  test('the rules of the repository around it hold', async () => {
    const { root, write } = await createScene({ '.git/info/exclude': '/sub/x', '.gitignore': '*.log', 'sub/a': '' });
    const changes: string[] = [];
    const watcher = createWatcher({
      root: join(root, 'sub'),
      clock: stillClock,
      onChange: ({ path }) => changes.push(relative(root, path)),
      onWarning: () => undefined,
    });
    ends.push(() => watcher.close());
    await watcher.ready;
    for (const path of ['sub/b.log', 'sub/x', 'sub/y']) write(path);
    await watcher.look();
    expect(changes).toEqual(['sub/y']);
  });

  test('a second working tree has the rules of the first', async () => {
    const { root, told, write } = await createScene();
    const main = join(root, 'main');
    const env = { PATH: process.env['PATH'], HOME: root };
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: main, env });
    };
    mkdirSync(main);
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'start');
    git('worktree', 'add', '-q', join(root, 'second'));
    write('main/.git/info/exclude', 'secret');
    await told();
    const second = createWatcher({
      root: join(root, 'second'),
      clock: stillClock,
      onChange: ({ path }) => seen.push(relative(root, path)),
      onWarning: () => undefined,
    });
    const seen: string[] = [];
    ends.push(() => second.close());
    await second.ready;
    write('second/secret');
    write('second/open');
    await second.look();
    expect(seen).toEqual(['second/open']);
  });

  test('what the rules come to ignore is forgotten without a word, and what they let in was there before', async () => {
    const { at, told, write } = await createScene({ '.gitignore': 'old/', 'old/a': 'a', 'new/b': 'b', 'd/x': 'x' });
    write('.gitignore', 'new/');
    expect(await told()).toEqual(['modify .gitignore 4']);
    write('old/a', 'aa');
    write('new/b', 'bb');
    expect(await told()).toEqual(['modify old/a 2']);
    rmSync(at('.gitignore'));
    expect(await told()).toEqual(['delete .gitignore']);
    write('new/b', 'bbb');
    expect(await told()).toEqual(['modify new/b 3']);
  });

  test('a folder below one whose rules go away knows it', async () => {
    const { at, told, write } = await createScene({ 'd/.gitignore': 'x', 'd/e/x': '', 'd/e/y': '' });
    rmSync(at('d/.gitignore'));
    expect(await told()).toEqual(['delete d/.gitignore']);
    write('d/e/x', 'x');
    expect(await told()).toEqual(['modify d/e/x 1']);
  });
});

describe('by itself', () => {
  test('it tells after a short pause, without a look', async () => {
    const { changes, write } = await createScene({}, { clock: systemClock });
    write('d/a', 'a');
    await vi.waitFor(() => expect(changes.map(({ operation }) => operation)).toEqual(['add']), { timeout: 60_000 });
    write('d/a', 'aa');
    await vi.waitFor(() => expect(changes.map(({ operation }) => operation)).toEqual(['add', 'modify']), {
      timeout: 60_000,
    });
  });

  test('a folder that is never quiet is looked at all the same', async () => {
    let signal: (type: string, name: string | null) => void = () => undefined;
    const pending = new Set<() => void>();
    let now = 0;
    const clock: Clock = {
      now: () => now,
      after(_milliseconds, act) {
        pending.add(act);
        return () => pending.delete(act);
      },
    };
    await createScene({}, { clock, watch: watchBy((_path, listener) => (signal = listener)) });
    signal('change', 'a');
    const [first] = pending;
    now = 999;
    signal('change', 'a');
    const [second] = pending;
    expect(second).not.toBe(first);
    now = 1_001;
    signal('change', 'a');
    expect([...pending]).toEqual([second]);
  });

  test('nothing is told after the close', async () => {
    const { changes, watcher, write } = await createScene();
    watcher.close();
    write('a');
    await watcher.look({ whole: true });
    expect(changes).toEqual([]);
  });
});

/** A watch that gives no hints of its own. */
function watchBy(
  start: (path: string, listener: (type: string, name: string | null) => void) => void,
): NonNullable<WatcherOptions['watch']> {
  return (path, _options, listener) => {
    start(path, listener);
    // Nobody asks it for anything else.
    return { close: () => undefined, on: () => undefined } as unknown as FSWatcher;
  };
}

describe('when it cannot see everything', () => {
  test('a tree beyond the limits is said to be, with numbers, and the rest is watched', async () => {
    const files = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`d${index}/a`, '']));
    const { told, warnings, write } = await createScene(files, { limits: { folders: 6, files: 3 } });
    expect(warnings.map(({ code }) => code)).toEqual(['workspace-too-large']);
    expect(warnings[0]?.message).toContain('at least 5 folders beyond the 6');
    expect(warnings[0]?.message).toContain('at least 2 files beyond the 3');
    write('d0/a', 'a');
    expect(await told({ whole: true })).toEqual(['modify d0/a 1']);
    expect(warnings).toHaveLength(1);
  });

  test('a system that watches no more folders is a warning, and a whole look still sees', async () => {
    let room = 2;
    const watch = watchBy(() => {
      if (room-- <= 0) throw Object.assign(new Error('ENOSPC: no space left on device, watch'), { code: 'ENOSPC' });
    });
    const { told, warnings, write } = await createScene({ 'a/x': '', 'b/x': '', 'c/x': '' }, { watch });
    expect(warnings.map(({ code }) => code)).toEqual(['workspace-not-watched']);
    expect(warnings[0]?.message).toContain('2 of 4 folders');
    expect(warnings[0]?.message).toContain('ENOSPC');
    write('c/x', 'x');
    expect(await told()).toEqual([]);
    expect(await told({ whole: true })).toEqual(['modify c/x 1']);
  });

  test('a folder that is not there is a warning', async () => {
    const { root } = await createScene();
    const warnings: string[] = [];
    const watcher = createWatcher({
      root: join(root, 'nowhere'),
      clock: stillClock,
      onChange: () => undefined,
      onWarning: ({ code }) => warnings.push(code),
    });
    await watcher.ready;
    await watcher.look({ whole: true });
    expect(warnings).toEqual(['workspace-not-watched']);
  });

  test('without any hint a marked path is looked at', async () => {
    const { at, told, watcher, write } = await createScene({ '.gitignore': 'x' }, { watch: watchBy(() => undefined) });
    write('new/a', 'a');
    write('b', 'b');
    expect(await told()).toEqual([]);
    expect([watcher.mark(at('new/a')), watcher.mark(at('x')), watcher.mark('/elsewhere/b')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await told()).toEqual(['add new/a 1']);
  });
});

test('one watch for the whole tree tells where to look', async () => {
  let signal: (type: string, name: string | null) => void = () => undefined;
  const watched: string[] = [];
  const watch = watchBy((path, listener) => {
    watched.push(path);
    signal = listener;
  });
  const { root, told, write } = await createScene({ 'a/b/c': '' }, { watch, isRecursive: true });
  expect(watched).toEqual([root]);
  write('a/b/c', 'c');
  write('n/e/w', 'w');
  signal('change', join('a', 'b', 'c'));
  expect(await told()).toEqual(['modify a/b/c 1']);
  signal('rename', join('n', 'e', 'w'));
  expect(await told()).toEqual(['add n/e/w 1']);
  write('x', 'x');
  signal('rename', null);
  expect(await told()).toEqual(['add x 1']);
});

describe('whatever happens', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((steps) => steps.join('/'));
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), path, size: fc.nat(50) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), path }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), path, to: path }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('folder' as const), path }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('look' as const), whole: fc.boolean() }) },
  );

  function filesIn(root: string, folder = root): [string, number][] {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, number][] => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(root, path) : [[relative(root, path), statSync(path).size]];
    });
  }

  test('what was told adds up to what is there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, isTimed) => {
        const scene = await createScene({ a: '', 'b/a': 'x' }, isTimed ? { clock: systemClock } : {});
        const { at, changes, root, watcher, write } = scene;
        const model = new Map(filesIn(root));
        const check = async (whole: boolean): Promise<void> => {
          await watcher.look({ whole });
          for (const { path, operation, sizeBytes } of changes.splice(0)) {
            const place = relative(root, path);
            expect(model.has(place), `${operation} ${place}`).toBe(operation !== 'add');
            expect(sizeBytes === undefined).toBe(operation === 'delete');
            if (sizeBytes === undefined) model.delete(place);
            else model.set(place, sizeBytes);
          }
          expect(model).toEqual(new Map(filesIn(root)));
        };
        for (const one of steps) {
          if (one.do === 'look') await check(one.whole);
          else
            try {
              if (one.do === 'write') write(one.path, 'x'.repeat(one.size));
              else if (one.do === 'remove') rmSync(at(one.path), { recursive: true });
              else if (one.do === 'folder') mkdirSync(at(one.path), { recursive: true });
              else renameSync(at(one.path), at(one.to));
            } catch {
              // What cannot be done is not done: there is a file in the way, or nothing there.
            }
        }
        await check(false);
        for (const end of ends.splice(0)) end();
      }),
      { numRuns: counts.runs },
    );
  });
});
