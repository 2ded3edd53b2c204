// Those who have heard everything, by what they want: for all who want the same, a message is made once.

import { encodeCursor, MAX_QUEUED_BYTES } from '@tailrace/protocol';
import type { Tidings, Told } from '@tailrace/store';
import { packFrames } from './frames.ts';
import type { Listener } from './listener.ts';
import { resetText, toldLines } from './told-lines.ts';
import type { View } from './view.ts';

export interface Group {
  /** In which its place means something. */
  readonly epoch: string;
  readonly view: View;
  readonly listeners: Set<Listener>;
  /** Everything up to here was sent to all of them. */
  place: number;
  /** How far their cursors say. */
  said: number;
}

/** Says one part to all of a group. Gives those who have to begin anew: what they were told is no longer so. */
export async function sayToGroup(group: Group, part: Tidings): Promise<readonly Listener[]> {
  const { view, listeners, place: after } = group;
  await view.prepare(part.told);
  // From here on nothing waits: whoever joins is either in this part or behind it.
  const lines = toldLines(part, (told) =>
    told.kind === 'retold' ? [...view.say(told), resetText(part.epoch, told.sessionId)] : view.say(told),
  );
  group.place = part.until;
  const anew = [...listeners].filter((listener) => isNoLongerSo(listener, part.told));
  for (const listener of anew) listeners.delete(listener);
  if (lines.length === 0) return anew;
  group.said = part.until;
  const frames = new Map<string, readonly Buffer[]>();
  for (const { subscriptionId, outlet } of listeners) {
    const made =
      frames.get(subscriptionId) ??
      packFrames(subscriptionId, { epoch: part.epoch, position: after }, lines).map(({ text }) => Buffer.from(text));
    frames.set(subscriptionId, made);
    if (outlet.queuedBytes > MAX_QUEUED_BYTES) outlet.letGo();
    else for (const frame of made) outlet.send(frame);
  }
  return anew;
}

/** Cursors move on even where nothing was said, so that nobody has to look for it again. */
export function sayCursor(group: Group): void {
  if (group.said >= group.place) return;
  group.said = group.place;
  const cursor = encodeCursor({ epoch: group.epoch, position: group.place });
  for (const { outlet, subscriptionId } of group.listeners)
    if (outlet.queuedBytes < MAX_QUEUED_BYTES) outlet.send(JSON.stringify({ subscriptionId, cursor, messages: [] }));
}

/** Of a run that is followed, it may be another session that has to be followed now. */
function isNoLongerSo({ wanted: { sessions } }: Listener, told: readonly Told[]): boolean {
  return (
    sessions !== undefined &&
    told.some(({ kind, sessionId }) => (kind === 'retold' || kind === 'gone') && sessions.has(sessionId))
  );
}
