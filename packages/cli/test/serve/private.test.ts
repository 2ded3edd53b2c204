// What a server leaves on the disk is for its owner alone, and nothing that lies in the way is followed (T-24).

import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '../command.ts';
import { signIn } from './person.ts';
import { begin, createPlace, serve, until } from './served.ts';

test('[T-24] with umask 000 every file and folder is private, also while it runs', async () => {
  const place = createPlace();
  const env = { ...place.env, TAILRACE_LOG: 'debug' };
  place.script([['init'], ['prompt'], ['text', 'Hello.'], ['result']]);
  mkdirSync(join(place.project, '.claude'));
  writeFileSync(join(place.project, '.claude/settings.json'), JSON.stringify({ env: { A: 'b' } }));
  const served = await serve({ ...place, env }, { before: 'umask 000' });
  const person = await signIn(served);
  // Everything that makes files: programs, trust, runs, the bill, hooks, and another code.
  await person.json('/api/programs', { name: 'one', rights: ['read'] });
  const { items } = await person.json<{ items: { id: string; folder: string }[] }>('/api/projects');
  const project = items.find(({ folder }) => folder === place.project)?.id;
  const refused = JSON.parse((await person.ask('/api/runs', { project, prompt: 'x' })).text);
  await person.json('/api/runs', { project, prompt: 'x', trust: refused.folder.digest });
  await person.json('/api/usage?by=day');
  await call(['hook'], { env, input: [Buffer.from('{"session_id":"s","hook_event_name":"Stop"}')] });
  await until(async () => (await person.json<{ items: unknown[] }>('/api/sessions')).items.length >= 2);
  const names = everythingIn(place.home).map(([path]) => path);
  for (const name of [
    'server.json',
    'programs.json',
    'audit.ndjson',
    'trusted-folders.json',
    'tailrace.db',
    'tailrace.db-wal',
  ])
    expect(names).toContain(name);
  expect(everythingIn(place.home).filter(([, mode]) => mode !== '700 d' && mode !== '600 f')).toEqual([]);
  expect(statSync(place.home).mode & 0o777).toBe(0o700);
});

const FILES = ['server.json', 'audit.ndjson', 'programs.json'];

test.each(FILES)('[T-24] a link in the place of %s is refused, and where it leads nothing is written', async (name) => {
  const { place, other } = prepared();
  symlinkSync(other, join(place.home, name));
  const { output, ended } = begin(place);
  expect(await ended).toEqual({ code: 1, signal: null });
  expect(output.stdout).toBe('');
  expect(output.stderr).toBe(
    `tailrace: ${join(place.home, name)} is a link: refused. Remove it: rm ${join(place.home, name)}\n`,
  );
  expect(readFileSync(other, 'utf8')).toBe('mine');
  expect(lstatSync(join(place.home, name)).isSymbolicLink()).toBe(true);
});

test.each(FILES)('[T-24] %s that others may read is refused, with the command that helps', async (name) => {
  const { place } = prepared();
  const file = join(place.home, name);
  writeFileSync(file, name === 'programs.json' ? '[]' : '', { mode: 0o644 });
  const { output, ended } = begin(place);
  expect(await ended).toEqual({ code: 1, signal: null });
  expect(output.stderr).toContain(`chmod 600 ${file}`);
});

test('[T-24] a file with a second name is refused', async () => {
  const { place, other } = prepared();
  renameSync(other, join(place.home, 'audit.ndjson'));
  linkSync(join(place.home, 'audit.ndjson'), other);
  const { output, ended } = begin(place);
  expect(await ended).toEqual({ code: 1, signal: null });
  expect(output.stderr).toContain('has another name');
});

test('[T-24] a data folder that others may write to is refused', async () => {
  const place = createPlace();
  mkdirSync(place.home);
  const { output, ended } = begin(place, { before: `chmod 777 ${place.home}` });
  expect(await ended).toMatchObject({ code: 1 });
  expect(output.stderr).toContain(`chmod 700 ${place.home}`);
});

function prepared(): { readonly place: ReturnType<typeof createPlace>; readonly other: string } {
  const place = createPlace();
  mkdirSync(place.home, { mode: 0o700 });
  const other = join(place.folder, 'other');
  writeFileSync(other, 'mine', { mode: 0o600 });
  return { place, other };
}

/** Names below a folder, with mode and kind. */
function everythingIn(folder: string, below = ''): readonly (readonly [path: string, mode: string])[] {
  return readdirSync(join(folder, below)).flatMap((name) => {
    const path = join(below, name);
    const stats = lstatSync(join(folder, path));
    const mode = `${(stats.mode & 0o777).toString(8)} ${stats.isDirectory() ? 'd' : stats.isFile() ? 'f' : '?'}`;
    return [[path, mode] as const, ...(stats.isDirectory() ? everythingIn(folder, path) : [])];
  });
}
