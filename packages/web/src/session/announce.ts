// What is read out to somebody who does not see the screen: texts that are finished and what is asked, not every word.

import { type Conversation, openRequests, partsOf } from '@tailrace/core';
import { shown } from '../text/shown.tsx';

/** So much of a text is read out. */
const LONGEST = 300;

/** What has come about between two pictures of a session, in words; nothing where it is of no interest. */
export function announcementOf(before: Conversation, after: Conversation): string | undefined {
  const [old, now] = [partsOf(before), partsOf(after)];
  const asked = openRequests(after).filter(
    ({ requestId }) => !before.waiting.some((one) => one.requestId === requestId),
  );
  if (asked.length > 0) return 'The agent waits for your answer.';
  for (let at = now.length - 1; at >= 0 && at >= now.length - 20; at--) {
    const part = now[at];
    if (part?.type !== 'text' || part.streaming) continue;
    const known = old[at];
    if (known === part || (known?.id === part.id && known.type === 'text' && !known.streaming)) return undefined;
    const text = shown(part.text);
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  }
  return undefined;
}
