// Taking back what was shown: lines that a later one supersedes, and blocks of a stream that broke.

import { asText, type Json } from '../../../event/json.ts';
import type { Shown, State } from './state.ts';

/** How many lines can still be taken back. Only late ones are, and a turn may have millions. */
const MAX_SHOWN = 256;

/** Remembers what a line showed. A ring, not a map: this is done for every line, and hardly ever asked for. */
export function rememberShown(state: State, shown: Shown): void {
  state.shown[state.shownCount++ % MAX_SHOWN] = shown;
}

/** The turn is over: nothing of it is taken back any more. */
export function forgetShown(state: State): void {
  state.shown.length = 0;
  state.shownCount = 0;
  state.retracted.clear();
}

/** Retracts what the lines with these uuids showed. One that showed nothing we know may be a prompt: its id is named. */
export function retractLines(state: State, uuids: readonly Json[], reason: string): void {
  const blockIds: string[] = [];
  const toolCallIds: string[] = [];
  const messageIds = new Set<string>();
  const shownBy = new Map(state.shown.map((shown) => [shown.uuid, shown]));
  for (const value of uuids) {
    const uuid = asText(value);
    if (uuid === undefined || state.retracted.has(uuid)) continue;
    state.retracted.add(uuid);
    const shown = shownBy.get(uuid);
    if (!shown) {
      messageIds.add(uuid);
      continue;
    }
    blockIds.push(...shown.blockIds);
    toolCallIds.push(...shown.callIds);
    // The message itself goes when none of its lines is left.
    const isLeft = state.shown.some((other) => other.messageId === shown.messageId && !state.retracted.has(other.uuid));
    if (!isLeft) messageIds.add(shown.messageId);
  }
  if (messageIds.size + blockIds.length + toolCallIds.length === 0) return;
  state.out.write({
    type: 'message-retract',
    messageIds: messageIds.size > 0 ? [...messageIds] : undefined,
    blockIds: blockIds.length > 0 ? blockIds : undefined,
    toolCallIds: toolCallIds.length > 0 ? toolCallIds : undefined,
    reason,
  });
}
