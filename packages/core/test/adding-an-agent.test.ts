// The page that says how an agent is added has an agent in it: this one works, and it is the one that is printed there.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { agents, createDecoder } from '../src/index.ts';
import { agentCases, testAgent } from '../src/testing/index.ts';
import { brook } from './brook.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const page = read('../../../docs/adding-an-agent.md');
const blocksOf = (language: string): string[] =>
  page.split('```').flatMap((block) => (block.startsWith(`${language}\n`) ? [block.slice(language.length + 1)] : []));
const bytes = Buffer.from(blocksOf('ndjson')[0] ?? '');

testAgent(
  brook,
  {
    fixtures: [
      { name: 'look', bytes, exit: { code: 0 } },
      { name: 'two turns', bytes: Buffer.concat([bytes, bytes]) },
      { name: 'killed', bytes: bytes.subarray(0, 150), exit: { signal: 'SIGKILL' } },
    ],
    firstLine: true,
  },
  test,
);

describe('the page', () => {
  test('prints the example as it is', () => {
    expect(blocksOf('ts')).toContain(read('./brook.ts').replace("'../src/index.ts'", "'@tailrace/core'"));
  });

  test('explains every rule', () => {
    for (const { rule } of agentCases(brook, { fixtures: [{ name: 'look', bytes }] }))
      expect(page).toContain(`\`${rule}\``);
  });
});

test("the example is told from others' streams", () => {
  const decoder = createDecoder({ agents: [...agents, brook] });
  const events = [...decoder.feed(bytes), ...decoder.end({ code: 0 })];
  expect(decoder.agent).toBe('brook');
  expect(events.map(({ type }) => type)).toEqual([
    'session-start',
    'turn-start',
    'message-start',
    'text-start',
    'text-end',
    'message-end',
    'tool-call-start',
    'tool-call-input-end',
    'tool-call-end',
    'message-start',
    'text-start',
    'text-end',
    'message-end',
    'turn-end',
    'session-end',
  ]);
  expect(events.at(-1)).toMatchObject({ sessionId: 'r-1', outcome: 'success', exitCode: 0 });
});
