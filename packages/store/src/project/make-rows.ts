// Events of a session, as its fold lets them through → rows.

import type { AgentStreamEvent } from '@tailrace/core';
import { beginningOf } from './beginning.ts';
import { createChanges } from './changes.ts';
import { createLastText } from './last-text.ts';
import { createCallMaker } from './make-calls.ts';
import { createMessageMaker, type MessageMaker } from './make-messages.ts';
import type { CheckpointRow, Place, RowChanges } from './rows.ts';

export interface RowMaker {
  readonly hear: MessageMaker['hear'];
  /** Takes an event of the session. */
  add(event: AgentStreamEvent, place: Place): void;
  /** What has changed since the last time it was asked for, without the events themselves. */
  take(): Omit<RowChanges, 'chunks'>;
  /** How much waits to be taken, roughly in bytes. */
  readonly waiting: number;
  readonly agentTitle: string | null;
  /** Where the run was started, as the host tells. */
  readonly cwd: string | null;
  firstPrompt(): string | null;
  lastText(): string | null;
  checkpoints(): readonly CheckpointRow[];
}

const TITLE_CHARACTERS = 120;

/** Begins with an empty session. */
export function createRowMaker(): RowMaker {
  const changes = createChanges();
  const messages = createMessageMaker(changes);
  const calls = createCallMaker(changes);
  const lastText = createLastText();
  let agentTitle: string | null = null;
  let cwd: string | null = null;

  return {
    hear: messages.hear,
    take: changes.take,
    get waiting() {
      return changes.waiting;
    },
    get agentTitle() {
      return agentTitle;
    },
    get cwd() {
      return cwd;
    },
    firstPrompt() {
      const text = messages.prompts.first();
      return text === null ? null : beginningOf(text, TITLE_CHARACTERS);
    },
    lastText: lastText.last,
    checkpoints: () => messages.prompts.checkpoints(),
    add(event, place) {
      lastText.add(event);
      switch (event.type) {
        case 'run-start':
          cwd ??= event.cwd ?? null;
          if (event.prompt !== undefined) messages.say(event, place);
          break;
        case 'user-message':
          if (event.origin !== 'injected') messages.say(event, place);
          break;
        case 'message-start':
          messages.start(event, place);
          break;
        case 'text-end':
          messages.endText(event, place);
          break;
        case 'message-retract':
          messages.retract(event);
          break;
        case 'tool-call-start':
          calls.start(event, place);
          messages.noteCall(event);
          break;
        case 'tool-call-update':
          calls.update(event);
          break;
        case 'tool-call-input-end':
          calls.endInput(event, place);
          break;
        case 'tool-call-end':
          calls.end(event);
          break;
        case 'file-change':
          calls.changeFiles(event, place);
          break;
        case 'session-update':
          if (event.title === undefined || event.title === agentTitle) break;
          agentTitle = event.title;
          changes.textOnce(event, place, { kind: 'title', text: event.title });
          break;
      }
    },
  };
}
