import { expectTypeOf, test } from 'vitest';
import type { AgentStreamEvent, EventOf, EventType, Summary } from '../index.ts';
import { isEvent } from '../index.ts';

test('an event is told by its type', () => {
  expectTypeOf<EventOf<'text-delta'>['delta']>().toEqualTypeOf<string>();
  expectTypeOf<EventOf<'text-end' | 'reasoning-end'>['text']>().toEqualTypeOf<string>();
  // @ts-expect-error there is no such event
  expectTypeOf<EventOf<'text-middle'>>().toBeNever();
});

test('a guard narrows what a filter lets through', () => {
  const events: AgentStreamEvent[] = [];
  expectTypeOf(events.filter(isEvent('tool-call-end'))).toEqualTypeOf<EventOf<'tool-call-end'>[]>();
});

test('every event has its number, and nothing can be changed', () => {
  expectTypeOf<AgentStreamEvent['seq']>().toEqualTypeOf<number>();
  expectTypeOf<EventType>().toExtend<string>();
  const change = (event: EventOf<'text-delta'>): void => {
    // @ts-expect-error events are read-only
    event.delta = 'x';
  };
  expectTypeOf(change).toBeFunction();
});

test('a switch over all types can be exhaustive', () => {
  const family = (event: AgentStreamEvent): string => {
    const [first = ''] = event.type.split('-');
    return first;
  };
  expectTypeOf(family).returns.toBeString();
  expectTypeOf<Summary['outcome']>().toEqualTypeOf<'success' | 'error' | 'cancelled' | 'incomplete'>();
});
