// A run as its workspace sees it: events made by hand, files changed by real shells.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { AgentStreamEvent, EventOf, ToolKind } from '@tailrace/core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Clock, systemClock } from '../clock.ts';
import { type FileChangedLine, type Workspace, watchWorkspace } from './workspace.ts';

const execute = promisify(execFile);
/** Nothing is told by itself: only when it is asked for. */
const stillClock: Clock = { now: () => Date.now(), after: () => () => undefined };

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-workspace-')));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function createRun({ clock = stillClock, by = (folder: string) => folder } = {}) {
  const folder = temporaryFolder();
  const cwd = by(folder);
  const lines: FileChangedLine[] = [];
  const workspace: Workspace = watchWorkspace({
    cwd,
    clock,
    onChange: (line) => lines.push(line),
    onWarning: ({ message }) => {
      throw new Error(message);
    },
  });
  ends.push(() => workspace.close());
  await workspace.ready;
  let seq = 0;
  /** As the runner does with each line: it arrives, what happened until now is told, then it is decoded and heard. */
  const say = async <T extends AgentStreamEvent['type']>(
    type: T,
    fields: Omit<EventOf<T>, 'type' | 'seq' | 'at'>,
  ): Promise<void> => {
    const at = Date.now();
    await workspace.beforeFeed();
    // The fields are those of the type; the compiler cannot put a generic union together again.
    workspace.hear({ type, seq: seq++, at, ...fields } as unknown as AgentStreamEvent);
  };
  return {
    cwd,
    folder,
    lines,
    workspace,
    say,
    start: (toolCallId: string, kind: ToolKind, subagentId?: string) =>
      say('tool-call-start', { toolCallId, toolName: 'x', kind, ...(subagentId !== undefined && { subagentId }) }),
    input: (toolCallId: string, ...paths: string[]) =>
      say('tool-call-input-end', { toolCallId, input: {}, locations: paths.map((path) => ({ path })) }),
    end: (toolCallId: string) => say('tool-call-end', { toolCallId, toolName: 'x', outcome: 'success', content: [] }),
    shell: (script: string) => execute('sh', ['-c', script], { cwd: folder }),
    /** What was told since it was last asked: `operation path size by calls`. */
    told: (): string[] =>
      lines.splice(0).map(({ path, operation, sizeBytes, toolCallIds }) => {
        return [operation, relative(folder, path), sizeBytes ?? '-', 'by', ...toolCallIds].join(' ');
      }),
  };
}

describe('[W-04] a change is told with its size and the calls that could have made it', () => {
  test('by a shell command: before its end is heard, once', async () => {
    const run = await createRun();
    await run.start('bash', 'execute');
    await run.shell('mkdir -p src && printf abc > src/a.txt && printf x > b.txt && rm b.txt');
    await run.end('bash');
    expect(run.told()).toEqual(['add src/a.txt 3 by bash']);
    await run.start('again', 'execute');
    await run.shell('printf abcd > src/a.txt; rm src/a.txt; printf abcde > src/a.txt');
    await run.end('again');
    expect(run.told()).toEqual(['modify src/a.txt 5 by again']);
    await run.start('last', 'execute');
    await run.shell('rm -r src');
    await run.end('last');
    expect(run.told()).toEqual(['delete src/a.txt - by last']);
    await run.workspace.look();
    expect(run.told()).toEqual([]);
  });

  test('by two calls at once: both, and after one has ended only the other', async () => {
    const run = await createRun();
    await run.start('one', 'execute');
    await run.start('two', 'execute');
    await Promise.all([run.shell('printf 1 > one'), run.shell('printf 22 > two')]);
    await run.end('one');
    expect(run.told().sort()).toEqual(['add one 1 by one two', 'add two 2 by one two']);
    await run.shell('printf 333 > three');
    await run.end('two');
    expect(run.told()).toEqual(['add three 3 by two']);
  });

  test('by one call right after another: each its own', async () => {
    const run = await createRun();
    for (const id of ['a', 'b', 'c', 'd']) {
      await run.start(id, 'execute');
      writeFileSync(join(run.folder, id), id);
      await run.end(id);
    }
    expect(run.told()).toEqual(['a', 'b', 'c', 'd'].map((id) => `add ${id} 1 by ${id}`));
  });

  test('by the person: no call, whether none runs, or one that cannot write, or one that writes elsewhere', async () => {
    const run = await createRun();
    await run.shell('printf 1 > one');
    await run.workspace.look();
    await run.start('read', 'read');
    await run.shell('printf 22 > two');
    await run.end('read');
    await run.workspace.look();
    await run.start('edit', 'edit');
    await run.input('edit', 'elsewhere');
    await run.shell('printf 333 > three');
    await run.end('edit');
    await run.workspace.look();
    expect(run.told()).toEqual(['add one 1 by', 'add two 2 by', 'add three 3 by']);
  });

  test('by the person while a call waits for the permission to run', async () => {
    const run = await createRun();
    await run.start('bash', 'execute');
    await run.say('permission-request', { requestId: 'ask', toolCallId: 'bash' });
    await run.shell('printf 1 > one');
    await run.workspace.look();
    await run.say('permission-resolve', { requestId: 'ask', decision: 'allowed', by: 'user' });
    await run.shell('printf 22 > two');
    await run.end('bash');
    expect(run.told()).toEqual(['add one 1 by', 'add two 2 by bash']);
  });

  test('by a tool inside a sub-agent: that tool', async () => {
    const run = await createRun();
    await run.start('helper', 'think');
    await run.say('task-start', { taskId: 'task', kind: 'agent', toolCallId: 'helper' });
    await run.start('inner', 'execute', 'task');
    await run.shell('printf 1 > one');
    await run.end('inner');
    await run.start('edit', 'edit', 'task');
    await run.input('edit', join(run.folder, 'two'));
    await run.shell('printf 22 > two');
    await run.end('edit');
    await run.end('helper');
    expect(run.told()).toEqual(['add one 1 by inner', 'add two 2 by edit']);
  });

  test('by a command in the background: the call that started it, long after', async () => {
    const run = await createRun();
    await run.start('bash', 'execute');
    await run.say('task-start', { taskId: 'task', kind: 'command', toolCallId: 'bash', background: true });
    await run.end('bash');
    await run.shell('printf 1 > one');
    await run.say('text-delta', { messageId: 'm', blockId: 'b', delta: 'x' });
    expect(run.told()).toEqual(['add one 1 by bash']);
    await run.say('task-end', { taskId: 'task', outcome: 'success' });
    await run.shell('printf 22 > two');
    await run.workspace.look();
    expect(run.told()).toEqual(['add two 2 by']);
  });

  test('not what is ignored, unless a tool names it', async () => {
    const run = await createRun();
    await run.shell('printf "out/\\n" > .gitignore; mkdir -p out node_modules/x');
    await run.workspace.look();
    run.told();
    await run.start('bash', 'execute');
    await run.shell('printf 1 > out/a; printf 1 > node_modules/x/b');
    await run.end('bash');
    await run.workspace.look();
    expect(run.told()).toEqual([]);
    await run.start('edit', 'edit');
    await run.input('edit', 'out/named');
    await run.shell('printf 22 > out/named');
    await run.end('edit');
    expect(run.told()).toEqual(['add out/named 2 by edit']);
  });

  test('a file outside the workspace that a tool names, once', async () => {
    const run = await createRun();
    const outside = join(temporaryFolder(), 'notes');
    await run.start('edit', 'edit');
    await run.input('edit', outside);
    await run.say('tool-call-update', { toolCallId: 'edit' });
    expect(run.lines).toEqual([]);
    writeFileSync(outside, 'note');
    await run.say('tool-call-update', { toolCallId: 'edit' });
    await run.end('edit');
    expect(run.lines.splice(0)).toEqual([
      { type: 'file-changed', path: outside, operation: 'add', sizeBytes: 4, toolCallIds: ['edit'] },
    ]);
  });

  test('in a workspace that is reached by a link: by its real path, however the tool spells it', async () => {
    const link = join(temporaryFolder(), 'link');
    const run = await createRun({
      by(folder) {
        symlinkSync(folder, link);
        return link;
      },
    });
    await run.start('edit', 'edit');
    await run.input('edit', join(link, 'a'));
    await run.start('bash', 'execute');
    writeFileSync(join(run.folder, 'a'), 'a');
    await run.end('edit');
    expect(run.lines).toMatchObject([{ path: join(run.folder, 'a'), toolCallIds: ['edit'] }]);
  });
});

describe('what comes in the wrong order', () => {
  test('a change that is seen before its call is heard of waits for it', async () => {
    const run = await createRun();
    writeFileSync(join(run.folder, 'a'), 'a');
    const at = Date.now();
    await run.start('busy', 'edit');
    await run.input('busy', 'b');
    // The watcher finds it now, and nobody has said that `late` runs.
    await run.workspace.beforeFeed();
    expect(run.told()).toEqual([]);
    run.workspace.hear({
      type: 'tool-call-start',
      seq: 0,
      at,
      toolCallId: 'late',
      toolName: 'x',
      kind: 'edit',
    });
    run.workspace.hear({
      type: 'tool-call-input-end',
      seq: 1,
      at,
      toolCallId: 'late',
      input: {},
      locations: [{ path: 'a' }],
    });
    expect(run.told()).toEqual(['add a 1 by late']);
  });

  test('and is told by itself when no call comes', async () => {
    const run = await createRun({ clock: systemClock });
    mkdirSync(join(run.folder, 'd'));
    writeFileSync(join(run.folder, 'd', 'a'), 'a');
    await vi.waitFor(() => expect(run.lines).toHaveLength(1), { timeout: 60_000 });
    expect(run.told()).toEqual(['add d/a 1 by']);
  });

  test('what happened to the same file before is told before', async () => {
    const run = await createRun();
    await run.start('edit', 'edit');
    await run.input('edit', 'other');
    writeFileSync(join(run.folder, 'a'), 'a');
    await run.workspace.beforeFeed();
    await run.start('bash', 'execute');
    run.told();
    writeFileSync(join(run.folder, 'a'), 'aa');
    await run.end('bash');
    writeFileSync(join(run.folder, 'a'), 'aaa');
    await run.workspace.look();
    expect(run.told()).toEqual(['modify a 2 by bash', 'modify a 3 by']);
  });
});

test('where no call runs there is nothing to wait for', async () => {
  const run = await createRun();
  expect(run.workspace.beforeFeed()).toBeUndefined();
  await run.start('read', 'read');
  expect(run.workspace.beforeFeed()).toBeUndefined();
  await run.start('bash', 'execute');
  expect(run.workspace.beforeFeed()).toBeInstanceOf(Promise);
});
