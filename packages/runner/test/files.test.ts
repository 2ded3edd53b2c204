// Files that change while an agent runs: told once each, with their size, and by whom.

import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentStreamEvent, EventOf } from '@tailrace/core';
import { expect, test } from 'vitest';
import { play, type Step, temporaryFolder } from './fake.ts';

const changes = (events: readonly AgentStreamEvent[]): EventOf<'file-change'>[] =>
  events.filter((event): event is EventOf<'file-change'> => event.type === 'file-change');

const START: readonly Step[] = [['init'], ['prompt']];
const END: readonly Step[] = [['result'], ['exit', 0]];

test('[W-04] what a shell command did is told with its size, by the call that ran', async () => {
  const { run, events } = await play(
    [...START, ['call', 'c1', 'Bash', { command: 'x' }], ['write', 'made.txt', 'hello\n'], ['done', 'c1'], ...END],
    { watchFiles: true },
  );
  await run.ended;
  expect(changes(events)).toMatchObject([
    { toolCallId: 'c1', changes: [{ path: join(run.cwd, 'made.txt'), operation: 'add', sizeBytes: 6 }] },
  ]);
});

test('[W-04] what a tool reports is told once, with the size that the file has', async () => {
  const input = { file_path: 'told.txt', content: 'one\r\ntwo\r\n' };
  const { run, events } = await play(
    [...START, ['call', 'c1', 'Write', input], ['write', 'told.txt', input.content], ['done', 'c1'], ...END],
    { watchFiles: true },
  );
  await run.ended;
  expect(changes(events)).toMatchObject([{ toolCallId: 'c1', changes: [{ path: 'told.txt', sizeBytes: 10 }] }]);
});

test('[W-04] of two calls at once either may have done it, and the event says so', async () => {
  const go = join(temporaryFolder(), 'go');
  const { run, events, until } = await play(
    [
      ...START,
      ['call', 'c1', 'Bash', { command: 'x' }],
      ['call', 'c2', 'Bash', { command: 'y' }],
      ['await-file', go],
      ['write', 'shared.txt', 'x'],
      ['done', 'c1'],
      ['done', 'c2'],
      ...END,
    ],
    { watchFiles: true },
  );
  await until(() => run.calls.length === 2);
  writeFileSync(go, '');
  await run.ended;
  const [change] = changes(events);
  expect(changes(events)).toHaveLength(1);
  expect(change?.toolCallId).toBeUndefined();
  expect(change?.candidates).toEqual(['c1', 'c2']);
});

test("[W-04] what the person does is nobody's call, and a deleted file has no size", async () => {
  const go = join(temporaryFolder(), 'go');
  const { run, events, until } = await play(
    [['write', 'old.txt', 'x'], ...START, ['text', 'I think.'], ['await-file', go], ...END],
    {
      watchFiles: true,
    },
  );
  await until(() => events.some(({ type }) => type === 'text-end'));
  writeFileSync(join(run.cwd, 'mine.txt'), 'by hand');
  await until(() => changes(events).some(({ changes: [one] }) => one?.path.endsWith('mine.txt') === true));
  writeFileSync(go, '');
  await run.ended;
  const mine = changes(events).find(({ changes: [one] }) => one?.path.endsWith('mine.txt'));
  expect(mine).toMatchObject({ changes: [{ operation: 'add', sizeBytes: 7 }] });
  expect(mine?.toolCallId).toBeUndefined();
  expect(mine?.candidates).toBeUndefined();
});

test('[W-04] in a folder that is reached by a link, a change is told once, whichever way it is named', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'real'));
  symlinkSync('real', join(folder, 'link'));
  const byLink = join(folder, 'link/by-link.txt');
  const { run, events } = await play(
    [
      ...START,
      ['call', 'c1', 'Write', { file_path: byLink, content: 'x' }],
      ['write', byLink, 'x'],
      ['done', 'c1'],
      ['call', 'c2', 'Write', { file_path: join(folder, 'real/by-name.txt'), content: 'y' }],
      ['write', join(folder, 'real/by-name.txt'), 'y'],
      ['done', 'c2'],
      ...END,
    ],
    { watchFiles: true, cwd: join(folder, 'link') },
  );
  await run.ended;
  expect(changes(events)).toMatchObject([
    { toolCallId: 'c1', changes: [{ path: byLink, sizeBytes: 1 }] },
    { toolCallId: 'c2', changes: [{ sizeBytes: 1 }] },
  ]);
});

test('[W-04] a call that was allowed with another path tells of its change once', async () => {
  const { run, events } = await play(
    [
      ...START,
      ['call', 'c1', 'Write', { file_path: 'asked.txt', content: 'x' }],
      ['write', 'allowed.txt', 'x'],
      ['wrote', 'c1', 'allowed.txt', 'x'],
      ['call', 'c2', 'Bash', { command: 'true' }],
      ['done', 'c2'],
      ...END,
    ],
    { watchFiles: true },
  );
  await run.ended;
  expect(changes(events)).toHaveLength(1);
  expect(changes(events)).toMatchObject([{ toolCallId: 'c1' }]);
});

test('[W-04] whoever writes down what is told, in the very folder, makes no end of it', async () => {
  const go = join(temporaryFolder(), 'go');
  const { run, rows, until } = await play(
    [
      ...START,
      ['call', 'c1', 'Bash', { command: 'x' }],
      ['write', 'made.txt', 'x'],
      ['await-file', go],
      ['done', 'c1'],
      ['text', 'I think.'],
      ...END,
    ],
    {
      watchFiles: true,
      onLines: (lines) => {
        for (const { bytes } of lines) appendFileSync(join(run.cwd, 'told.log'), bytes);
      },
    },
  );
  const told = (name: string): number =>
    rows.filter(
      ({ source, bytes }) => source === 'host' && /"file-changed"/.test(`${bytes}`) && `${bytes}`.includes(name),
    ).length;
  await until(() => told('made.txt') > 0 && told('told.log') > 0);
  writeFileSync(go, '');
  expect(await run.ended).toMatchObject({ end: 'exit', success: true });
  expect(told('told.log')).toBeLessThanOrEqual(rows.filter(({ source }) => source === 'stdout').length);
});
