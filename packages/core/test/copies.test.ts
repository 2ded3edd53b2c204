// A session file that has lost lines, beside a whole copy of it: what was lost is not counted twice.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type AgentStreamEvent, createDecoder, createSession } from '../src/index.ts';
import { costOf, sumOf } from './bill.ts';

const folder = new URL('../../../fixtures/claude/2.1.325/', import.meta.url);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.transcript.jsonl'))
  .map((file) => ({ file, lines: readFileSync(new URL(file, folder), 'utf8').split('\n') }))
  .filter(({ lines }) => lines.some((line) => line.includes('"type":"cost-state"')))
  .map((one) => ({ ...one, ids: idsIn(one.lines) }))
  .filter(({ ids }) => ids.length > 0);

function idsIn(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.flatMap((line) => /"id":"(msg_[^"]+)"/.exec(line)?.[1] ?? []))];
}

const eventsOf = (lines: readonly string[]): readonly AgentStreamEvent[] => {
  const decoder = createDecoder({ agent: 'claude' });
  return [...decoder.feed(new TextEncoder().encode(lines.join('\n')), { source: 'transcript' }), ...decoder.end()];
};

function billOf(copies: readonly (readonly string[])[]) {
  const session = createSession();
  for (const [index, lines] of copies.entries())
    for (const event of eventsOf(lines)) session.add({ id: `copy ${index}`, source: 'transcript' }, event);
  const { usage, costUsd } = session.ledger.figures();
  const entries = session.ledger.entries();
  const plain = (cost: number | undefined): number => Number((cost ?? 0).toFixed(9));
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    cost: plain(costUsd),
    entries: sumOf(entries),
    cost2: plain(costOf(entries)),
  };
}

describe.each(files)('$file', ({ lines, ids }) => {
  test.each(ids)('is the same bill beside a copy without %s, whichever comes first', (id) => {
    const damaged = lines.filter((line) => !line.includes(`"id":"${id}"`));
    const whole = billOf([lines]);
    expect(billOf([damaged, lines])).toEqual(whole);
    expect(billOf([lines, damaged])).toEqual(whole);
    expect(billOf([damaged, damaged, lines])).toEqual(whole);
  });
});
