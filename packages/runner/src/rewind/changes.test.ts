import type { AgentStreamEvent, EventOf, EventType, FileChange, ToolKind } from '@tailrace/core';
import { expect, test } from 'vitest';
import { type ChangesSince, changesSince } from './changes.ts';

type Draft = { [T in EventType]: Omit<EventOf<T>, 'seq'> }[EventType];

const numbered = (events: readonly Draft[]): AgentStreamEvent[] =>
  // Only the number is added.
  events.map((event, seq) => ({ ...event, seq }) as AgentStreamEvent);

const started: Draft = { type: 'run-start', runId: 'r', agent: 'claude', cwd: '/home/me' };
const prompt = (messageId: string, words = messageId): Draft => ({
  type: 'user-message',
  messageId,
  origin: 'replay',
  content: [{ type: 'text', text: words }],
});
const call = (toolCallId: string, kind: ToolKind, more: object = {}): Draft => ({
  type: 'tool-call-start',
  toolCallId,
  toolName: kind === 'execute' ? 'Bash' : 'Edit',
  kind,
  ...more,
});
const change = (
  cause: string | readonly string[] | undefined,
  path: string,
  operation: FileChange['operation'] = 'modify',
  outcome: 'success' | 'denied' = 'success',
): Draft => ({
  type: 'file-change',
  ...(typeof cause === 'string' ? { toolCallId: cause } : cause ? { candidates: cause } : {}),
  changes: [{ path, operation }],
  outcome,
});
const since = (...events: readonly Draft[]): ChangesSince => changesSince(numbered([started, ...events]), 'p2');
const paths = (list: ChangesSince['byTools']): string[] => list.map(({ path }) => path);

test('[G-15] what commands changed since the prompt is told apart from what the tools changed, with the command by name', () => {
  const changes = since(
    prompt('p1'),
    call('b1', 'execute'),
    change('b1', '/home/me/before.txt', 'add'),
    prompt('p2', 'Second'),
    call('e1', 'edit'),
    change('e1', '/home/me/edited.txt'),
    call('b2', 'execute'),
    { type: 'tool-call-input-end', toolCallId: 'b2', input: {}, title: 'make it' },
    change('b2', '/home/me/made.txt', 'add'),
    change(undefined, '/home/me/mine.txt'),
  );
  expect(changes).toMatchObject({ isKnown: true, prompt: 'Second', isWatched: true });
  expect(paths(changes.byTools)).toEqual(['/home/me/edited.txt']);
  expect(changes.byCommands).toMatchObject([
    { path: '/home/me/made.txt', operation: 'add', calls: [{ toolCallId: 'b2', toolName: 'Bash', title: 'make it' }] },
  ]);
  expect(paths(changes.unknown)).toEqual(['/home/me/mine.txt']);
});

test('one of several commands is a command; a command or an edit is not certain', () => {
  const changes = since(
    prompt('p2'),
    call('b1', 'execute'),
    call('b2', 'execute'),
    call('e1', 'edit'),
    change(['b1', 'b2'], '/home/me/one.txt'),
    change(['b1', 'e1'], '/home/me/two.txt'),
  );
  expect(paths(changes.byCommands)).toEqual(['/home/me/one.txt']);
  expect(changes.unknown.map(({ path, calls }) => [path, calls.length])).toEqual([['/home/me/two.txt', 2]]);
});

test('[G-15] the agent keeps no copies of what a sub-agent or a tool of somebody else edits', () => {
  const changes = since(
    prompt('p2'),
    call('s1', 'edit', { subagentId: 'task' }),
    change('s1', '/home/me/a.txt'),
    call('m1', 'edit', { mcp: { server: 'files', tool: 'write' } }),
    change('m1', '/home/me/b.txt'),
    // No call of that id is known.
    change('gone', '/home/me/c.txt'),
  );
  expect(changes.byTools).toEqual([]);
  expect(paths(changes.byCommands)).toEqual(['/home/me/a.txt', '/home/me/b.txt', '/home/me/c.txt']);
  expect(changes.byCommands[0]?.calls).toMatchObject([{ subagentId: 'task' }]);
});

test('[G-15] a command that changes a file which the agent has a copy of is told from one that came first', () => {
  const changes = since(
    prompt('p1'),
    call('e1', 'edit'),
    // As it was asked to; the watcher names it in full.
    change('e1', 'kept.txt'),
    prompt('p2'),
    call('b1', 'execute'),
    change('b1', '/home/me/kept.txt'),
    change('b1', '/home/me/first.txt'),
    call('e2', 'edit'),
    change('e2', '/home/me/first.txt'),
    change('b1', '/home/me/first.txt'),
  );
  expect(changes.byCommands.map(({ path, wasKept }) => [path, wasKept])).toEqual([
    ['/home/me/kept.txt', true],
    ['/home/me/first.txt', false],
  ]);
});

test('a file that was not there at the prompt is new, whoever made it; one that was moved is gone', () => {
  const changes = since(
    prompt('p2'),
    call('e1', 'edit'),
    call('b1', 'execute'),
    change('e1', '/home/me/temporary', 'add'),
    change('b1', '/home/me/temporary', 'delete'),
    {
      type: 'file-change',
      toolCallId: 'e1',
      outcome: 'success',
      changes: [{ path: '/home/me/to', operation: 'move', fromPath: '/home/me/from' }],
    },
  );
  expect(changes.byCommands).toMatchObject([{ path: '/home/me/temporary', isNew: true, isDeleted: true }]);
  expect(changes.byTools.find(({ path }) => path === '/home/me/from')).toMatchObject({ isNew: false, isDeleted: true });
});

test('[G-15] a change that was seen before its command was heard of is not taken for somebody else’s', () => {
  const at = (event: Draft, time: number): Draft => ({ ...event, at: time });
  const changes = since(
    prompt('p2'),
    at(change(undefined, '/home/me/mine.txt'), 10),
    at(change(undefined, '/home/me/made.txt', 'add'), 30),
    at(call('e1', 'edit'), 20),
    at(change(undefined, '/home/me/written.txt', 'add'), 30),
    at(call('b1', 'execute'), 20),
    { type: 'tool-call-input-end', toolCallId: 'b1', input: {}, title: 'make it' },
    at(call('b2', 'execute'), 40),
    at(change('e1', '/home/me/written.txt', 'add'), 40),
    at(change('e1', '/home/me/mine.txt'), 40),
    at(change(undefined, '/home/me/late.txt'), 50),
    { type: 'turn-end', turnId: 't', outcome: 'success' },
    at(change(undefined, '/home/me/later.txt'), 60),
  );
  expect(changes.byTools).toMatchObject([{ path: '/home/me/written.txt', isNew: true }, { path: '/home/me/mine.txt' }]);
  expect(changes.unknown[1]?.calls).toMatchObject([{ title: 'make it' }]);
  expect(changes.unknown.map(({ path, calls }) => [path, calls.map(({ toolCallId }) => toolCallId)])).toEqual([
    ['/home/me/mine.txt', []],
    ['/home/me/made.txt', ['b1']],
    ['/home/me/late.txt', ['b1', 'b2']],
    ['/home/me/later.txt', []],
  ]);
});

test('what was denied has changed nothing, and what came before the prompt is not told', () => {
  const changes = since(
    call('e1', 'edit'),
    change('e1', '/home/me/early'),
    prompt('p2'),
    change('e1', '/x', 'add', 'denied'),
  );
  expect([...changes.byTools, ...changes.byCommands, ...changes.unknown]).toEqual([]);
});

test('a prompt that is not there is not known', () => {
  const changes = since(prompt('p1'), call('b1', 'execute'), change('b1', '/home/me/a.txt'));
  expect(changes).toMatchObject({ isKnown: false, byCommands: [], commands: [] });
});

test.each<[string, readonly Draft[], boolean]>([
  ['while a run watches', [started, prompt('p2'), call('b1', 'execute')], true],
  ['after the run', [started, { type: 'session-end', outcome: 'success' }, prompt('p2'), call('b1', 'execute')], false],
  ['without any run', [prompt('p2'), call('b1', 'execute')], false],
  ['without any command', [prompt('p2'), call('e1', 'edit')], true],
  [
    'in a folder that is too large',
    [
      started,
      { type: 'notice', severity: 'warning', title: '', nativeCode: 'workspace-too-large' },
      prompt('p2'),
      call('b1', 'execute'),
    ],
    false,
  ],
])('[G-15] whether anybody watched the files is told: %s', (_name, events, isWatched) => {
  const changes = changesSince(numbered(events), 'p2');
  expect(changes.isWatched).toBe(isWatched);
});
