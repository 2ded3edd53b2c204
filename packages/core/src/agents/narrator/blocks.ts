// The message that a thread has open and the blocks of it: how they are opened and closed.

import type { EventWriter } from '../agent.ts';
import type { Fields } from './fields.ts';
import { type Block, type BlockKind, type Message, type Thread, writeAs } from './thread.ts';

/** How a block ends, apart from its text. */
export type BlockEnd = Partial<Fields<'reasoning-end', 'messageId' | 'blockId' | 'text'>>;

/** The block that is open under the key, or a new one; one of another kind is over. */
export function openBlock(out: EventWriter, thread: Thread, message: Message, kind: BlockKind, key: string): Block {
  const open = message.blocks.get(key);
  if (open && open.kind === kind) return open;
  if (open) closeBlock(out, thread, message, key, {});
  const block: Block = { kind, id: `${message.id}:${message.count++}`, text: '' };
  message.blocks.set(key, block);
  writeAs(out, thread, { type: `${kind}-start`, messageId: message.id, blockId: block.id });
  return block;
}

/** The block is what its deltas made. */
export function closeBlock(
  out: EventWriter,
  thread: Thread,
  message: Message,
  key: string,
  end: BlockEnd & { synthetic?: true },
): void {
  const block = message.blocks.get(key);
  if (!block) return;
  message.blocks.delete(key);
  const { form = 'unknown', ...rest } = end;
  const facts = { messageId: message.id, blockId: block.id, text: block.text, ...rest };
  writeAs(
    out,
    thread,
    block.kind === 'text' ? { type: 'text-end', ...facts } : { type: 'reasoning-end', form, ...facts },
  );
}

/** Ends the thread's message, if it has one, and what is open of it. */
export function closeMessage(
  out: EventWriter,
  thread: Thread,
  end: Fields<'message-end', 'messageId'>,
  synthetic: true | undefined,
): void {
  const { message } = thread;
  if (!message) return;
  for (const key of [...message.blocks.keys()])
    closeBlock(out, thread, message, key, synthetic ? { partial: true, synthetic } : {});
  thread.message = undefined;
  writeAs(out, thread, { type: 'message-end', messageId: message.id, ...end, synthetic });
}
