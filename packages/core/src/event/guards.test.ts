import { expect, test } from 'vitest';
import { capture, decodeAll } from '../../test/captures.ts';
import { isEvent } from './guards.ts';

test('lets through events of the types it is asked for', () => {
  const events = decodeAll([capture('partial-messages').bytes]);
  const texts = events.filter(isEvent('text-end', 'reasoning-end'));
  expect(texts.map(({ text }) => text)).toEqual([
    'Streaming thoughts one by one.',
    'I will read the file, then answer.',
    'The number in the file is 42.',
  ]);
});
