// Where Claude Code keeps its sessions, by name alone.

import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transcripts as layout } from './layout.ts';

const ID = '88cb37b2-9fa9-4aca-bcfd-4a064a210470';
const PROJECT = '-home-dev-project';

/** A thousand texts that are no ids, and would lead elsewhere if somebody took them for one. */
const hostile: readonly string[] = [
  '',
  '.',
  '..',
  '../..',
  '/etc/passwd',
  '..\\..\\x',
  'C:\\x',
  'C:x',
  '\\\\host\\share',
  '//host/share',
  '\\\\?\\C:\\x',
  'NUL',
  '%2e%2e%2f',
  '%252e%252e',
  '\0',
  `${ID}\0.jsonl`,
  `${ID}/..`,
  `../${ID}`,
  `${ID}\n`,
  `\n${ID}`,
  ` ${ID}`,
  `${ID}.jsonl`,
  `{${ID}}`,
  ID.replaceAll('-', ''),
  ID.replace('8', '８'),
  ID.replace('-', '‐'),
  'x'.repeat(5000),
  '../'.repeat(1600),
  '~',
  '~/.ssh/id_rsa',
  '-rf',
  '--resume',
  '__proto__',
  ...fc.sample(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(fc.constantFrom('..', '.', '/', '\\', '%2e', '%2f', '\0', 'C:', '\\\\', '~', ID, 'a', '\u202e', ' '), {
          maxLength: 40,
        })
        .map((parts) => parts.join('')),
    ),
    { numRuns: 967, seed: 23 },
  ),
];

describe('[T-23] an id becomes part of a path', () => {
  test('only in the form of a UUID', () => {
    expect(hostile).toHaveLength(1000);
    expect(layout.isSessionId(ID)).toBe(true);
    expect(layout.isSessionId(ID.toUpperCase())).toBe(true);
    expect(hostile.filter((text) => text !== ID && layout.isSessionId(text))).toEqual([]);
  });

  test('and whatever is given for one, the file lies in a folder of the root', () => {
    expect(layout.fileOf(ID, '/home/dev/project')).toBe(`projects/${PROJECT}/${ID}.jsonl`);
    for (const text of hostile) {
      for (const file of [layout.fileOf(text, '/home/dev/project'), layout.fileOf(ID, text)]) {
        expect(file).toMatch(/^projects\/[A-Za-z0-9-]{0,200}\/[A-Za-z0-9-]{0,200}\.jsonl$/);
        expect(posix.join('/base', file).startsWith('/base/projects/')).toBe(true);
        expect(win32.join('C:\\base', file).startsWith('C:\\base\\projects\\')).toBe(true);
      }
    }
  });

  test('and no path with such a name in the place of the id is taken for a session', () => {
    for (const text of hostile) {
      if (text === ID) continue;
      expect(layout.fileIn(`${PROJECT}/${text}.jsonl`)?.sessionId).toBeUndefined();
      expect(layout.fileIn(`${PROJECT}/${text}/subagents/agent-a.jsonl`)?.sessionId).toBeUndefined();
    }
  });
});

describe('a file below the root', () => {
  test.each([
    [`${PROJECT}/${ID}.jsonl`, { sessionId: ID }],
    [`${PROJECT}/${ID}/subagents/agent-a1.jsonl`, { sessionId: ID, taskId: 'a1' }],
    [`${PROJECT}/${ID}/subagents/workflows/w1/agent-a1.jsonl`, { sessionId: ID, taskId: 'a1' }],
    [`${PROJECT}/agent-a1.jsonl`, { taskId: 'a1' }],
    [`${PROJECT}/${ID}/subagents/agent-a1.meta.json`, undefined],
    [`${PROJECT}/${ID}/tool-results/a1.jsonl`, undefined],
    [`${PROJECT}/${ID}/subagents/${ID}.jsonl`, undefined],
    [`${PROJECT}/${ID}/subagents`, undefined],
    [`${PROJECT}/notes.jsonl`, undefined],
    [`${PROJECT}/agent-.jsonl`, undefined],
    [`${PROJECT}/memory/MEMORY.md`, undefined],
    [`${ID}.jsonl`, undefined],
    [`/${ID}.jsonl`, undefined],
    ['', undefined],
  ])('%s', (path, wanted) => {
    expect(layout.fileIn(path)).toEqual(wanted);
  });
});
