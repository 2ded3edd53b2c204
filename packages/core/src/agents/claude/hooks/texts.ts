// What the agent says, as it is shown: whole lines, message by message.

import { asText, type Loose } from '../../../event/json.ts';
import { inThread, type Thread } from '../../dialects/claude/state.ts';
import { currentTurn } from '../../dialects/claude/turns.ts';
import { type Feed, keep, type ShownText, threadOfPayload } from './feed.ts';
import type { HookPayload } from './wire.ts';

export function showText(feed: Feed, payload: Loose<HookPayload>): void {
  const id = asText(payload.message_id);
  const delta = asText(payload.delta);
  if (id === undefined || delta === undefined) return keep(feed, payload);
  const thread = threadOfPayload(feed, payload);
  const shown = feed.texts.get(id) ?? startText(feed, thread, id);
  if (delta !== '') {
    shown.text += delta;
    inThread(feed.state, shown.thread, () =>
      feed.state.out.writeDelta('text-delta', shown.messageId, shown.blockId, delta),
    );
  }
  if (payload.final === true) endText(feed, id, shown);
}

/** A text that came at once. */
export function showWhole(feed: Feed, text: string): void {
  const id = `message-${feed.state.out.line}`;
  const shown = startText(feed, feed.state.main, id);
  shown.text = text;
  endText(feed, id, shown);
}

/** Ends the texts of a thread, or all of them, of which the last lines never came. */
export function closeTexts(feed: Feed, thread?: Thread): void {
  for (const [id, shown] of [...feed.texts])
    if (thread === undefined || shown.thread === thread) endText(feed, id, shown, true);
}

function startText(feed: Feed, thread: Thread, id: string): ShownText {
  const { state } = feed;
  if (thread === state.main) {
    currentTurn(state);
    feed.hasShown = true;
  }
  const messageId = feed.messageIds.unique('message', id);
  const shown: ShownText = { messageId, blockId: `${messageId}:0`, thread, text: '' };
  feed.texts.set(id, shown);
  inThread(state, thread, () => {
    state.out.write({ type: 'message-start', messageId });
    state.out.write({ type: 'text-start', messageId, blockId: shown.blockId });
  });
  return shown;
}

function endText(feed: Feed, id: string, { messageId, blockId, thread, text }: ShownText, synthetic?: true): void {
  const { state } = feed;
  feed.texts.delete(id);
  inThread(state, thread, () => {
    state.out.write({ type: 'text-end', messageId, blockId, text, partial: synthetic, synthetic });
    state.out.write({ type: 'message-end', messageId, synthetic });
  });
}
