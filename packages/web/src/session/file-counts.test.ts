import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentStreamEvent } from '@tailrace/core';
import { expect, test } from 'vitest';
import { conversationOf, event } from '../../../client/test/session-events.ts';
import { countedFiles, sumOf } from './file-counts.ts';

test('lines are counted where an agent told the texts and no figures', () => {
  const file = join(import.meta.dirname, '../../../../fixtures/grok/1.0.41/edits.events.json');
  // The golden files hold events and nothing else.
  const events = JSON.parse(readFileSync(file, 'utf8')) as readonly AgentStreamEvent[];
  const files = countedFiles(conversationOf(events));
  expect(files.find(({ path }) => path.endsWith('hello.txt'))?.counts).toEqual({ added: 2, removed: 3 });
});

test('nothing is said of lines that nobody knows', () => {
  const call = (id: string, changes: readonly object[]): readonly AgentStreamEvent[] => [
    event({ type: 'tool-call-start', toolCallId: id, toolName: 'edit', input: {} }),
    event({ type: 'file-change', toolCallId: id, outcome: 'success', changes }),
  ];
  const unknown = countedFiles(conversationOf(call('a', [{ path: 'x', operation: 'modify' }])));
  expect(unknown).toEqual([{ path: 'x', operation: 'modify', counts: undefined }]);
  expect(sumOf(unknown)).toBeUndefined();
  const both = countedFiles(
    conversationOf([
      ...call('a', [{ path: 'x', operation: 'modify' }]),
      ...call('b', [{ path: 'y', operation: 'modify', patch: '--- y\n+++ y\n@@ -1 +1,2 @@\n-a\n+b\n+c\n' }]),
    ]),
  );
  expect(sumOf(both)).toEqual({ added: 2, removed: 1 });
});
