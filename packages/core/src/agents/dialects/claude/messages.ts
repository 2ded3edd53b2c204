// The model's answers. A block may come twice: as deltas while it grows, then whole on a line of its own. Both are one block.
// The n-th whole line of a message is matched with the first streamed block that it can be; what is left over is new.

import type { StopReason, Usage } from '../../../event/event.ts';
import { type Block, type Call, inThread, type Message, type State, type Thread, type Turn } from './state.ts';
import { usd } from './usage.ts';

export interface MessageFacts {
  readonly id: string;
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  readonly costUsd?: number | undefined;
  readonly turn: Turn | undefined;
  /** False for what the CLI says itself. */
  readonly isStep: boolean;
}

/** The thread's open message with this id, begun if need be; the one before it ends. */
export function openMessage(state: State, thread: Thread, facts: MessageFacts): Message {
  const open = thread.message;
  if (open?.id === facts.id) {
    if (facts.usage) open.usage = mostOf(open.usage, facts.usage);
    return open;
  }
  const seen = state.numberings.get(facts.id);
  const numbering = seen ?? { next: 0 };
  const again = thread.lastMessage?.id === facts.id ? thread.lastMessage : undefined;
  const message: Message = {
    id: facts.id,
    model: facts.model,
    usage: facts.usage,
    costUsd: facts.costUsd,
    turn: facts.turn,
    isStep: facts.isStep,
    thread,
    // A late line of the message that ended last may still tell a block that came as deltas.
    streamed: again?.streamed,
    numbering,
    stopReason: undefined,
    error: undefined,
    isLate: seen !== undefined,
  };
  if (open) endMessage(state, open);
  thread.message = message;
  if (message.isLate) return message;
  state.numberings.set(facts.id, numbering);
  inThread(state, thread, () => {
    if (facts.isStep) {
      countStep(state, thread, facts);
      state.out.write({ type: 'step-start', stepId: facts.id, model: facts.model });
    }
    state.out.write({ type: 'message-start', messageId: facts.id, model: facts.model });
  });
  return message;
}

function countStep(state: State, thread: Thread, { turn, usage }: MessageFacts): void {
  if (thread !== state.main) state.hasHelpers = true;
  else if (turn) {
    turn.steps++;
    turn.input += usage?.inputTokens ?? 0;
  }
}

/** Usage is repeated on every line of a message; output is a placeholder until the last delta tells it. */
function mostOf(a: Usage | undefined, b: Usage): Usage {
  return a && (a.outputTokens ?? 0) > (b.outputTokens ?? 0) ? a : b;
}

/** Closes what is open in the message, then the message, then its step. */
export function endMessage(state: State, message: Message): void {
  if (message.thread.message === message) message.thread.message = undefined;
  message.thread.lastMessage = message;
  inThread(state, message.thread, () => {
    for (const block of message.streamed?.blocks.values() ?? []) if (block.isOpen) cutBlock(state, message, block);
    if (message.isLate) return;
    const { id, stopReason, usage, error, model, costUsd } = message;
    state.out.write({ type: 'message-end', messageId: id, stopReason, usage, error });
    const cost = costUsd === undefined ? undefined : usd(costUsd);
    if (message.isStep) state.out.write({ type: 'step-end', stepId: id, stopReason, usage, model, cost });
  });
}

/** Ends a block that nobody ended: what there is of it stays. */
function cutBlock(state: State, message: Message, block: Block): void {
  block.isOpen = false;
  const { id: messageId } = message;
  if (block.kind === 'text') {
    state.out.write({
      type: 'text-end',
      messageId,
      blockId: block.id,
      text: block.text,
      partial: true,
      synthetic: true,
    });
  } else if (block.kind === 'reasoning') {
    state.out.write({
      type: 'reasoning-end',
      messageId,
      blockId: block.id,
      text: block.text,
      form: 'unknown',
      partial: true,
      synthetic: true,
    });
  }
}

/** A block that takes the next number. Whoever streams it puts it among the streamed ones. */
export function addBlock(message: Message, index: number, kind: Block['kind'], call?: Call): Block {
  const block: Block = {
    index,
    id: `${message.id}:${index}`,
    kind,
    call,
    text: '',
    signature: '',
    isOpen: true,
  };
  message.numbering.next = Math.max(message.numbering.next, index + 1);
  return block;
}

/** How many blocks are looked at to find the one that a line tells: they come in order, or nearly so. */
const MAX_LOOKED_AT = 64;

/** The streamed block that a whole line tells, if there is one: of the same kind, and the same call or text. */
export function takeUntold(
  message: Message,
  kind: Block['kind'],
  nativeCallId: string,
  text: string,
): Block | undefined {
  let found: Block | undefined;
  let count = 0;
  if (!message.streamed) return undefined;
  const { untold } = message.streamed;
  for (const block of untold) {
    if (++count > MAX_LOOKED_AT) break;
    if (block.kind !== kind) continue;
    const isSame = kind === 'call' ? block.call?.nativeId === nativeCallId : block.text === text;
    if (isSame) {
      found = block;
      break;
    }
    // The first of its kind will do when none has the same text: the line knows better than the deltas.
    if (kind !== 'call') found ??= block;
  }
  if (found) untold.delete(found);
  return found;
}

/** The place of a block that is neither text nor a call: it takes a number all the same. */
export function claimBlock(message: Message): Block {
  const block = takeUntold(message, 'other', '', '') ?? addBlock(message, message.numbering.next, 'other');
  block.isOpen = false;
  return block;
}

/** Tells the whole text of a block, streamed or not, so that its deltas make exactly that text. */
export function tellText(
  state: State,
  message: Message,
  kind: 'text' | 'reasoning',
  text: string,
  end: (block: Block) => void,
): Block {
  let block = takeUntold(message, kind, '', text);
  if (block && !block.isOpen && block.text !== text) block = undefined;
  if (block?.isOpen && block.text !== '' && block.text !== text) {
    if (text.startsWith(block.text)) {
      state.out.writeDelta(`${kind}-delta`, message.id, block.id, text.slice(block.text.length));
    } else {
      // The line says something else than the deltas did: what was shown is taken back, and the line counts.
      cutBlock(state, message, block);
      state.out.write({ type: 'message-retract', blockIds: [block.id], reason: 'replaced by the whole text' });
      block = undefined;
    }
  }
  if (!block) {
    block = addBlock(message, message.numbering.next, kind);
    state.out.write({ type: `${kind}-start`, messageId: message.id, blockId: block.id });
  }
  block.text = text;
  if (block.isOpen) {
    block.isOpen = false;
    end(block);
  }
  return block;
}

export function setStopReason(message: Message, reason: StopReason | undefined): void {
  if (reason !== undefined) message.stopReason = reason;
}
