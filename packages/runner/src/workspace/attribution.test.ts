// Who could have done it, by what was heard alone.

import { posix } from 'node:path';
import type { AgentStreamEvent, EventOf, ToolKind, ToolTag } from '@tailrace/core';
import { describe, expect, test } from 'vitest';
import { type Attribution, createAttribution, LATE_FOR_TARGET_MS, LATE_MS, TICK_MS } from './attribution.ts';

/** A run in which calls come and go at given times. */
function createRun() {
  const attribution: Attribution = createAttribution((path) => posix.resolve('/mill', path));
  let seq = 0;
  const hear = <T extends AgentStreamEvent['type']>(
    at: number,
    type: T,
    fields: Omit<EventOf<T>, 'type' | 'seq'>,
  ): void => {
    // The fields are those of the type; the compiler cannot put a generic union together again.
    attribution.hear({ type, seq: seq++, ...fields } as unknown as AgentStreamEvent, at);
  };
  return {
    attribution,
    hear,
    causes: (path: string, at: number) => attribution.causesOf(posix.resolve('/mill', path), at),
    start: (at: number, toolCallId: string, kind: ToolKind, tags?: readonly ToolTag[]) =>
      hear(at, 'tool-call-start', { toolCallId, toolName: 'x', kind, ...(tags && { tags }) }),
    input: (at: number, toolCallId: string, ...paths: string[]) =>
      hear(at, 'tool-call-input-end', { toolCallId, input: {}, locations: paths.map((path) => ({ path })) }),
    end: (at: number, toolCallId: string, outcome: 'success' | 'denied' = 'success') =>
      hear(at, 'tool-call-end', { toolCallId, toolName: 'x', outcome, content: [] }),
  };
}

describe('[W-04] the calls that could have changed a file', () => {
  test('are those that ran, from their start to their end, also when they have ended', () => {
    const { causes, end, start } = createRun();
    start(1_000, 'a', 'execute');
    expect(causes('x', 1_500)).toEqual(['a']);
    end(2_000, 'a');
    expect(causes('x', 2_000)).toEqual(['a']);
    expect(causes('x', 2_001)).toEqual([]);
    expect(causes('x', 1_000 - LATE_MS)).toEqual(['a']);
    expect(causes('x', 1_000 - LATE_MS - 1)).toEqual([]);
  });

  test('are several when several ran, and one when only one did', () => {
    const { causes, end, start } = createRun();
    start(1_000, 'a', 'execute');
    start(2_000, 'b', 'other');
    end(3_000, 'a');
    end(4_000, 'b');
    expect(causes('x', 1_500)).toEqual(['a']);
    expect(causes('x', 2_500)).toEqual(['a', 'b']);
    expect(causes('x', 3_500)).toEqual(['b']);
    // It is nearer to have run than to have been heard of late.
    expect(causes('x', 2_000 - TICK_MS - 1)).toEqual(['a']);
  });

  test.each<[ToolKind, readonly string[]]>([
    ['execute', ['a']],
    ['other', ['a']],
    ['edit', []],
    ['delete', []],
    ['move', []],
    ['read', []],
    ['search', []],
    ['think', []],
    ['fetch', []],
    ['switch_mode', []],
  ])('of kind %s that names another file: %j', (kind, expected) => {
    const { causes, input, start } = createRun();
    start(1_000, 'a', kind);
    input(1_000, 'a', 'other.ts');
    expect(causes('x', 1_500)).toEqual(expected);
  });

  test('an edit that names the file alone did it, however its path is written', () => {
    const { causes, input, start } = createRun();
    start(1_000, 'shell', 'execute');
    start(1_000, 'edit', 'edit');
    input(1_000, 'edit', './src/../x.ts');
    expect(causes('/mill/x.ts', 1_500)).toEqual(['edit']);
    expect(causes('/mill/y.ts', 1_500)).toEqual(['shell']);
    // Heard of late, and yet named.
    expect(causes('/mill/x.ts', 1_000 - LATE_FOR_TARGET_MS)).toEqual(['edit']);
  });

  test('an edit that names nothing may have written anything', () => {
    const { causes, input, start } = createRun();
    start(1_000, 'a', 'edit');
    input(1_000, 'a');
    expect(causes('x', 1_500)).toEqual(['a']);
  });

  test('not a question that waits for the person, nor what the provider runs', () => {
    const { causes, hear, start } = createRun();
    start(1_000, 'a', 'other', ['question']);
    hear(1_000, 'tool-call-start', { toolCallId: 'b', toolName: 'x', kind: 'execute', serverSide: true });
    expect(causes('x', 1_500)).toEqual([]);
  });

  test('not one whose input is still being written', () => {
    const { causes, end, hear, input, start } = createRun();
    start(1_000, 'a', 'execute');
    hear(1_001, 'tool-call-input-delta', { toolCallId: 'a', delta: '{' });
    expect(causes('x', 1_500)).toEqual([]);
    input(5_000, 'a');
    expect(causes('x', 1_500)).toEqual([]);
    expect(causes('x', 5_500)).toEqual(['a']);
    end(6_000, 'a');
    expect(causes('x', 5_500)).toEqual(['a']);
  });

  test('not one that waits for a permission, nor one that got none', () => {
    const { attribution, causes, end, hear, input, start } = createRun();
    for (const id of ['a', 'b']) {
      start(1_000, id, 'execute');
      hear(1_100, 'permission-request', { requestId: `ask-${id}`, toolCallId: id });
      input(1_200, id);
    }
    expect(causes('x', 5_000)).toEqual([]);
    expect(attribution.isBusy).toBe(false);
    hear(9_000, 'permission-resolve', { requestId: 'ask-a', decision: 'allowed', by: 'user' });
    hear(9_000, 'permission-resolve', { requestId: 'ask-b', decision: 'denied', by: 'user' });
    expect(causes('x', 9_500)).toEqual(['a']);
    end(9_600, 'b', 'denied');
    end(9_700, 'a');
    expect(causes('x', 5_000)).toEqual([]);
    expect(causes('x', 9_500)).toEqual(['a']);
  });

  test('one that ran though nobody told us of a yes', () => {
    const { causes, end, hear, start } = createRun();
    start(1_000, 'a', 'execute');
    hear(1_100, 'permission-request', { requestId: 'ask', toolCallId: 'a' });
    end(3_000, 'a');
    expect(causes('x', 2_000)).toEqual(['a']);
  });

  test('a command in the background until it ends', () => {
    const { attribution, causes, end, hear, start } = createRun();
    start(1_000, 'a', 'execute');
    hear(1_100, 'task-start', { taskId: 't', kind: 'command', toolCallId: 'a', background: true });
    end(1_200, 'a');
    expect(causes('x', 60_000)).toEqual(['a']);
    expect(attribution.isBusy).toBe(true);
    hear(70_000, 'task-end', { taskId: 't', outcome: 'success' });
    expect(causes('x', 60_000)).toEqual(['a']);
    expect(causes('x', 70_001)).toEqual([]);
    expect(attribution.isBusy).toBe(false);
  });

  test('the call of a sub-agent, and not the one that started the sub-agent', () => {
    const { causes, end, hear, start } = createRun();
    start(1_000, 'helper', 'think', ['subagent']);
    hear(1_000, 'task-start', { taskId: 't', kind: 'agent', toolCallId: 'helper' });
    hear(2_000, 'tool-call-start', { toolCallId: 'a', toolName: 'x', kind: 'execute', subagentId: 't' });
    expect(causes('x', 1_500)).toEqual([]);
    expect(causes('x', 2_500)).toEqual(['a']);
    end(3_000, 'a');
    expect(causes('x', 3_500)).toEqual([]);
  });

  test('not the call that started a sub-agent in the background, once it has ended', () => {
    const { causes, end, hear, start } = createRun();
    start(1_000, 'helper', 'other');
    hear(1_000, 'task-start', { taskId: 't', kind: 'agent', toolCallId: 'helper', background: true });
    end(2_000, 'helper');
    expect(causes('x', 2_500)).toEqual([]);
  });

  test('none after the end of the session', () => {
    const { causes, hear, start } = createRun();
    start(1_000, 'a', 'execute');
    hear(2_000, 'session-end', { outcome: 'cancelled' });
    expect(causes('x', 2_001)).toEqual([]);
  });
});

test('the files that running edits have named are known before they are written', () => {
  const { attribution, end, hear, input, start } = createRun();
  start(1_000, 'a', 'edit');
  start(1_000, 'b', 'execute');
  input(1_000, 'a', 'x', '/elsewhere/y');
  input(1_000, 'b', 'z');
  hear(1_100, 'tool-call-update', { toolCallId: 'a', locations: [{ path: 'w' }] });
  expect(attribution.targets().map(({ path }) => path)).toEqual(['/mill/x', '/elsewhere/y', '/mill/w']);
  end(2_000, 'a');
  expect(attribution.targets()).toEqual([]);
});

test('of very many calls the last are remembered, and those that run', () => {
  const { causes, end, start } = createRun();
  start(0, 'running', 'execute');
  for (let index = 1; index <= 3_000; index++) {
    start(index * 1_000, `c${index}`, 'execute');
    end(index * 1_000 + 1, `c${index}`);
  }
  expect(causes('x', 5_000)).toEqual(['running']);
  expect(causes('x', 3_000_000)).toEqual(['running', 'c3000']);
});
