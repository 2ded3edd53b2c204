// Events of a session, as its fold lets them through → rows.

import type { AgentStreamEvent, EventOf } from '@tailrace/core';
import { beginningOf } from './beginning.ts';
import { textsOf } from './inputs.ts';
import { createPrompts, type Teller } from './prompts.ts';
import type {
  CallRow,
  CheckpointRow,
  FileRow,
  MessageRow,
  Place,
  RowChanges,
  TextRow,
} from './rows.ts';

export interface RowMaker {
  add(event: AgentStreamEvent, place: Place): void;
  /** What has changed since the last time it was asked for, without the events themselves. */
  take(): Omit<RowChanges, 'chunks'>;
  /** How much waits to be taken, roughly in bytes. */
  readonly waiting: number;
  readonly agentTitle: string | null;
  firstPrompt(): string | null;
  checkpoints(): readonly CheckpointRow[];
}

/** A row's own cost, whatever it holds. */
const ROW_BYTES = 200;
const TITLE_CHARACTERS = 120;

type OfText = Pick<TextRow, 'kind' | 'text'> & Partial<Pick<TextRow, 'message' | 'messageId' | 'toolCallId'>>;

export function createRowMaker(): RowMaker {
  const prompts = createPrompts();
  const messages = new Map<string, MessageRow>();
  const calls = new Map<string, CallRow>();
  /** Texts of the answers, to take them back by. */
  const textsByBlock = new Map<string, number>();
  const blocksByMessage = new Map<string, string[]>();
  /** Answers that nobody has told the time of yet, and the calls that are parts of them. */
  const untimed = new Set<string>();
  const messageOfCall = new Map<string, string>();
  /** Commands and paths that the session has already. */
  const seen = new Set<string>();
  let agentTitle: string | null = null;
  let messageCount = 0;
  let textCount = 0;
  let fileCount = 0;
  let waiting = 0;
  let changes = emptyChanges();

  function addText(event: AgentStreamEvent, place: Place, row: OfText): void {
    if (row.text.trim() === '') return;
    changes.texts.set(textCount, {
      message: null,
      messageId: null,
      toolCallId: null,
      ...row,
      number: textCount,
      at: whenOf(event, place),
      arrivedAt: place.at,
      position: place.position,
      stream: place.stream,
      line: place.seq,
    });
    textCount++;
    waiting += ROW_BYTES + row.text.length;
  }

  function addOnce(event: AgentStreamEvent, place: Place, row: OfText): void {
    const key = `${row.kind} ${row.text}`;
    if (seen.has(key)) return;
    seen.add(key);
    addText(event, place, row);
  }

  function change<T>(map: Map<T, unknown>, key: T, row: unknown): void {
    if (!map.has(key)) waiting += ROW_BYTES;
    map.set(key, row);
  }

  function addPrompt(event: EventOf<'user-message' | 'run-start'>, place: Place, text: string, teller: Teller): void {
    const subagentId = event.subagentId ?? null;
    const id = event.type === 'run-start' ? (event.promptId ?? null) : (event.messageId ?? null);
    const known = prompts.find(text, teller, subagentId);
    if (known) {
      // The agent's own word about it is better than what was known before.
      known.id ??= id;
      if (event.type === 'user-message' && isTime(event.time)) {
        known.order = event.time;
        known.at = event.time;
      }
      change(changes.messages, known.number, known);
      return;
    }
    const message: MessageRow = {
      number: messageCount++,
      id,
      role: 'user',
      subagentId,
      model: null,
      at: whenOf(event, place),
      order: orderOf(event),
      position: place.position,
    };
    prompts.put(message, text);
    change(changes.messages, message.number, message);
    addText(event, place, { kind: 'prompt', text, message: message.number, messageId: id });
  }

  function startMessage(event: EventOf<'message-start'>, place: Place): void {
    const message: MessageRow = {
      number: messageCount++,
      id: event.messageId,
      role: 'agent',
      subagentId: event.subagentId ?? null,
      model: event.model ?? null,
      at: whenOf(event, place),
      order: orderOf(event),
      position: place.position,
    };
    messages.set(event.messageId, message);
    if (!isTime(event.time)) untimed.add(event.messageId);
    change(changes.messages, message.number, message);
  }

  /** A streamed answer has its time from its first whole block. */
  function noteTime(event: AgentStreamEvent): void {
    if (untimed.size === 0 || !isTime(event.time)) return;
    const id = 'messageId' in event ? event.messageId : messageOfCall.get('toolCallId' in event ? (event.toolCallId ?? '') : '');
    const message = id === undefined ? undefined : messages.get(id);
    if (id === undefined || !message || !untimed.delete(id)) return;
    message.order = event.time;
    message.at = event.time;
    change(changes.messages, message.number, message);
  }

  function endText(event: EventOf<'text-end'>, place: Place): void {
    const message = messages.get(event.messageId);
    const number = textCount;
    addText(event, place, {
      kind: 'answer',
      text: event.text,
      message: message?.number ?? null,
      messageId: event.messageId,
    });
    if (number === textCount) return;
    textsByBlock.set(event.blockId, number);
    const blocks = blocksByMessage.get(event.messageId);
    if (blocks) blocks.push(event.blockId);
    else blocksByMessage.set(event.messageId, [event.blockId]);
  }

  function retract(event: EventOf<'message-retract'>): void {
    const ids = event.messageIds ?? [];
    for (const block of [...(event.blockIds ?? []), ...ids.flatMap((id) => blocksByMessage.get(id) ?? [])]) {
      const text = textsByBlock.get(block);
      if (text === undefined) continue;
      textsByBlock.delete(block);
      if (!changes.texts.delete(text)) changes.removedTexts.push(text);
    }
    for (const id of ids) {
      const message = messages.get(id);
      if (!message) continue;
      messages.delete(id);
      changes.messages.delete(message.number);
      changes.removedMessages.push(message.number);
    }
  }

  function startCall(event: EventOf<'tool-call-start'>, place: Place): void {
    const call: CallRow = {
      id: event.toolCallId,
      name: event.toolName,
      kind: event.kind,
      title: titleOf(event.title),
      outcome: null,
      subagentId: event.subagentId ?? null,
      at: whenOf(event, place),
      durationMs: null,
      position: place.position,
    };
    calls.set(event.toolCallId, call);
    if (event.messageId !== undefined && untimed.has(event.messageId)) messageOfCall.set(call.id, event.messageId);
    change(changes.calls, call.id, call);
  }

  function changeCall(id: string, facts: Partial<CallRow>): void {
    const call = calls.get(id);
    if (call) change(changes.calls, id, Object.assign(call, facts));
  }

  function endInput(event: EventOf<'tool-call-input-end'>, place: Place): void {
    const { toolCallId, title, locations = [] } = event;
    if (title !== undefined) changeCall(toolCallId, { title: titleOf(title) });
    for (const { path } of locations) addOnce(event, place, { kind: 'path', text: path, toolCallId });
    if (calls.get(toolCallId)?.kind !== 'execute') return;
    addOnce(event, place, { kind: 'command', text: textsOf(event.input), toolCallId });
  }

  function changeFiles(event: EventOf<'file-change'>, place: Place): void {
    if (event.outcome !== 'success') return;
    for (const { path, operation } of event.changes) {
      const row: FileRow = {
        number: fileCount++,
        path,
        operation,
        toolCallId: event.toolCallId ?? null,
        at: whenOf(event, place),
        position: place.position,
      };
      changes.files.push(row);
      waiting += ROW_BYTES + path.length;
      addOnce(event, place, { kind: 'path', text: path, toolCallId: row.toolCallId });
    }
  }

  return {
    get waiting() {
      return waiting;
    },
    get agentTitle() {
      return agentTitle;
    },
    firstPrompt() {
      const text = prompts.first();
      return text === null ? null : beginningOf(text, TITLE_CHARACTERS);
    },
    checkpoints: () => prompts.checkpoints(),
    take() {
      const taken = changes;
      changes = emptyChanges();
      waiting = 0;
      return {
        messages: [...taken.messages.values()],
        removedMessages: taken.removedMessages,
        texts: [...taken.texts.values()],
        removedTexts: taken.removedTexts,
        calls: [...taken.calls.values()],
        files: taken.files,
      };
    },
    add(event, place) {
      noteTime(event);
      switch (event.type) {
        case 'run-start':
          if (event.prompt !== undefined) addPrompt(event, place, event.prompt, 'host');
          break;
        case 'user-message':
          if (event.origin === 'injected') break;
          addPrompt(event, place, contentText(event), event.messageId === undefined ? 'nameless' : 'named');
          break;
        case 'message-start':
          startMessage(event, place);
          break;
        case 'text-end':
          endText(event, place);
          break;
        case 'message-retract':
          retract(event);
          break;
        case 'tool-call-start':
          startCall(event, place);
          break;
        case 'tool-call-update':
          if (event.title !== undefined) changeCall(event.toolCallId, { title: titleOf(event.title) });
          break;
        case 'tool-call-input-end':
          endInput(event, place);
          break;
        case 'tool-call-end':
          changeCall(event.toolCallId, { outcome: event.outcome, durationMs: event.durationMs ?? null });
          break;
        case 'file-change':
          changeFiles(event, place);
          break;
        case 'session-update':
          if (event.title === undefined || event.title === agentTitle) break;
          agentTitle = event.title;
          addOnce(event, place, { kind: 'title', text: event.title });
          break;
      }
    },
  };
}

interface Changes {
  readonly messages: Map<number, MessageRow>;
  readonly removedMessages: number[];
  readonly texts: Map<number, TextRow>;
  readonly removedTexts: number[];
  readonly calls: Map<string, CallRow>;
  readonly files: FileRow[];
}

function emptyChanges(): Changes {
  return {
    messages: new Map(),
    removedMessages: [],
    texts: new Map(),
    removedTexts: [],
    calls: new Map(),
    files: [],
  };
}

/** When it happened: the agent's word, else the arrival of what was heard as it happened. */
export function whenOf(event: AgentStreamEvent, place: Place): number | null {
  if (isTime(event.time)) return event.time;
  return place.isLive ? place.at : null;
}

/** The agent's time; without one, right behind the last thing that had one. */
function orderOf(event: AgentStreamEvent): number {
  if (isTime(event.time)) return event.time;
  return event.after === undefined || event.after === 0 ? 0 : event.after + 0.5;
}

function isTime(time: number | undefined): time is number {
  return Number.isFinite(time);
}

function contentText(event: EventOf<'user-message'>): string {
  return event.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
}

function titleOf(title: string | undefined): string | null {
  return title === undefined ? null : beginningOf(title, 2 * TITLE_CHARACTERS);
}
