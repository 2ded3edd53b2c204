import { mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ChangedFile, ChangesSince } from './changes.ts';
import { lookAhead } from './look.ts';

const NOW = Date.UTC(2026, 0, 1);

function folder(names: readonly string[], later: readonly string[] = []): string {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-look-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const name of names) {
    writeFileSync(join(cwd, name), '');
    const time = (NOW + (later.includes(name) ? 1 : -1)) / 1000;
    utimesSync(join(cwd, name), time, time);
  }
  return cwd;
}

const file = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  operation: 'modify',
  isNew: false,
  isDeleted: false,
  calls: [],
  wasKept: false,
  linesAdded: 0,
  linesRemoved: 0,
  ...more,
});
const changes = (more: Partial<ChangesSince>): ChangesSince => ({
  checkpoint: 'p',
  isKnown: true,
  byTools: [],
  byCommands: [],
  unknown: [],
  commands: [],
  isWatched: true,
  lastAt: NOW,
  ...more,
});
const bash = { toolCallId: 'b', toolName: 'Bash', title: 'make' };

test('[G-15] a file is changed, removed or made again', () => {
  const cwd = folder(['a', 'made', 'edited']);
  const byTools = [file('made', { operation: 'add', isNew: true }), file('edited', { isNew: true })];
  const { files } = lookAhead({ files: ['a', 'made', 'edited', join(cwd, 'gone')] }, changes({ byTools }), cwd);
  expect(files.map(({ action }) => action)).toEqual(['change', 'remove', 'change', 'restore']);
});

test('[G-15] what somebody else has done to a file since is told: changed after the session, during it, or deleted', () => {
  const cwd = folder(['same', 'later', 'meanwhile'], ['later']);
  const told = changes({ unknown: [file('meanwhile')], byCommands: [file('deleted', { isDeleted: true })] });
  const { files } = lookAhead({ files: ['same', 'later', 'meanwhile', 'gone', 'deleted'] }, told, cwd);
  expect(files.map(({ isOverwritten }) => isOverwritten)).toEqual([false, true, true, true, false]);
});

test('[G-15] what commands left is named, but for what is set back with the rest and for what is gone again', () => {
  const cwd = folder(['left', 'kept', 'partly', 'perhaps']);
  const byCommands = [
    file('left', { calls: [bash] }),
    file('kept', { wasKept: true }),
    file('partly', { isNew: true }),
    file('temporary', { operation: 'add', isNew: true }),
    file('deleted', { operation: 'delete', isDeleted: true }),
  ];
  const unknown = [file('perhaps', { calls: [bash] }), file('mine')];
  const { left } = lookAhead({ files: ['kept', 'partly'] }, changes({ byCommands, unknown }), cwd);
  expect(left.map(({ operation }) => operation)).toEqual(['modify', 'add', 'delete', 'modify']);
  expect(left.map(({ path, isPartly, isCertain }) => [path.slice(cwd.length + 1), isPartly, isCertain])).toEqual([
    ['left', false, true],
    ['partly', true, true],
    ['deleted', false, true],
    ['perhaps', false, false],
  ]);
});

test('[G-15] commands that nobody watched are named themselves', () => {
  const told = { commands: [bash] };
  expect(lookAhead({ files: [] }, changes(told), '/').unwatched).toEqual([]);
  expect(lookAhead({ files: [] }, changes({ ...told, isWatched: false }), '/').unwatched).toEqual([bash]);
});

test('[G-15] a file is known again when the folder was reached by a link', () => {
  const cwd = folder(['a']);
  const told = changes({ byCommands: [file('/link/to/a')] });
  const { left } = lookAhead({ files: [join(cwd, 'a')] }, told, cwd, '/link/to');
  expect(left).toMatchObject([{ path: join(cwd, 'a'), isPartly: true }]);
});
