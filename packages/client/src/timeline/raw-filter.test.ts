import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyEvents, messagesOf, recorded } from '../../test/session-events.ts';
import { filterEvents, lineOf, noFilter, typesOf } from './raw-filter.ts';

const messages = messagesOf(recorded('demo'));

test('without a filter everything is there, by its number', () => {
  expect(filterEvents(messages, messages.length, noFilter)).toEqual(messages.map((_, index) => index));
  expect(filterEvents(messages, 3, noFilter)).toEqual([0, 1, 2]);
});

test('by type, by text and by part at once', () => {
  fc.assert(
    fc.property(
      anyEvents,
      fc.constantFrom('', 'text-end', 'notice'),
      fc.constantFrom('', 'B', 'text'),
      (events, type, text) => {
        const all = messagesOf(events);
        const found = filterEvents(all, all.length, { type, text, part: null });
        const wanted = all.flatMap(({ event }, index) =>
          (type === '' || event.type === type) && JSON.stringify(event).toLowerCase().includes(text.toLowerCase())
            ? [index]
            : [],
        );
        expect(found).toEqual(wanted);
      },
    ),
  );
});

test('of one part: what names it, and all of the line that it came with', () => {
  const start = messages.findIndex(({ event }) => event.type === 'tool-call-start');
  const event = messages[start]?.event;
  if (event?.type !== 'tool-call-start') throw new Error('the demo calls tools');
  const part = { id: `call:${event.toolCallId}`, position: messages[start]?.position };
  const found = filterEvents(messages, messages.length, { ...noFilter, part });
  const types = found.map((index) => messages[index]?.event.type);
  expect(types).toContain('tool-call-start');
  expect(types).toContain('tool-call-end');
  expect(found.length).toBeLessThan(messages.length / 4);
});

test('the types are told once each', () => {
  const types = typesOf(messages, messages.length);
  expect(new Set(types).size).toBe(types.length);
  expect(types).toContain('tool-call-end');
});

test('a row tells what is special, and no more than it has room for', () => {
  const line = lineOf({
    type: 'event',
    sessionId: 's',
    position: 1,
    event: { type: 'notice', seq: 4, at: 9, severity: 'info', title: 'x'.repeat(999) },
  });
  expect(line.startsWith('{"severity":"info","title":"xxx')).toBe(true);
  expect(line.length).toBeLessThan(310);
});
