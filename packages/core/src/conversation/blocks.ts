// Texts and thoughts. They grow by concatenation, which costs nothing per delta: the pieces are joined when somebody reads them.

import type { EventOf } from '../event/event.ts';
import type { Conversation, ReasoningPart, TextPart } from './conversation.ts';
import { findEntry } from './list.ts';
import { retractionOf } from './messages.ts';
import {
  addPart,
  anchoredOrder,
  baseOf,
  gapOrder,
  isAdrift,
  noteTime,
  type Placed,
  replacePart,
  timeOf,
  told,
  untimedOrder,
} from './place.ts';

type Block = TextPart | ReasoningPart;
type BlockStart = EventOf<'text-start' | 'reasoning-start'>;
type BlockDelta = EventOf<'text-delta' | 'reasoning-delta'>;
type BlockEnd = EventOf<'text-end' | 'reasoning-end'>;

export function startBlock(conversation: Conversation, event: BlockStart): Conversation {
  const noted = noteTime(conversation, event);
  const block = findBlock(noted, event.blockId);
  if (block === undefined) return addBlock(noted, event, '');
  // Its start comes late: it may still tell where it belongs.
  const time = timeOf(event);
  if (block.time !== undefined || time === undefined) return noted;
  return replacePart(noted, block, { ...block, time, order: anchoredOrder(time, block.order) });
}

export function growBlock(conversation: Conversation, event: BlockDelta): Conversation {
  const block = findBlock(conversation, event.blockId);
  if (block === undefined) return addBlock(conversation, event, event.delta);
  if (!block.streaming) return conversation;
  return replacePart(conversation, block, { ...block, text: block.text + event.delta });
}

export function endBlock(conversation: Conversation, event: BlockEnd): Conversation {
  const noted = noteTime(conversation, event);
  const block = findBlock(noted, event.blockId);
  if (block === undefined) return endBlock(addBlock(noted, event, ''), event);
  // Nobody's line told it, and somebody's line did before.
  if (event.synthetic && !block.streaming) return noted;
  const { streaming: _, partial: __, ...rest } = block;
  const { conversation: placed, order } = placeBlock(noted, event, block);
  const more =
    event.type === 'reasoning-end' && rest.type === 'reasoning'
      ? told({ form: event.form, durationMs: event.durationMs })
      : {};
  const time = block.time ?? timeOf(event);
  return replacePart(placed, block, {
    ...rest,
    ...more,
    ...(time !== undefined && { time }),
    order,
    text: event.text,
    ...(event.partial && { partial: true }),
  });
}

function placeBlock(conversation: Conversation, event: BlockEnd, block: Block): Placed {
  if (block.time !== undefined) return { conversation, order: block.order };
  const time = timeOf(event);
  if (time !== undefined) return { conversation, order: anchoredOrder(time, block.order) };
  if (!isAdrift(block.order)) return { conversation, order: block.order };
  const isCut = event.partial === true || event.synthetic === true;
  return untimedOrder(conversation, event, block.order, isCut);
}

function findBlock(conversation: Conversation, blockId: string): Block | undefined {
  // Only blocks have such an id.
  return findEntry(conversation.parts, `block:${blockId}`) as Block | undefined;
}

function addBlock(conversation: Conversation, event: BlockStart | BlockDelta | BlockEnd, text: string): Conversation {
  const adrift = gapOrder(conversation, event, 'streaming');
  // A delta has no say in where the block belongs, and an end only by way of `placeBlock`.
  const isStart = event.type === 'text-start' || event.type === 'reasoning-start';
  const time = isStart ? timeOf(event) : undefined;
  const retracted = retractionOf(conversation, event.messageId);
  return addPart(conversation, {
    ...baseOf(event, `block:${event.blockId}`, time === undefined ? adrift : anchoredOrder(time, adrift)),
    ...(time !== undefined && { time }),
    type: event.type.startsWith('text') ? 'text' : 'reasoning',
    messageId: event.messageId,
    text,
    streaming: true,
    ...(retracted !== undefined && { retracted }),
  });
}
