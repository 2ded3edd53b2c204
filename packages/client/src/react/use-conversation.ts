// One session, live.

import { type ConversationView, emptyConversation, startConversation } from './conversation.ts';
import { useClient } from './provider.ts';
import { sharedStore } from './shared-stores.ts';
import { useLive } from './use-live.ts';

/** A session as a person sees it, from its beginning and as it goes on. */
export function useConversation(sessionId: string): ConversationView {
  const client = useClient();
  return useLive(
    sharedStore(client, ['conversation', sessionId], emptyConversation, (touch) =>
      startConversation(client, sessionId, touch),
    ),
  );
}
