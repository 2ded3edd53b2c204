import { expect, test } from 'vitest';
import type { UsageEntry } from '../contract.ts';
import { callsByAnswer, type Timed } from './calls-by-answer.ts';

const answers: readonly Timed[] = [
  ['s', 'second', null, 20],
  ['s', 'first', null, 10],
  ['s', 'own', 'x', 12],
  ['t', 'first', null, 10],
];
const calls: readonly Timed[] = [
  ['s', 'Read', null, 10],
  ['s', 'Bash', null, 19],
  ['s', 'Grep', 'x', 21],
  ['s', 'Early', null, 5],
  ['u', 'Read', null, 5],
];

function entry(sessionId: string, id: string, messages = 1): UsageEntry {
  const counts = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0, outputTokens: 1 };
  return { id, sessionId, subagentId: null, at: 0, model: null, project: null, costUsd: null, messages, ...counts };
}

test.each([
  ['the calls until the next answer of its thread', entry('s', 'first'), ['Read', 'Bash']],
  ['none where there was no call', entry('s', 'second'), ['none']],
  ["a sub-agent's own", entry('s', 'own'), ['Grep']],
  ['of its own session', entry('t', 'first'), ['none']],
  ['nothing for the rest of a total', entry('s', 'rest', 0), []],
  ['nothing where nobody knows the session', entry('v', 'first'), []],
])('an answer has %s', (_, one, names) => {
  expect(callsByAnswer(answers, calls)(one)).toEqual(names);
});
