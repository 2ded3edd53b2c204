import type { CallFacts } from '@tailrace/core';
import { expect, test } from 'vitest';
import { statusWord, targetOf, toolLabel } from './call-words.ts';

const call: CallFacts = { toolCallId: '1', name: 'tool', kind: 'other', status: 'completed' };

test.each([
  ['pending', 'preparing', 'working'],
  ['running', 'running', 'working'],
  ['waiting', 'waiting for you', 'waiting'],
  ['completed', 'ok', 'muted'],
  ['failed', 'failed', 'bad'],
  ['denied', 'denied', 'bad'],
  ['cancelled', 'cancelled', 'muted'],
  ['unknown', 'no result', 'muted'],
] as const)('a call that is %s says "%s"', (status, word, tone) => {
  expect(statusWord({ status })).toEqual({ word, tone });
});

test('a call that gave something back without telling how it went has ended', () => {
  expect(statusWord({ status: 'unknown', content: [{ type: 'text', text: 'x' }] }).word).toBe('ended');
});

test('a command that failed says with which code', () => {
  expect(statusWord({ status: 'failed', exitCode: 1 }).word).toBe('exit 1');
  expect(statusWord({ status: 'completed', exitCode: 0 }).word).toBe('ok');
  expect(statusWord({ status: 'denied', exitCode: 1 }).word).toBe('denied');
});

test.each<readonly [Partial<CallFacts>, string]>([
  [{ kind: 'execute', input: { command: 'npm test' } }, 'npm test'],
  [{ kind: 'read', locations: [{ path: '/p/src/a.ts' }], input: { offset: 1, limit: 120 } }, 'src/a.ts (1–120)'],
  [{ kind: 'read', locations: [{ path: '/elsewhere/a.ts' }] }, '/elsewhere/a.ts'],
  [{ kind: 'read', input: { path: 'a.ts', view_range: [3, -1] } }, 'a.ts (3–)'],
  [
    {
      kind: 'edit',
      changes: [
        { path: '/p/a', operation: 'add' },
        { path: '/p/b', operation: 'add' },
      ],
    },
    'a and 1 more',
  ],
  [{ kind: 'search', title: 'TODO' }, 'TODO'],
  [{ kind: 'fetch', input: { url: 'https://example.com/' } }, 'https://example.com/'],
  [{ mcp: { server: 's', tool: 'add' }, title: 'Add', input: { a: 1 } }, '{"a":1}'],
  [{ input: {} }, ''],
  [{ inputText: '{"comm' }, '{"comm'],
  [
    {
      todos: [
        { content: 'a', status: 'completed' },
        { content: 'b', status: 'in_progress' },
      ],
    },
    '1 of 2 done: b',
  ],
  [{ title: '/p/src/b.ts' }, 'src/b.ts'],
])('what a call acts on: %j', (facts, target) => {
  expect(targetOf({ ...call, ...facts }, '/p')).toBe(target);
});

test('a tool of a server is named with it', () => {
  expect(toolLabel({ name: 'x', mcp: { server: 'calc', tool: 'add' } })).toBe('calc · add');
  expect(toolLabel({ name: '' })).toBe('a tool');
});
