// Taking back what was shown: lines that a later one supersedes, and blocks of a stream that broke.

import { asText, type Json } from '../../event/json.ts';
import type { Shown, State } from './state.ts';

/** How many lines can still be taken back. Only late ones are, and a turn may have millions. */
const MAX_SHOWN = 200;

/** Remembers what a line showed. */
export function rememberShown(state: State, uuid: Json, shown: Shown): void {
  if (typeof uuid !== 'string') return;
  state.shown.set(uuid, shown);
  if (state.shown.size < 2 * MAX_SHOWN) return;
  for (const oldest of state.shown.keys()) {
    if (state.shown.size <= MAX_SHOWN) break;
    state.shown.delete(oldest);
  }
}

/** Retracts what the lines with these uuids showed. One that showed nothing we know may be a prompt: its id is named. */
export function retractLines(state: State, uuids: readonly Json[], reason: string): void {
  const blockIds: string[] = [];
  const toolCallIds: string[] = [];
  const messageIds = new Set<string>();
  for (const value of uuids) {
    const uuid = asText(value);
    if (uuid === undefined || state.retracted.has(uuid)) continue;
    state.retracted.add(uuid);
    const shown = state.shown.get(uuid);
    if (!shown) {
      messageIds.add(uuid);
      continue;
    }
    blockIds.push(...shown.blockIds);
    toolCallIds.push(...shown.callIds);
    state.shown.delete(uuid);
    // The message itself goes when none of its lines is left.
    if (![...state.shown.values()].some(({ messageId }) => messageId === shown.messageId))
      messageIds.add(shown.messageId);
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
