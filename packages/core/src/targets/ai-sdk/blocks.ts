// Texts and thoughts. Those of the main thread grow in the message; those of a sub-agent are data parts, sent when they are whole, so
// that a page which shows every text shows the answer and nothing else.

import type { EventOf } from '../../event/event.ts';
import type { Send, UIMessageChunk } from './chunk.ts';
import type { Steps } from './steps.ts';
import { ownFacts, told } from './told.ts';

type BlockEvent = EventOf<
  'text-start' | 'text-delta' | 'text-end' | 'reasoning-start' | 'reasoning-delta' | 'reasoning-end'
>;
type Kind = 'text' | 'reasoning';

export interface Blocks {
  tell(event: BlockEvent): void;
  /** A text that no block has told. */
  say(id: string, text: string): void;
  hasOpen(): boolean;
  hasStarted(id: string): boolean;
  /** Ends what is open: nobody tells more of it. */
  closeAll(): void;
  /** It is gone from the message: nothing more is told of it. */
  drop(key: string): void;
  /** The last text of the main thread since this was asked for, if it said anything. */
  takeText(): string | undefined;
}

interface Open {
  readonly kind: Kind;
  readonly messageId: string | undefined;
  /** So many characters of it were sent. */
  sent: number;
}

export function createBlocks(send: Send, steps: Steps): Blocks {
  const open = new Map<string, Open>();
  const over = new Set<string>();
  let lastText: string | undefined;
  /** The end of what is being said, for `takeText`. */
  let saying = '';

  function start(kind: Kind, id: string, messageId: string | undefined): Open {
    const known = open.get(id);
    if (known) return known;
    const block: Open = { kind, messageId, sent: 0 };
    open.set(id, block);
    steps.add(keyOfBlock(id), messageId);
    send(border(kind, 'start', id, { blockId: id, messageId }));
    if (kind === 'text') saying = '';
    return block;
  }

  function grow(id: string, block: Open, delta: string): void {
    if (delta === '') return;
    block.sent += delta.length;
    if (block.kind === 'text') saying += delta;
    send({ type: `${block.kind}-delta`, id, delta });
  }

  function end(id: string, block: Open, facts: object): void {
    open.delete(id);
    over.add(id);
    if (block.kind === 'text' && saying !== '') lastText = saying;
    send(border(block.kind, 'end', id, { blockId: id, messageId: block.messageId, ...facts }));
  }

  function tell(event: BlockEvent): void {
    const { blockId: id, messageId } = event;
    if (typeof id !== 'string' || over.has(id)) return;
    const kind: Kind = event.type.startsWith('text') ? 'text' : 'reasoning';
    if (event.subagentId !== undefined) return tellElsewhere(event, kind);
    const block = start(kind, id, messageId);
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
      if (typeof event.delta === 'string') grow(id, block, event.delta);
    } else if (event.type === 'text-end' || event.type === 'reasoning-end') {
      // The deltas, joined, are the text; or there were none.
      if (typeof event.text === 'string') grow(id, block, event.text.slice(block.sent));
      const { partial } = event;
      end(
        id,
        block,
        event.type === 'text-end' ? { partial } : { partial, form: event.form, durationMs: event.durationMs },
      );
    }
  }

  function tellElsewhere(event: BlockEvent, kind: Kind): void {
    if (event.type !== 'text-end' && event.type !== 'reasoning-end') return;
    const { blockId: id, messageId, subagentId = '', text } = event;
    over.add(id);
    if (typeof text !== 'string') return;
    steps.add(keyOfBlock(id), messageId);
    send({ type: 'data-subagent', id, data: { subagentId, kind, text } });
  }

  return {
    tell,
    say(id, text) {
      const block = start('text', id, undefined);
      grow(id, block, text);
      end(id, block, {});
    },
    hasOpen: () => open.size > 0,
    hasStarted: (id) => open.has(id),
    closeAll() {
      for (const [id, block] of open) end(id, block, { partial: true });
    },
    drop(key) {
      const id = key.slice(keyOfBlock('').length);
      if (keyOfBlock(id) !== key) return;
      open.delete(id);
      over.add(id);
      lastText = undefined;
    },
    takeText() {
      const text = lastText;
      lastText = undefined;
      return text;
    },
  };
}

/** How a step knows a block. */
export function keyOfBlock(id: string): string {
  return `block:${id}`;
}

function border(kind: Kind, at: 'start' | 'end', id: string, facts: object): UIMessageChunk {
  return { type: `${kind}-${at}`, id, providerMetadata: ownFacts(told(facts)) };
}
