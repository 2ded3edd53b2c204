// Rows that have come or changed since they were last written.

import type { AgentStreamEvent } from '@tailrace/core';
import type { CallRow, FileRow, MessageRow, Place, RowChanges, TextRow } from './rows.ts';
import { whenOf } from './times.ts';

type NewText = Pick<TextRow, 'kind' | 'text'> & Partial<Pick<TextRow, 'message' | 'messageId' | 'toolCallId'>>;

export interface Changes {
  message(row: MessageRow): void;
  removeMessage(number: number): void;
  call(row: CallRow): void;
  file(row: Omit<FileRow, 'number'>): void;
  /** Something to be found. Gives its number; nothing where there is nothing to find. */
  text(event: AgentStreamEvent, place: Place, text: NewText): number | undefined;
  /** The same, unless the session has it already. */
  textOnce(event: AgentStreamEvent, place: Place, text: NewText): void;
  removeText(number: number): void;
  take(): Omit<RowChanges, 'chunks'>;
  /** How much waits to be taken, roughly in bytes. */
  readonly waiting: number;
}

/** A row's own cost, whatever it holds. */
const ROW_BYTES = 200;

export function createChanges(): Changes {
  const seen = new Set<string>();
  let textCount = 0;
  let fileCount = 0;
  let waiting = 0;
  let messages = new Map<number, MessageRow>();
  let removedMessages: number[] = [];
  let texts = new Map<number, TextRow>();
  let removedTexts: number[] = [];
  let calls = new Map<string, CallRow>();
  let files: FileRow[] = [];

  function put<K, V>(map: Map<K, V>, key: K, row: V): void {
    if (!map.has(key)) waiting += ROW_BYTES;
    map.set(key, row);
  }

  function addText(event: AgentStreamEvent, place: Place, text: NewText): number | undefined {
    if (text.text.trim() === '') return undefined;
    const number = textCount++;
    waiting += ROW_BYTES + text.text.length;
    texts.set(number, {
      message: null,
      messageId: null,
      toolCallId: null,
      ...text,
      number,
      at: whenOf(event, place),
      arrivedAt: place.at,
      position: place.position,
      stream: place.stream,
      line: place.seq,
    });
    return number;
  }

  return {
    get waiting() {
      return waiting;
    },
    message: (row) => put(messages, row.number, row),
    removeMessage(number) {
      messages.delete(number);
      removedMessages.push(number);
    },
    call: (row) => put(calls, row.id, row),
    file(row) {
      waiting += ROW_BYTES + row.path.length;
      files.push({ ...row, number: fileCount++ });
    },
    text: addText,
    textOnce(event, place, text) {
      const key = `${text.kind} ${text.text}`;
      if (seen.has(key)) return;
      seen.add(key);
      addText(event, place, text);
    },
    removeText(number) {
      if (!texts.delete(number)) removedTexts.push(number);
    },
    take() {
      const taken = {
        messages: [...messages.values()],
        removedMessages,
        texts: [...texts.values()],
        removedTexts,
        calls: [...calls.values()],
        files,
      };
      messages = new Map();
      removedMessages = [];
      texts = new Map();
      removedTexts = [];
      calls = new Map();
      files = [];
      waiting = 0;
      return taken;
    },
  };
}
