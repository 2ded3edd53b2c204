// Where a part is, for whoever comes with its id: the threads that have to be open for it to be seen.

import type { Conversation, Part } from '@tailrace/core';

/** The part with this id. */
export function findPart({ parts }: Conversation, id: string): Part | undefined {
  for (const chunk of parts) for (const part of chunk) if (part.id === id) return part;
  return undefined;
}

/** The threads around a part, the innermost first. */
export function threadsAround(conversation: Conversation, part: Part): readonly string[] {
  const around: string[] = [];
  let one: Part | undefined = part;
  while (one?.subagentId !== undefined && !around.includes(one.subagentId)) {
    around.push(one.subagentId);
    one = starterOf(conversation, one.subagentId);
  }
  return around;
}

/** The part that tells of a sub-agent. */
function starterOf(conversation: Conversation, threadId: string): Part | undefined {
  const thread = conversation.threads.flat().find(({ id }) => id === threadId);
  return thread?.partId === undefined ? undefined : findPart(conversation, thread.partId);
}
