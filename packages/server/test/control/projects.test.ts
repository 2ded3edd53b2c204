// Projects: folders by id, and paths below them that lead nowhere else (T-23).

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { createProjects } from '../../src/control/create-projects.ts';
import { MAX_PATH_LENGTH, MAX_PROJECTS } from '../../src/control/limits.ts';
import { codeOf, createBench } from './runs-of-fake.ts';

test('[T-23] a path below a project is its real folder', async () => {
  const { projects, project, work } = await createBench();
  mkdirSync(join(work, 'packages/app'), { recursive: true });
  mkdirSync(join(work, '..dots'));
  symlinkSync('packages/app', join(work, 'short'));
  expect(await projects.resolve(project)).toBe(work);
  expect(await projects.resolve(project, '')).toBe(work);
  expect(await projects.resolve(project, 'packages/app')).toBe(join(work, 'packages/app'));
  expect(await projects.resolve(project, '..dots')).toBe(join(work, '..dots'));
  // What is used is where the link led when it was looked at.
  expect(await projects.resolve(project, 'short')).toBe(join(work, 'packages/app'));
});

test('[T-23] links that lead out are refused, also to a folder whose name only begins alike', async () => {
  const { projects, project, work, folder } = await createBench();
  mkdirSync(`${work}-other`);
  mkdirSync(join(folder, 'outside/deep'), { recursive: true });
  for (const [name, to] of [
    ['beside', `${work}-other`],
    ['out', join(folder, 'outside')],
    ['up', '..'],
    ['top', sep],
    ['self', 'self'],
  ] as const)
    symlinkSync(to, join(work, name));
  for (const path of ['beside', 'out', 'out/deep', 'up', 'up/work-other', 'top', 'top/etc'])
    expect(await codeOf(projects.resolve(project, path)), path).toBe('refused');
  expect(await codeOf(projects.resolve(project, 'self'))).toBe('not-found');
  writeFileSync(join(work, 'file'), '');
  expect(await codeOf(projects.resolve(project, 'file'))).toBe('not-found');
});

test('[T-23] a thousand hostile strings lead nowhere', async () => {
  const { projects, project } = await createBench();
  const bad = [
    '..',
    '../',
    '/..',
    '/etc',
    '//host/share',
    '\\\\host\\share',
    'C:\\',
    'c:/x',
    '\\\\?\\C:\\',
    'a/../..',
    './..',
  ];
  const pieces = [
    '..',
    '.',
    '/',
    '\\',
    '%2e%2e',
    '%2f',
    '\0',
    'C:',
    '~',
    '…',
    '\u202e',
    '\ud800',
    'a',
    ' ',
    '\n',
    '．．',
    'x'.repeat(200),
  ];
  const known = [
    ...bad,
    '%2e%2e/%2e%2e',
    '..%00',
    '~',
    '~root',
    '....//',
    '.. /',
    '..;/',
    'x'.repeat(5000),
    'a/'.repeat(2500),
  ];
  const strings = fc.sample(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }), {
    numRuns: 1000 - known.length,
    seed: 23,
  });
  for (const path of [...known, ...strings.map((parts) => parts.join(''))])
    expect(['bad-request', 'not-found'], JSON.stringify(path)).toContain(await codeOf(projects.resolve(project, path)));
  for (const path of bad) expect(await codeOf(projects.resolve(project, path)), path).toBe('bad-request');
  for (const id of [...bad, '', '__proto__', '%2e', 'x'.repeat(5000), '\0'])
    expect(await codeOf(projects.resolve(id)), id).toBe('not-found');
});

test.each([
  [MAX_PATH_LENGTH - 1, 'not-found'],
  [MAX_PATH_LENGTH, 'not-found'],
  [MAX_PATH_LENGTH + 1, 'bad-request'],
])('a path of %i characters is %s', async (length, code) => {
  const { projects, project } = await createBench();
  const path = `${'a/'.repeat(1000)}${'b'.repeat(length - 2000)}`;
  expect(path).toHaveLength(length);
  expect(await codeOf(projects.resolve(project, path))).toBe(code);
});

test('[T-23] while a folder becomes a link and a folder again, what is given lies in the project', async () => {
  const { projects, project, work, folder } = await createBench();
  mkdirSync(join(folder, 'outside/in'), { recursive: true });
  mkdirSync(join(work, 'swap/in'), { recursive: true });
  symlinkSync(join(folder, 'outside'), join(work, 'link'));
  const swapping = new Worker(
    `const { renameSync } = require('node:fs');
     const { parentPort, workerData: { work } } = require('node:worker_threads');
     const at = (name) => work + '/' + name;
     const turn = () => {
       for (let n = 0; n < 50; n++) {
         renameSync(at('swap'), at('folder')); renameSync(at('link'), at('swap'));
         renameSync(at('swap'), at('link')); renameSync(at('folder'), at('swap'));
       }
       setImmediate(turn);
     };
     parentPort.postMessage('begun');
     turn();`,
    { eval: true, workerData: { work } },
  );
  onTestFinished(async () => void (await swapping.terminate()));
  await new Promise((resolve) => swapping.once('message', resolve));
  const seen = { inside: 0, refused: 0, gone: 0 };
  for (let round = 0; round < counts.linkRaces; round++) {
    const path = round % 2 === 0 ? 'swap' : 'swap/in';
    const result = await projects.resolve(project, path).catch(async (error: unknown) => codeOf(Promise.reject(error)));
    if (result === 'refused') seen.refused++;
    else if (result === 'not-found') seen.gone++;
    else {
      expect(result.startsWith(work + sep), result).toBe(true);
      seen.inside++;
    }
  }
  expect(seen.inside).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(0);
});

test('what was used before and still exists is a project, and so are the roots and the folders in them', async () => {
  const bench = await createBench();
  const { store, folder, projects } = bench;
  mkdirSync(join(folder, 'used'));
  mkdirSync(join(folder, 'root/.hidden'));
  symlinkSync(join(folder, 'used'), join(folder, 'root/link'));
  symlinkSync(join(folder, 'used'), join(folder, 'way'));
  writeFileSync(join(folder, 'root/file'), '');
  await use(bench, 'one', join(folder, 'way'), 1);
  await use(bench, 'two', join(folder, 'gone'), 2);
  await use(bench, 'three', bench.work, 3);
  await store.history.catchUp();
  const list = await projects.list();
  expect(list.map((one) => one.folder)).toEqual([bench.work, join(folder, 'used'), join(folder, 'root')]);
  expect(list.map(({ name }) => name)).toEqual(['work', 'used', 'root']);
  for (const { id, folder: real } of list) {
    expect(projects.idOf(real)).toBe(id);
    expect(await projects.resolve(id)).toBe(real);
    expect(id).toMatch(/^[\w-]{22}$/);
  }
  expect(projects.idOf(join(folder, 'way'))).toBe(projects.idOf(join(folder, 'used')));
  // The same after a new start, since nothing is kept of it.
  expect((await createProjects({ store, roots: [join(folder, 'root')] }).list()).map(({ id }) => id)).toEqual(
    list.map(({ id }) => id),
  );
  // A folder that was never used, and lies under no root, is none: it has an id and nothing more.
  expect(await codeOf(projects.resolve(projects.idOf(folder)))).toBe('not-found');
  expect(await codeOf(projects.resolve(projects.idOf(join(folder, 'gone'))))).toBe('not-found');
});

test('a folder that has become a link to another is that project no more', async () => {
  const { projects, project, work, folder } = await createBench();
  expect(await projects.resolve(project)).toBe(work);
  renameSync(work, `${work}-before`);
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), work);
  expect(await codeOf(projects.resolve(project))).toBe('not-found');
  rmSync(work);
  expect(await codeOf(projects.resolve(project))).toBe('not-found');
});

test('the list is bounded, and is not made anew while it is fresh; a folder used just now is found at once', async () => {
  const bench = await createBench();
  const { store, folder } = bench;
  for (let index = 0; index < MAX_PROJECTS + 5; index++) mkdirSync(join(folder, 'root', `p${index}`));
  let now = 0;
  let asked = 0;
  const sessions: typeof store.history.sessions = (filter) => {
    asked++;
    return store.history.sessions(filter);
  };
  const history = { ...store.history, sessions };
  const projects = createProjects({ store: { ...store, history }, roots: [join(folder, 'root')], clock: () => now });
  expect((await Promise.all([projects.list(), projects.list()]))[0]).toHaveLength(MAX_PROJECTS);
  for (let index = 0; index < 100; index++) await projects.list();
  expect(asked).toBe(1);
  now += 60_000;
  await projects.list();
  expect(asked, 'nothing is new').toBe(1);
  mkdirSync(join(folder, 'fresh'));
  await use(bench, 'x', join(folder, 'fresh'), Date.now());
  await store.history.catchUp();
  now = Date.now();
  await projects.list();
  await use(bench, 'y', join(folder, 'data'), Date.now());
  await store.history.catchUp();
  expect(await projects.resolve(projects.idOf(join(folder, 'data')))).toBe(join(folder, 'data'));
  expect(await codeOf(projects.resolve('nothing'))).toBe('not-found');
});

test('a folder is listed as soon as the history has its session, however late that is', async () => {
  const bench = await createBench();
  let now = Date.now();
  const projects = createProjects({ store: bench.store, clock: () => now });
  await use(bench, 'x', bench.work, now);
  expect(await projects.list()).toEqual([]);
  await bench.store.history.catchUp();
  now += 3_000;
  expect(await projects.list()).toMatchObject([{ folder: bench.work }]);
});

/** A session that has worked in a folder. */
async function use(
  { store }: Awaited<ReturnType<typeof createBench>>,
  id: string,
  cwd: string,
  at: number,
): Promise<void> {
  const lease = await store.record.claim(`run:${id}`, { kind: 'run', agent: 'claude' });
  const line = { type: 'run-started', runId: id, agent: 'claude', cwd };
  await store.record.append(`run:${id}`, 1, [{ at, source: 'host', bytes: Buffer.from(`${JSON.stringify(line)}\n`) }]);
  await lease.release();
}
