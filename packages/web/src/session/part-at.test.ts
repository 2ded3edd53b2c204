import { makerOf } from '@tailrace/client/timeline';
import { createConversation, partsOf, reduce } from '@tailrace/core';
import type { EventMessage } from '@tailrace/protocol';
import { expect, test } from 'vitest';
import { event, messagesOf, recorded } from '../../../client/test/session-events.ts';
import { partAt } from './part-at.ts';

/** As the feed has it. */
function fed(events: readonly EventMessage[]) {
  let conversation = createConversation();
  const makers: number[] = [];
  for (const [index, message] of events.entries()) {
    const { partCount } = conversation;
    conversation = reduce(conversation, message.event);
    for (let made = partCount; made < conversation.partCount; made++) makers[made] = index;
  }
  return { conversation, events, makers };
}

test('the line that made a part leads to it', () => {
  const view = fed(messagesOf(recorded('demo')));
  const parts = partsOf(view.conversation);
  expect(parts.length).toBeGreaterThan(5);
  for (const part of parts) {
    const { position } = makerOf(view, part) ?? {};
    expect(partAt(view, position ?? -1)).toBe(part.id);
  }
});

test('the line that ended a text leads to the text', () => {
  const view = fed(
    messagesOf([
      event({ type: 'text-start', messageId: 'm', blockId: 'b' }),
      event({ type: 'text-end', messageId: 'm', blockId: 'b', text: 'all of it' }),
    ]),
  );
  expect(partAt(view, 1)).toBe('block:b');
});

test('a line that showed nothing leads nowhere', () => {
  expect(partAt(fed(messagesOf([event({ type: 'message-end', messageId: 'm' })])), 0)).toBeUndefined();
  expect(partAt(fed([]), 7)).toBeUndefined();
});
