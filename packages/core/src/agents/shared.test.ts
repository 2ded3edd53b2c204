// The small parts that agents share.

import { describe, expect, test } from 'vitest';
import { partsOf, textIn, textParts } from './content.ts';
import { codeOfStatus, errorOf, statusIn } from './errors.ts';
import { exitError, readExit } from './exit.ts';
import { inputFrom } from './input.ts';
import { patchOf } from './patch.ts';
import { traits, traitsIn } from './tools.ts';

describe('errors', () => {
  test.each([
    ['Unauthorized (401) from http://127.0.0.1:19300/v1', 401],
    ['exceeded retry limit, last status: 429 Too Many Requests', 429],
    ['401 Incorrect API key provided.', 401],
    ['connect ECONNREFUSED 127.0.0.1:5432', undefined],
    ['4012 tokens', undefined],
    ['port 10.0.0.500', undefined],
    ['', undefined],
  ])('the status in %j is %s', (message, status) => expect(statusIn(message)).toBe(status));

  test.each([
    ["Codex ran out of room in the model's context window.", 'context_full'],
    ['stream disconnected before completion', 'network'],
    ['terminated', 'network'],
    ['You exceeded your current quota', 'billing'],
    ['Rate limit reached for requests', 'rate_limit'],
    ['Incorrect API key provided', 'authentication'],
    ['blocked due to safety settings', 'content_filter'],
    ['The model `x` does not exist', 'model_not_found'],
    ['something odd', 'unknown'],
  ])('%j is %s', (message, code) => expect(errorOf({ message }).code).toBe(code));

  test('the agent own word counts before the status, the status before the sentence', () => {
    expect(errorOf({ message: 'rate limit', status: 500, code: 'billing' }).code).toBe('billing');
    expect(errorOf({ message: 'rate limit', status: 500 })).toEqual({
      code: 'server',
      message: 'rate limit',
      httpStatus: 500,
    });
    expect(errorOf({ message: 'x', nativeCode: 'E1', retryable: true })).toEqual({
      code: 'unknown',
      message: 'x',
      nativeCode: 'E1',
      retryable: true,
    });
  });

  test('every status that means something has its word', () => {
    const words = [400, 401, 402, 403, 404, 408, 413, 429, 500, 503, 529, 418, 600].map(codeOfStatus);
    expect(words).toEqual([
      'invalid_request',
      'authentication',
      'billing',
      'authentication',
      'model_not_found',
      'timeout',
      'context_full',
      'rate_limit',
      'server',
      'overloaded',
      'overloaded',
      undefined,
      undefined,
    ]);
  });
});

describe('the end of a process', () => {
  const error = { code: 'network', message: 'gone' } as const;
  test.each([
    [{ signal: 'SIGTERM' }, { ending: { outcome: 'success' } }, { outcome: 'cancelled' }],
    [{ code: 1 }, { ending: { outcome: 'success' } }, { outcome: 'success' }],
    [{ code: 130 }, {}, { outcome: 'cancelled' }],
    [{ code: 143 }, {}, { outcome: 'cancelled' }],
    [{ code: 0 }, { isAborted: true }, { outcome: 'cancelled' }],
    [{ code: 0 }, {}, { outcome: 'unknown' }],
    [{}, { error }, { outcome: 'unknown' }],
    [{ code: 1 }, { error }, { outcome: 'error', error }],
    [{ code: 7 }, {}, { outcome: 'error', error: exitError(7) }],
  ] as const)('%j after %j', (exit, seen, ending) => expect(readExit(exit, seen)).toEqual(ending));
});

describe('content', () => {
  test('of every kind of part', () => {
    expect(
      partsOf([
        'plain',
        { type: 'text', text: 'words' },
        { type: 'content', content: { type: 'text', text: 'wrapped' } },
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
        { type: 'audio', data: 'AA==' },
        { type: 'image', url: 'https://x/y.png' },
        { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'a' } },
        { type: 'resource_link', uri: 'file:///b', name: 'b' },
      ]),
    ).toEqual([
      { type: 'text', text: 'plain' },
      { type: 'text', text: 'words' },
      { type: 'text', text: 'wrapped' },
      { type: 'image', mediaType: 'image/png', data: 'AA==' },
      { type: 'audio', mediaType: 'audio/*', data: 'AA==' },
      { type: 'image', mediaType: 'image/*', uri: 'https://x/y.png' },
      { type: 'resource', uri: 'file:///a', mediaType: 'text/plain', text: 'a' },
      { type: 'resource', uri: 'file:///b', title: 'b' },
    ]);
  });

  test.each([
    [{ type: 'text' }],
    [{ type: 'content' }],
    [{ type: 'image' }],
    [{ type: 'resource' }],
    [{ type: 'resource_link' }],
    [{ type: 'hologram' }],
    [7],
    [true],
  ])('%j is kept as it is', (value) => expect(partsOf([value])).toEqual([{ type: 'json', value }]));

  test('of nothing is nothing', () => {
    expect([partsOf(undefined), partsOf(null), textParts(''), textParts(undefined)]).toEqual([[], [], [], []]);
    expect(textIn([{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }])).toBe('ab');
    expect([textIn('c'), textIn(7)]).toEqual(['c', '']);
  });
});

test('a patch is its hunks, counted', () => {
  const diff = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n-a\n+b\n+c\n d\n';
  expect(patchOf(diff)).toEqual({ patch: '@@ -1,2 +1,3 @@\n-a\n+b\n+c\n d', linesAdded: 2, linesRemoved: 1 });
  expect(patchOf('no hunk')).toBeUndefined();
});

test('an input is what its text makes, and never a bomb', () => {
  expect([inputFrom(''), inputFrom('{"a":1}'), inputFrom('{"a":')]).toEqual([{}, { a: 1 }, '{"a":']);
  const bomb = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(inputFrom(bomb)).toBe(bomb);
});

test('a tool that nobody knows is other, whatever it is called', () => {
  const table = { read: traits('read', 'list') };
  expect(traitsIn(table, 'read')).toEqual({ kind: 'read', tags: ['list'] });
  for (const name of ['write', 'constructor', '__proto__', ''])
    expect(traitsIn(table, name)).toEqual({ kind: 'other' });
});
