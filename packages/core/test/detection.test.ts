// Whose stream it is: told by its first line, from any place in the middle, and never taken for another's.

import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SURE } from '../src/agents/detect.ts';
import { agents, createDecoder } from '../src/index.ts';
import { captures } from './captures.ts';
import { recordingsOf } from './recordings.ts';

const streams = agents
  .flatMap(({ name: agent }) =>
    (agent === 'claude' ? captures : recordingsOf(agent)).map(({ name, bytes }) => ({ agent, name, bytes })),
  )
  .filter(({ bytes }) => linesOf(bytes).length > 0);

/** The lines of a stream that hold an object. */
function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes)
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'));
}

function agentOf(text: string): string | undefined {
  const decoder = createDecoder();
  decoder.feed(Buffer.from(text));
  decoder.end();
  return decoder.agent;
}

test('every agent of which there are recordings is there, once, and says what it has to say', () => {
  // The sessions of the demo are of one of them, and screens are what is printed of them all.
  const recorded = readdirSync(new URL('../../../fixtures/', import.meta.url)).filter(
    (name) => !name.includes('.') && name !== 'demo' && name !== 'screens',
  );
  expect(recorded.length).toBeGreaterThanOrEqual(10);
  expect(agents.map(({ name }) => name).sort()).toEqual(recorded.sort());
  for (const { title, shows, command, readExit } of agents)
    expect([typeof title, shows?.length !== 0, typeof command, typeof readExit]).toEqual([
      'string',
      true,
      'function',
      'function',
    ]);
});

describe.each(streams)('$agent/$name', ({ agent, bytes }) => {
  const lines = linesOf(bytes);

  test('is known by its first line', () => {
    expect(agentOf(`${lines[0] ?? ''}\n`)).toBe(agent);
  });

  test('is known when reading begins in the middle', () => {
    for (let from = 0; from < lines.length; from++) {
      const found = agentOf(lines.slice(from).join('\n'));
      // The last lines of some say nothing that others might not say: then nobody claims them.
      expect([agent, ...(from > 0 ? [undefined] : [])], lines[from]?.slice(0, 120)).toContain(found);
    }
  });

  test('has no line that another agent takes for its own, surer than its owner', () => {
    for (const line of lines) {
      const message = JSON.parse(line);
      const sureness = agents
        .map(({ name, detect }) => ({ name, sure: detect([message]) }))
        .sort((a, b) => b.sure - a.sure);
      const [best] = sureness;
      if (best && best.sure >= SURE) expect(best.name, line.slice(0, 120)).toBe(agent);
    }
  });
});
