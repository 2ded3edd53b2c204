// Reading a conversation. What was found is remembered for as long as the chunks it was found in, so asking again after a delta
// costs little, and what did not change is the same object.

import type { FileChange } from '../event/event.ts';
import { findCall } from './calls.ts';
import type { Call, Conversation, MessageFacts, Part, Waiting } from './conversation.ts';
import { findEntry, type List, remember } from './list.ts';
import { isFloating } from './place.ts';

export interface PartsOptions {
  /** With what is hidden and what was taken back. */
  readonly all?: boolean;
}

/** The parts of one thread in order: of the main thread, or of the sub-agent with this id. */
export function partsOf(conversation: Conversation, subagentId?: string, options: PartsOptions = {}): readonly Part[] {
  const known = options.all ? allParts(conversation.parts) : shownParts(conversation.parts);
  const threads = options.all ? allByThread : shownByThread;
  let parts = known.get(subagentId);
  if (!parts) {
    parts = inGaps(conversation.parts.flatMap((chunk) => threads(chunk).get(subagentId) ?? []));
    known.set(subagentId, parts);
  }
  return parts;
}

/** In a merged session what floats in a gap is shown after the prompts in it: nobody told which came first. */
function inGaps(parts: readonly Part[]): readonly Part[] {
  if (!parts.some(isFloating)) return parts;
  const shown: Part[] = [];
  let floating: Part[] = [];
  for (const part of parts) {
    if (isFloating(part)) floating.push(part);
    else {
      if (part.type !== 'prompt' && part.retracted === undefined) {
        shown.push(...floating);
        floating = [];
      }
      shown.push(part);
    }
  }
  return [...shown, ...floating];
}

type Threads<T> = Map<string | undefined, T>;

const allParts = remember((_: List<Part>): Threads<readonly Part[]> => new Map());
const shownParts = remember((_: List<Part>): Threads<readonly Part[]> => new Map());
const allByThread = remember((chunk: readonly Part[]) => byThread(chunk));
const shownByThread = remember((chunk: readonly Part[]) => byThread(chunk.filter(isShown)));

function isShown(part: Part): boolean {
  return part.hidden === undefined && part.retracted === undefined;
}

function byThread(parts: readonly Part[]): ReadonlyMap<string | undefined, readonly Part[]> {
  const threads: Threads<Part[]> = new Map();
  for (const part of parts) {
    const thread = threads.get(part.subagentId);
    if (thread) thread.push(part);
    else threads.set(part.subagentId, [part]);
  }
  return threads;
}

/** The call with this id, in whichever thread, however it is shown. */
export function callById(conversation: Conversation, toolCallId: string): Call | undefined {
  return findCall(conversation, toolCallId);
}

/** What the model's answer with this id took, and how it ended. */
export function messageById(conversation: Conversation, messageId: string): MessageFacts | undefined {
  return findEntry(conversation.messages, messageId);
}

/**
 * What the context holds, in tokens: what the agent says of it; else what the last answer of the main thread was given and has said.
 * `size` is how much it can hold, where the agent tells.
 */
export function contextOf(conversation: Conversation): { readonly used: number; readonly size?: number } | undefined {
  const { used, size } = conversation.context ?? {};
  if (used !== undefined) return { used, ...(size !== undefined && { size }) };
  for (const chunk of [...conversation.parts].reverse()) {
    for (const { messageId, subagentId } of [...chunk].reverse()) {
      if (messageId === undefined || subagentId !== undefined) continue;
      const { inputTokens, outputTokens = 0 } = messageById(conversation, messageId)?.usage ?? {};
      if (inputTokens !== undefined) return { used: inputTokens + outputTokens };
    }
  }
  return undefined;
}

/** Something that waits for the person, with the part that shows it. */
export interface OpenRequest extends Waiting {
  readonly part: Part;
}

/** What waits for the person, the oldest first. */
export const openRequests: (conversation: Conversation) => readonly OpenRequest[] = remember((conversation) =>
  conversation.waiting.flatMap((one) => {
    const part = findEntry(conversation.parts, one.partId);
    return part ? [{ ...one, part }] : [];
  }),
);

/** One file, with all that was done to it. */
export interface ChangedFile {
  /** From the working directory where it lies in it. */
  readonly path: string;
  readonly operation: FileChange['operation'];
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

/** The files that were changed, by whichever thread; each once, in the order of their first change. */
export const filesChanged: (conversation: Conversation) => readonly ChangedFile[] = remember(({ parts, cwd }) => {
  const files = new Map<string, ChangedFile>();
  for (const change of parts.flatMap(changesIn)) {
    const path = cwd !== null && change.path.startsWith(`${cwd}/`) ? change.path.slice(cwd.length + 1) : change.path;
    const known = files.get(path);
    files.set(path, {
      path,
      // A file that was added and then changed was added.
      operation: known?.operation === 'add' && change.operation !== 'delete' ? 'add' : change.operation,
      linesAdded: (known?.linesAdded ?? 0) + (change.linesAdded ?? linesOfNew(change)),
      linesRemoved: (known?.linesRemoved ?? 0) + (change.linesRemoved ?? 0),
    });
  }
  return [...files.values()];
});

const changesIn = remember((chunk: readonly Part[]): readonly FileChange[] =>
  chunk.flatMap((part) =>
    'changes' in part && part.changes && part.changesOutcome === undefined && isShown(part) ? part.changes : [],
  ),
);

/** Of a new file all lines are added. */
function linesOfNew({ operation, newText }: FileChange): number {
  if (operation !== 'add' || !newText) return 0;
  let lines = newText.endsWith('\n') ? 0 : 1;
  for (let at = newText.indexOf('\n'); at >= 0; at = newText.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** A part as people see it: without its place, which differs with the way in which the events came. */
export type PartView = Part extends infer P ? (P extends Part ? Omit<P, 'order'> : never) : never;

/**
 * What people see: without what `reduce` remembers for itself, what is hidden and what was taken back. Two conversations that
 * look alike have equal views.
 */
export interface ConversationView
  extends Omit<Conversation, 'parts' | 'partCount' | 'messages' | 'main' | 'threads' | 'waiting'> {
  /** By thread: how threads lie between each other is nothing that people see. The main thread's name is empty. */
  readonly threads: Readonly<Record<string, readonly PartView[]>>;
  readonly messages: Readonly<Record<string, Omit<MessageFacts, 'order' | 'id'>>>;
  readonly waiting: readonly string[];
}

/** The whole conversation as a plain value to compare, to print or to send: ids that were made up are counted anew. */
export function view(conversation: Conversation): ConversationView {
  const { parts, partCount: _, messages, main: __, threads: ___, waiting, ...head } = conversation;
  const lists: [string, readonly PartView[]][] = [];
  for (const thread of new Set(parts.flatMap((chunk) => [...allByThread(chunk).keys()]))) {
    const counts = new Map<string, number>();
    const viewed = partsOf(conversation, thread).map(({ order: ____, ...part }): PartView => {
      if (!part.id.startsWith(`${part.type}#`)) return part;
      const count = (counts.get(part.type) ?? 0) + 1;
      counts.set(part.type, count);
      return { ...part, id: `${part.type}#${count}` };
    });
    lists.push([thread ?? '', viewed]);
  }
  return {
    ...head,
    threads: Object.fromEntries(lists.sort(([a], [b]) => (a < b ? -1 : 1))),
    messages: Object.fromEntries(messages.flat().map(({ id, order: ____, ...facts }) => [id, facts])),
    waiting: waiting.map(({ requestId }) => requestId).sort(),
  };
}
