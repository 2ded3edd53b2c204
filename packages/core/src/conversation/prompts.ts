// What a person said. Whoever runs an agent knows the prompt from the start; most agents tell it again, and then it is the same one.

import type { ContentPart, EventOf } from '../event/event.ts';
import type { Conversation, PromptPart } from './conversation.ts';
import { findEntry } from './list.ts';
import { retractionOf } from './messages.ts';
import { addPart, baseOf, gapOrder, madeUpId, noteTime, promptOrder, replacePart, timeOf, told } from './place.ts';

/** The prompt that a run was started with, until the agent tells it. */
export function addRunPrompt(conversation: Conversation, event: EventOf<'run-start'>): Conversation {
  const { runId, prompt, promptId } = event;
  const { run } = conversation;
  if (!run || prompt === undefined || prompt === '') return conversation;
  const id = promptId === undefined ? `prompt:of ${runId}` : `prompt:${promptId}`;
  if (findEntry(conversation.parts, id)) return conversation;
  const part: PromptPart = {
    ...baseOf(event, id, gapOrder(conversation, event, 'weather')),
    type: 'prompt',
    origin: 'prompt',
    content: [{ type: 'text', text: prompt }],
  };
  return addPart({ ...conversation, run: { ...run, untoldPrompt: id } }, part);
}

export function addPrompt(conversation: Conversation, event: EventOf<'user-message'>): Conversation {
  const { messageId, content, origin } = event;
  const untold = untoldOf(conversation, event);
  const id = untold?.id ?? (messageId === undefined ? madeUpId(conversation, 'prompt') : `prompt:${messageId}`);
  if (!untold && findEntry(conversation.parts, id)) return conversation;
  const [time, rank, second, arrival] = promptOrder(conversation, event);
  // Of several streams, one may not have the prompts: then they bound no gap.
  const noted = event.after === undefined ? noteTime(conversation, event) : conversation;
  const part: PromptPart = {
    ...baseOf(event, id, [time, rank, second, untold?.order[3] ?? arrival]),
    type: 'prompt',
    // An echo of a prompt is that prompt.
    origin: origin === 'replay' ? 'prompt' : origin,
    content,
    ...told({ messageId, time: timeOf(event), retracted: retractionOf(conversation, messageId) }),
  };
  return untold ? replacePart(withoutUntold(noted), untold, part) : addPart(noted, part);
}

/** The prompt of the run, where this tells it. */
function untoldOf({ parts, run }: Conversation, event: EventOf<'user-message'>): PromptPart | undefined {
  if (run?.untoldPrompt === undefined || event.subagentId !== undefined || event.origin === 'injected')
    return undefined;
  const part = findEntry(parts, run.untoldPrompt);
  if (part?.type !== 'prompt') return undefined;
  const isSame = part.id === `prompt:${event.messageId}` || textIn(event.content) === textIn(part.content);
  return isSame ? part : undefined;
}

function withoutUntold(conversation: Conversation): Conversation {
  const { untoldPrompt: _, ...run } = conversation.run ?? {};
  return conversation.run ? { ...conversation, run: run as NonNullable<Conversation['run']> } : conversation;
}

function textIn(content: readonly ContentPart[]): string {
  return content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
}
