// What is said of a session after it has ended, or was told anew, in one go.

import type { AgentStreamEvent } from '@tailrace/core';
import type { ServerMessage, Subscribe } from '@tailrace/protocol';
import type { Told } from '@tailrace/store';
import { describe, expect, test } from 'vitest';
import { createView, type Past } from './view.ts';
import { wantedOf } from './wanted.ts';

const sessionId = 's';

function event(type: string, more: object = {}): AgentStreamEvent {
  return { type, seq: 0, ...more } as unknown as AgentStreamEvent;
}

const call = (time: number) => event('tool-call-start', { toolCallId: 't', toolName: 'Bash', kind: 'execute', time });
const result = (time: number) =>
  event('tool-call-end', { toolCallId: 't', toolName: 'Bash', outcome: 'success', content: [], time });
const broken = (time: number) =>
  event('tool-call-end', { toolCallId: 't', toolName: 'Bash', outcome: 'cancelled', content: [], time });

/** A session as it is kept: these lines. */
function pastOf(lines: ReadonlyMap<number, readonly AgentStreamEvent[]>): Past {
  return {
    about: async () => ({ agent: 'claude', project: 'p' }),
    async *events(_, before) {
      for (const [position, events] of lines) if (position < before) yield events;
    },
  };
}

async function say(
  wanted: Omit<Subscribe, 'type' | 'subscriptionId'>,
  past: Past,
  told: readonly Told[],
): Promise<readonly ServerMessage[]> {
  const view = createView(wantedOf({ type: 'subscribe', subscriptionId: 'x', ...wanted }, undefined), past);
  await view.prepare(told);
  return told.flatMap((one) => view.say(one)).map((text) => JSON.parse(text));
}

const line = (place: number, ...events: readonly AgentStreamEvent[]): Told => ({
  kind: 'line',
  place,
  sessionId,
  events,
});
const ended = (place: number, ...events: readonly AgentStreamEvent[]): Told => ({
  kind: 'ended',
  place,
  sessionId,
  events,
});

describe.each([{}, { tools: ['Bash'] }, { agents: ['claude'] }])('with the filter %j', (filter) => {
  const past = pastOf(
    new Map([
      [1, [call(0)]],
      [2, [event('notice')]],
    ]),
  );

  test('an end at the place of a retelling is said', async () => {
    const told = [line(1, call(0)), { kind: 'retold', place: 1.25, sessionId } as const, ended(1.25, broken(1))];
    expect((await say({ view: 'events', filter }, past, told)).map(({ type }) => type)).toEqual(['event', 'ended']);
  });

  test('a session that goes on after its end is said to go on', async () => {
    const told = [line(1, call(0)), ended(1.25, broken(1)), line(2, event('notice')), ended(2.25), line(3, result(7))];
    const said = await say({ view: 'events', filter }, past, told);
    expect(said.map(({ type }) => type)).toEqual(['event', 'ended', 'event', 'ended', 'event']);
  });
});

test('how long a call took is known also when the session seemed to have ended in between', async () => {
  const past = pastOf(
    new Map([
      [1, [call(100)]],
      [2, [event('notice', { time: 110 })]],
    ]),
  );
  const told = [line(2, event('notice', { time: 110 })), ended(2.25, broken(120)), line(3, result(170))];
  const said = await say({ view: 'activity', includeProgress: false }, past, told);
  expect(said.filter(({ type }) => type === 'agent_tool_result')).toMatchObject([
    { durationMs: 20 },
    { durationMs: 70 },
  ]);
});
