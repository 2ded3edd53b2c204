// Runs of the fake agent from start to end: what is told, what is recorded, what is left.

import { createDecoder } from '@tailrace/core';
import { brokenPromises } from '@tailrace/core/testing';
import { expect, test } from 'vitest';
import { isAlive, type Played, play } from './fake.ts';

const ANSWER = [['init'], ['prompt'], ['text', 'Hello.'], ['result', 'Hello.']] as const;

test('a run tells its states, its events and how it ended', async () => {
  const { run, events, states } = await play([...ANSWER, ['exit', 0]]);
  const result = await run.ended;
  expect(result).toMatchObject({ end: 'exit', outcome: 'success', success: true, aborted: false, exitCode: 0 });
  expect(states[0]).toBe('starting');
  expect(states.at(-1)).toBe('ended');
  expect(events.map(({ type }) => type)).toContain('text-end');
  expect(events.filter(({ type }) => type === 'session-end')).toHaveLength(1);
  expect(brokenPromises(events)).toEqual([]);
});

test('the record holds every byte of every pipe, and gives the same events when it is read again', async () => {
  const { run, events, rows, stdin } = await play(
    [
      ['init'],
      ['prompt'],
      ['stderr', 'careful\n'],
      ['call', 'c1', 'Bash', { command: 'ls' }],
      ['ask', 'c1', 'Bash', { command: 'ls' }],
      ['raw', 'not json\n'],
      ['result'],
      ['until-stdin-ends'],
      ['raw', 'a last line without its end'],
      ['exit', 3],
    ],
    { policy: () => ({ decision: 'allow' }) },
  );
  await run.ended;
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  const written = rows.filter(({ source }) => source === 'stdin').map(({ bytes }) => bytes);
  expect(Buffer.concat(written).equals(stdin())).toBe(true);
  const decoder = createDecoder();
  const again = rows.flatMap(({ bytes, at, source }) => decoder.feed(bytes, { at, source }));
  again.push(...decoder.end());
  expect(again).toEqual(events);
  expect(events.map(({ type }) => type)).toContain('notice');
  const hosts = rows
    .filter(({ source }) => source === 'host')
    .map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()));
  expect(hosts.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['run-started', 'state-changed', 'answered', 'exited']),
  );
  expect(hosts[0]).toMatchObject({ type: 'run-started', runId: run.id, prompt: 'Do it', agent: 'claude' });
  expect(events.find(({ type }) => type === 'permission-resolve')).toMatchObject({ by: 'policy', decision: 'allowed' });
});

test('[M-09] at exit the rest of the buffer is read; a non-zero exit is an error with status and stderr', async () => {
  const { run, events } = await play([
    ['init'],
    ['stderr', 'out of memory\n'],
    ['raw', '{"type":"assistant","mess'],
    ['exit', 7],
  ]);
  const result = await run.ended;
  expect(result).toMatchObject({ success: false, outcome: 'error', exitCode: 7, stderr: 'out of memory' });
  expect(result.error).toContain('exit code 7');
  expect(result.error).toContain('out of memory');
  expect(events.find(({ type }) => type === 'raw')).toMatchObject({ reason: 'cut_off', bytes: 25 });
});

test('no process of a run outlives it, whatever it left behind', async () => {
  const { run, children } = await play(
    [
      ['init'],
      ['child', 'plain'],
      ['child', 'own-session'],
      ['child', 'deaf'],
      ['child', 'holds-pipe'],
      ['prompt'],
      ['result'],
      ['exit', 0],
    ],
    { waits: { terminate: 50 } },
  );
  const result = await run.ended;
  expect(result.success).toBe(true);
  expect(children()).toHaveLength(4);
  expect(children().filter(isAlive)).toEqual([]);
});

test("[W-01] the caller's name for the work stands in the record and in the first event; nothing is there unless given", async () => {
  const named = await play([['init'], ['result'], ['exit', 0]], { asks: false, workOrderId: 'order 7 — ü' });
  const other = await play([['init'], ['result'], ['exit', 0]], { asks: false });
  await Promise.all([named.run.ended, other.run.ended]);
  const first = ({ rows }: Played): object => JSON.parse(Buffer.from(rows[0]?.bytes ?? []).toString());
  expect(first(named)).toMatchObject({ type: 'run-started', workOrderId: 'order 7 — ü' });
  expect(named.events[0]).toMatchObject({ type: 'run-start', workOrderId: 'order 7 — ü' });
  expect(first(other)).not.toHaveProperty('workOrderId');
  expect(other.events[0]).not.toHaveProperty('workOrderId');
  expect(JSON.stringify(named.told())).not.toContain('order 7');
});

test.each([199, 200, 201])('a name for the work of %i characters', async (length) => {
  const start = play([['exit', 0]], { asks: false, workOrderId: 'x'.repeat(length) });
  if (length > 200) await expect(start).rejects.toMatchObject({ code: 'value-refused' });
  else await (await start).run.ended;
});
