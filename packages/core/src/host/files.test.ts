// What tools report and what the watcher saw are told once, whoever comes first.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import type { EventDraft } from '../event/draft.ts';
import type { FileChange, Outcome } from '../event/event.ts';
import { ChangeJoiner, type FileChangedLine, MAX_CHANGES_PER_EVENT, MAX_HELD_CHANGES } from './files.ts';

type ChangeDraft = Extract<EventDraft, { readonly type: 'file-change' }>;

/** A decoder as far as the joiner knows it: events line by line. */
function createStream(cwd = '/home/dev') {
  const joiner = new ChangeJoiner();
  const events: (ChangeDraft & { readonly subagentId?: string | undefined })[] = [];
  const write = (event: EventDraft, subagentId?: string): void => {
    if (event.type === 'file-change') events.push({ ...event, ...(subagentId !== undefined && { subagentId }) });
  };
  const line = (drafts: readonly EventDraft[], subagentId?: string): void => {
    for (const draft of drafts) write(joiner.pass(draft, subagentId), subagentId);
    joiner.settle(write);
  };
  const stream = {
    events,
    line,
    told: () => events.map(({ toolCallId, candidates, changes }) => [toolCallId ?? candidates ?? [], changes]),
    open: (id: string, subagentId?: string): void =>
      line([{ type: 'tool-call-start', toolCallId: id, toolName: 'x', kind: 'other' }], subagentId),
    /** The end comes first in its line, and what the tool did follows: so do all agents. */
    close: (id: string, changes: readonly FileChange[] = [], outcome: Outcome = 'success'): void =>
      line([
        { type: 'tool-call-end', toolCallId: id, toolName: 'x', outcome, content: [] },
        ...(changes.length > 0 ? [{ type: 'file-change', toolCallId: id, changes, outcome } as const] : []),
      ]),
    saw: (path: string, operation: FileChangedLine['operation'], sizeBytes?: number, ...calls: string[]): void => {
      const size = sizeBytes === undefined ? {} : { sizeBytes };
      joiner.hear({ type: 'file-changed', path, operation, ...size, toolCallIds: calls });
      joiner.settle(write);
    },
    finish: (): void => joiner.finish(write),
  };
  line([{ type: 'session-start', agent: 'test', cwd }]);
  return stream;
}

describe("[W-04] a tool's report and what was seen", () => {
  test('what was seen gives the report its size, and is not told again', () => {
    const stream = createStream();
    stream.open('a');
    stream.saw('/home/dev/x.ts', 'modify', 12, 'a');
    expect(stream.told()).toEqual([]);
    stream.close('a', [{ path: '/home/dev/x.ts', operation: 'add', newText: 'x' }]);
    stream.finish();
    expect(stream.told()).toEqual([['a', [{ path: '/home/dev/x.ts', operation: 'add', newText: 'x', sizeBytes: 12 }]]]);
  });

  test.each([
    ['/home/dev', 'x.ts', '/home/dev/x.ts'],
    ['/home/dev', './src/../x.ts', '/home/dev/x.ts'],
    ['C:\\work', 'c:/work/X.ts', 'C:\\work\\x.ts'],
  ])('from %s the paths %s and %s are the same', (cwd, reported, seen) => {
    const stream = createStream(cwd);
    stream.open('a');
    stream.saw(seen, 'modify', 3, 'a');
    stream.close('a', [{ path: reported, operation: 'modify' }]);
    expect(stream.told()).toEqual([['a', [{ path: reported, operation: 'modify', sizeBytes: 3 }]]]);
  });

  test('a workspace that the host and the agent spell differently is one', () => {
    const joiner = new ChangeJoiner();
    joiner.pass({ type: 'run-start', runId: 'r', agent: 'test', cwd: '/link' });
    joiner.pass({ type: 'session-start', agent: 'test', cwd: '/real' });
    joiner.pass({ type: 'tool-call-start', toolCallId: 'a', toolName: 'x', kind: 'edit' });
    joiner.hear({ type: 'file-changed', path: '/link/x', operation: 'add', sizeBytes: 4, toolCallIds: ['a'] });
    const changes = [{ path: '/real/x', operation: 'add' }] as const;
    expect(joiner.pass({ type: 'file-change', toolCallId: 'a', changes, outcome: 'success' })).toMatchObject({
      changes: [{ path: '/real/x', sizeBytes: 4 }],
    });
  });

  test('what comes after the report is the same change, but for one by somebody else', () => {
    const stream = createStream();
    stream.open('a');
    stream.close('a', [{ path: 'x', operation: 'modify' }]);
    stream.saw('/home/dev/x', 'modify', 5, 'a');
    stream.saw('/home/dev/x', 'modify', 6);
    stream.open('b');
    stream.saw('/home/dev/x', 'modify', 7, 'b');
    stream.close('b');
    expect(stream.told()).toEqual([
      ['a', [{ path: 'x', operation: 'modify' }]],
      [[], [{ path: '/home/dev/x', operation: 'modify', sizeBytes: 6 }]],
      ['b', [{ path: '/home/dev/x', operation: 'modify', sizeBytes: 7 }]],
    ]);
  });

  test('a move takes both of its places', () => {
    const stream = createStream();
    stream.open('a');
    stream.saw('/home/dev/old', 'delete', undefined, 'a');
    stream.saw('/home/dev/new', 'add', 9, 'a');
    stream.close('a', [{ path: 'new', fromPath: 'old', operation: 'move' }]);
    expect(stream.told()).toEqual([['a', [{ path: 'new', fromPath: 'old', operation: 'move', sizeBytes: 9 }]]]);
  });

  test('a deleted file has no size', () => {
    const stream = createStream();
    stream.open('a');
    stream.saw('/home/dev/x', 'modify', 9, 'a');
    stream.saw('/home/dev/x', 'delete', undefined, 'a');
    stream.close('a', [{ path: 'x', operation: 'delete' }]);
    expect(stream.told()).toEqual([['a', [{ path: 'x', operation: 'delete' }]]]);
  });

  test('a file that is gone is not the one a tool has written', () => {
    const stream = createStream();
    stream.open('a');
    stream.saw('/home/dev/x', 'delete', undefined, 'a');
    stream.close('a', [{ path: 'x', operation: 'modify' }]);
    expect(stream.told()).toEqual([
      ['a', [{ path: 'x', operation: 'modify' }]],
      ['a', [{ path: '/home/dev/x', operation: 'delete' }]],
    ]);
  });

  test('a report of a failure takes nothing with it', () => {
    const stream = createStream();
    stream.open('a');
    stream.saw('/home/dev/x', 'modify', 9, 'a');
    stream.close('a', [{ path: 'x', operation: 'modify' }], 'error');
    expect(stream.events.map(({ outcome }) => outcome)).toEqual(['error', 'success']);
  });
});

describe('[W-04] what no tool reports', () => {
  test('is told when its call has ended, all of it at once', () => {
    const stream = createStream();
    stream.open('a');
    stream.saw('/home/dev/x', 'add', 1, 'a');
    stream.saw('/home/dev/y', 'delete', undefined, 'a');
    expect(stream.told()).toEqual([]);
    stream.close('a');
    expect(stream.told()).toEqual([
      [
        'a',
        [
          { path: '/home/dev/x', operation: 'add', sizeBytes: 1 },
          { path: '/home/dev/y', operation: 'delete' },
        ],
      ],
    ]);
  });

  test('waits for the last of two calls, and says that it is not certain', () => {
    const stream = createStream();
    stream.open('b');
    stream.open('a');
    stream.saw('/home/dev/x', 'modify', 1, 'b', 'a');
    stream.close('a');
    expect(stream.told()).toEqual([]);
    stream.close('b');
    expect(stream.told()).toEqual([[['a', 'b'], [{ path: '/home/dev/x', operation: 'modify', sizeBytes: 1 }]]]);
  });

  test('is certain as soon as one of the two reports it', () => {
    const stream = createStream();
    stream.open('a');
    stream.open('b');
    stream.saw('/home/dev/x', 'modify', 1, 'a', 'b');
    stream.close('b', [{ path: 'x', operation: 'modify' }]);
    stream.close('a');
    expect(stream.told()).toEqual([['b', [{ path: 'x', operation: 'modify', sizeBytes: 1 }]]]);
  });

  test('has no call when somebody else did it, and is told at once', () => {
    const stream = createStream();
    stream.open('a');
    stream.saw('/home/dev/x', 'modify', 1);
    expect(stream.events).toEqual([
      {
        type: 'file-change',
        changes: [{ path: '/home/dev/x', operation: 'modify', sizeBytes: 1 }],
        outcome: 'success',
        toolCallId: undefined,
      },
    ]);
  });

  test('belongs to the sub-agent of its call, even after the call', () => {
    const stream = createStream();
    stream.open('a', 'helper');
    stream.saw('/home/dev/x', 'modify', 1, 'a');
    stream.close('a');
    stream.saw('/home/dev/y', 'modify', 1, 'a');
    expect(stream.events.map(({ toolCallId, subagentId }) => [toolCallId, subagentId])).toEqual([
      ['a', 'helper'],
      ['a', 'helper'],
    ]);
  });

  test('of a call that has ended, or that nobody knows, is told at once', () => {
    const stream = createStream();
    stream.open('a');
    stream.close('a');
    stream.saw('/home/dev/x', 'modify', 1, 'a');
    stream.saw('/home/dev/y', 'modify', 1, 'stranger');
    expect(stream.told().map(([calls]) => calls)).toEqual(['a', 'stranger']);
  });

  test('is told at the end of the stream, and nothing before its start', () => {
    const joiner = new ChangeJoiner();
    const written: EventDraft[] = [];
    joiner.hear({ type: 'file-changed', path: '/x', operation: 'modify', toolCallIds: [] });
    joiner.settle((event) => written.push(event));
    expect(written).toEqual([]);
    joiner.pass({ type: 'session-start', agent: 'test' });
    joiner.settle((event) => written.push(event));
    expect(written).toHaveLength(1);
    joiner.pass({ type: 'tool-call-start', toolCallId: 'a', toolName: 'x', kind: 'execute' });
    joiner.hear({ type: 'file-changed', path: '/x', operation: 'modify', toolCallIds: ['a'] });
    joiner.finish((event) => written.push(event));
    expect(written).toHaveLength(2);
  });

  test.each([
    [['add', 'modify'], ['add']],
    [['add', 'delete'], []],
    [['add', 'delete', 'add'], ['add']],
    [['modify', 'modify'], ['modify']],
    [['modify', 'delete'], ['delete']],
    [['delete', 'add'], ['modify']],
    [['delete', 'add', 'delete'], ['delete']],
  ] as const)('%j by one call comes to %j', (operations, told) => {
    const stream = createStream();
    stream.open('a');
    operations.forEach((operation, index) => {
      stream.saw('/home/dev/x', operation, operation === 'delete' ? undefined : index, 'a');
    });
    stream.close('a');
    const last = operations.length - 1;
    expect(stream.events.flatMap(({ changes }) => changes)).toEqual(
      told.map((operation) => ({
        path: '/home/dev/x',
        operation,
        ...(operations[last] !== 'delete' && { sizeBytes: last }),
      })),
    );
  });
});

test('holds no more than it may, names no more in one event than it may, and loses nothing', () => {
  const stream = createStream();
  stream.open('a');
  const extra = 50;
  for (let index = 0; index < MAX_HELD_CHANGES + extra; index++) stream.saw(`/home/dev/${index}`, 'add', 1, 'a');
  expect(stream.events).toHaveLength(extra);
  stream.close('a');
  const paths = stream.events.flatMap(({ changes }) => changes.map(({ path }) => path));
  expect(new Set(paths).size).toBe(MAX_HELD_CHANGES + extra);
  expect(paths).toHaveLength(MAX_HELD_CHANGES + extra);
  expect(Math.max(...stream.events.map(({ changes }) => changes.length))).toBe(MAX_CHANGES_PER_EVENT);
});

test('[W-04] whatever the order, each path is told once for each call, with the size it was last seen with', () => {
  const paths = ['p0', 'p1', 'p2'];
  const sighting = fc.record({ call: fc.nat(2), path: fc.constantFrom(...paths), size: fc.nat(99) });
  /** Which call reports which path, and when each call ends among the sightings. */
  const scene = fc.record({
    sightings: fc.array(sighting, { maxLength: 30 }),
    reports: fc.array(fc.subarray(paths), { minLength: 3, maxLength: 3 }),
    ends: fc.array(fc.nat(30), { minLength: 3, maxLength: 3 }),
  });
  fc.assert(
    fc.property(scene, ({ sightings, reports, ends }) => {
      const stream = createStream();
      const expected = new Map<string, number | undefined>();
      for (let call = 0; call < 3; call++) stream.open(`c${call}`);
      const isOver = (call: number, moment: number): boolean => (ends[call] ?? 0) <= moment;
      const endCalls = (moment: number): void => {
        for (let call = 0; call < 3; call++) {
          if (ends[call] !== moment) continue;
          const report = reports[call] ?? [];
          for (const path of report) {
            const key = `c${call} ${path}`;
            if (!expected.has(key)) expected.set(key, undefined);
          }
          stream.close(
            `c${call}`,
            report.map((path) => ({ path, operation: 'modify' })),
          );
        }
      };
      sightings.forEach(({ call, path, size }, moment) => {
        endCalls(moment);
        if (isOver(call, moment) && !reports[call]?.includes(path)) return;
        if (!isOver(call, moment)) expected.set(`c${call} ${path}`, size);
        stream.saw(`/home/dev/${path}`, 'modify', size, `c${call}`);
      });
      for (let moment = sightings.length; moment <= 30; moment++) endCalls(moment);
      const told = stream.events.flatMap(({ toolCallId, changes }) =>
        changes.map(({ path, sizeBytes }): [string, number | undefined] => [
          `${toolCallId} ${path.replace('/home/dev/', '')}`,
          sizeBytes,
        ]),
      );
      expect(new Map(told)).toEqual(expected);
      expect(told).toHaveLength(expected.size);
    }),
    { numRuns: counts.runs },
  );
});
