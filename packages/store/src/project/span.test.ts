import type { AgentStreamEvent } from '@tailrace/core';
import { expect, test } from 'vitest';
import { createSpan, type Span } from './span.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function spanOf(...heard: readonly (readonly [time: number | undefined, at: number])[]): ReturnType<Span['range']> {
  const span = createSpan();
  for (const [time, at] of heard) {
    const event: AgentStreamEvent = { type: 'notice', seq: 0, severity: 'info', title: '', ...(time && { time }) };
    span.add(event, { position: 1, stream: 's', seq: 1, at, isLive: true });
  }
  return span.range();
}

test('a run that is heard as it happens goes from the first to the last thing that is told or heard', () => {
  expect(spanOf([undefined, 100 * MINUTE], [99 * MINUTE, 100 * MINUTE], [undefined, 103 * MINUTE])).toEqual({
    start: 99 * MINUTE,
    end: 103 * MINUTE,
  });
});

test('a recording went when the agent says, not when it was heard', () => {
  expect(spanOf([MINUTE, DAY], [2 * MINUTE, DAY], [undefined, DAY + MINUTE])).toEqual({
    start: MINUTE,
    end: 2 * MINUTE,
  });
});

test('one that goes on the next day is no recording', () => {
  expect(spanOf([MINUTE, MINUTE], [DAY, DAY], [undefined, DAY + MINUTE])).toEqual({ start: MINUTE, end: DAY + MINUTE });
});

test('where the agent tells no time, it is when it was heard', () => {
  expect(spanOf([undefined, DAY], [undefined, DAY + MINUTE])).toEqual({ start: DAY, end: DAY + MINUTE });
  expect(spanOf()).toBeUndefined();
});
