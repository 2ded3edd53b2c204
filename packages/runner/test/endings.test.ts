// The ways in which a run can end: 8 of the process, 4 places in the stream, 3 stances of the host. Each run ends once, tells so,
// and leaves nobody. Everything the fake agent does here, the real one was seen to do: see fake-agent.mjs.

import { type AgentStreamEvent, createDecoder } from '@tailrace/core';
import { brokenPromises } from '@tailrace/core/testing';
import { describe, expect, test } from 'vitest';
import type { RunOptions, RunResult, Waits } from '../src/index.ts';
import { isAlive, type Played, play, type Step } from './fake.ts';

/** Short, so that 96 runs take a moment. */
const waits: Partial<Waits> = { quiet: 20, linger: 60, drain: 60, terminate: 60, kill: 60 };
/** One that ends by itself gets the time for it, on a busy machine too. */
const patience: Partial<Waits> = { ...waits, linger: 60_000 };

const places: Readonly<Record<string, readonly Step[]>> = {
  'before a word': [],
  'in a call': [['init'], ['prompt'], ['text', 'I look.'], ['call', 'c1', 'Bash', { command: 'sleep 9' }]],
  'after a result': [['init'], ['prompt'], ['text', 'Hello.'], ['result', 'Hello.']],
  'after a failure': [['init'], ['prompt'], ['failure', 'API Error: 400']],
};
type Place = keyof typeof places;

const ways: Readonly<Record<string, { readonly steps: readonly Step[]; readonly hangs?: true }>> = {
  'exits with 0': { steps: [['exit', 0]] },
  'exits with 1': { steps: [['exit', 1]] },
  'exits with 143': { steps: [['exit', 143]] },
  'dies by TERM': { steps: [['die', 'SIGTERM']] },
  'dies by KILL': { steps: [['die', 'SIGKILL']] },
  hangs: { steps: [['hang']], hangs: true },
  'hangs and hears no signal': { steps: [['deaf'], ['hang']], hangs: true },
  'leaves its pipe to a child that hears no signal': {
    steps: [
      ['child', 'holds-pipe'],
      ['child', 'deaf'],
      ['exit', 0],
    ],
  },
};

const stances: Readonly<Record<string, Partial<RunOptions>>> = {
  'nobody answers': { asks: false },
  'somebody could answer': { asks: true },
  'it is stopped': { asks: true },
};

const cells = Object.keys(places).flatMap((place) =>
  Object.keys(ways).flatMap((way) => Object.keys(stances).map((stance) => [place, way, stance] as const)),
);

test('there are 96 of them', () => {
  expect(cells).toHaveLength(96);
});

describe.each(cells)('%s it %s, %s', (place, way, stance) => {
  test('the run ends once and leaves nobody', async () => {
    const { steps, hangs } = ways[way] ?? { steps: [] };
    const played = await play([...(places[place] ?? []), ...steps], {
      ...stances[stance],
      waits: hangs ? waits : patience,
    });
    const isStopped = stance === 'it is stopped';
    if (isStopped) {
      await played.until(() => played.states.at(-1) !== 'starting' || place === 'before a word');
      played.run.stop();
    } else if (hangs && !place.startsWith('after')) {
      // With work that is not done nothing but a person ends it.
      await expectUnharmed(played, place);
      played.run.stop();
    }
    const result = await played.run.ended;
    expectEnd(played, result);
    expectOutcome(result, played.events, {
      place,
      way,
      wasStopped: isStopped || (hangs === true && !place.startsWith('after')),
    });
    expect(again(played)).toEqual(played.events);
  });
});

async function expectUnharmed({ run, until, events, told }: Played, place: Place): Promise<void> {
  await until(() => place === 'before a word' || events.some(({ type }) => type === 'tool-call-start'));
  await until(() => isTold(told));
  expect(isAlive(told().pid)).toBe(true);
  expect(run.state).not.toBe('ended');
}

function isTold(told: () => unknown): boolean {
  try {
    told();
    return true;
  } catch {
    return false;
  }
}

function expectEnd({ run, events, states, rows, children }: Played, result: RunResult): void {
  expect(run.state).toBe('ended');
  expect(states.filter((state) => state === 'ended')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'session-end')).toHaveLength(1);
  expect(brokenPromises(events)).toEqual([]);
  const last = rows.filter(({ source }) => source === 'host').slice(-2);
  expect(last.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()).type)).toEqual(['exited', 'state-changed']);
  expect(children().filter(isAlive)).toEqual([]);
  expect(run.requests).toEqual([]);
  expect(result.success && result.error !== undefined).toBe(false);
}

interface Cell {
  readonly place: Place;
  readonly way: string;
  readonly wasStopped: boolean;
}

function expectOutcome(result: RunResult, events: readonly AgentStreamEvent[], { place, way, wasStopped }: Cell): void {
  const told = { success: 'success', failure: 'error' }[place === 'after a result' ? 'success' : 'failure'];
  const session = events.find(({ type }) => type === 'session-end');
  expect(session).toMatchObject({ outcome: result.outcome });
  if (wasStopped && way.startsWith('hangs')) {
    expect(result).toMatchObject({ end: 'stopped', aborted: true, success: false });
    return;
  }
  // One that ends by itself may be faster than whoever stops it.
  if (wasStopped) return;
  if (way.startsWith('dies')) {
    expect(result).toMatchObject({ end: 'signal', aborted: true, success: false, outcome: 'cancelled' });
    expect(result.signal).toBe(way === 'dies by TERM' ? 'SIGTERM' : 'SIGKILL');
    return;
  }
  if (way.startsWith('hangs')) {
    expect(result).toMatchObject({ end: 'hung', outcome: told, aborted: false, success: told === 'success' });
    return;
  }
  expect(result.end).toBe('exit');
  if (place.startsWith('after')) expect(result.outcome).toBe(told);
  else if (way === 'exits with 143') expect(result).toMatchObject({ outcome: 'cancelled', aborted: true });
  else if (way === 'exits with 1') expect(result).toMatchObject({ outcome: 'error', success: false });
  else expect(result).toMatchObject({ outcome: 'unknown', success: true });
}

/** The events that the record gives. */
function again({ rows }: Played): AgentStreamEvent[] {
  const decoder = createDecoder();
  return [...rows.flatMap(({ bytes, at, source }) => decoder.feed(bytes, { at, source })), ...decoder.end()];
}
