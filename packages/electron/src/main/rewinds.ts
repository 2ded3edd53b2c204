// Going back to before a prompt of a session that was run here: what that would do, and doing it as it was shown.

import { createHash } from 'node:crypto';
import type { AgentStreamEvent, ContentPart, FileChange } from '@tailrace/core';
import { cutText, type RewindPreviewReply, type RewindReply } from '@tailrace/protocol';
import {
  changesSince,
  isTailraceError,
  previewRewind,
  type RewindOptions,
  type RewindPreview,
  rewindSession,
  TailraceError,
} from '@tailrace/runner';
import { isSameId } from './ids.ts';

/** How the agent of a session is started again, and where. */
type RewindPlace = Pick<RewindOptions, 'agent' | 'program' | 'env' | 'trust' | 'clock' | 'waits' | 'cwd'>;

/** Sessions go by the ids that windows know. */
export interface Rewinds {
  /** A run begins: what it tells is noted by what this gives, under the session that it is in then; its own id stands for the first. */
  note(place: RewindPlace, runId: string): (event: AgentStreamEvent, sessionId: string) => void;
  preview(sessionId: string, checkpoint: string): Promise<RewindPreviewReply>;
  /** Rejects, and touches nothing, when it would do something else than what was shown. */
  rewind(sessionId: string, checkpoint: string, digest: string): Promise<RewindReply>;
}

/** Of a run, while it was in one session. */
interface Notes {
  readonly place: RewindPlace;
  sessionId: string;
  readonly events: AgentStreamEvent[];
}

/** `ownOf` gives the agent's own id of a session. */
export function createRewinds(ownOf: (sessionId: string) => string): Rewinds {
  const stays: Notes[] = [];

  function optionsOf(sessionId: string, checkpoint: string): RewindOptions {
    const own = stays.filter((stay) => isSameId(stay.sessionId, sessionId));
    // A session is gone back in where it was begun.
    const [first] = own;
    if (!first) throw new TailraceError('no-session', `no session ${sessionId} was run since the app was started`);
    const changes = changesSince(
      own.flatMap(({ events }) => events),
      checkpoint,
    );
    return { ...first.place, sessionId: ownOf(sessionId), checkpoint, changes };
  }

  return {
    note(place, runId) {
      let notes: Notes = { place, sessionId: runId, events: [] };
      stays.push(notes);
      return (event, sessionId) => {
        if (notes.sessionId === runId) notes.sessionId = sessionId;
        else if (notes.sessionId !== sessionId) {
          notes = { place, sessionId, events: [] };
          stays.push(notes);
        }
        const noted = noteOf(event);
        if (noted) notes.events.push(noted);
      };
    },
    async preview(sessionId, checkpoint) {
      const preview = await look(optionsOf(sessionId, checkpoint));
      return { ...asTold(preview, sessionId), digest: digestOf(preview) };
    },
    async rewind(sessionId, checkpoint, digest) {
      const options = optionsOf(sessionId, checkpoint);
      const preview = await look(options);
      if (digestOf(preview) !== digest)
        throw new TailraceError('changed', 'going back would do something else than what was shown; look again');
      return asTold(await rewindSession(options, preview), sessionId);
    },
  };
}

/** With the id that windows know, also where it goes into `start`. */
function asTold<P extends RewindPreview>(preview: P, sessionId: string): P {
  const { next } = preview;
  return { ...preview, sessionId, next: next.resume === undefined ? next : { ...next, resume: sessionId } };
}

/** What a person of the app can do about it is no command of a terminal. */
async function look(options: RewindOptions): Promise<RewindPreview> {
  try {
    return await previewRewind(options);
  } catch (error) {
    if (options.changes.isKnown || !isTailraceError(error) || error.code !== 'no-such-checkpoint') throw error;
    const { sessionId, checkpoint } = options;
    throw new TailraceError(error.code, `session ${sessionId} has no prompt ${checkpoint}: look at its prompts again`);
  }
}

/** What was shown, all of it. */
function digestOf(preview: RewindPreview): string {
  return createHash('sha256').update(JSON.stringify(preview)).digest('base64url');
}

/** Of an event what tells about changes of files, without their texts: it is kept as long as the app runs. */
function noteOf(event: AgentStreamEvent): AgentStreamEvent | undefined {
  switch (event.type) {
    case 'run-start':
    case 'session-start':
    case 'session-end':
    case 'notice':
    case 'tool-call-start':
      return event;
    case 'turn-end': {
      const { result: _result, structured: _structured, ...end } = event;
      return end;
    }
    case 'user-message':
      return { ...event, content: event.content.flatMap(beginningOf) };
    case 'tool-call-input-end':
      return { ...event, input: null };
    case 'file-change':
      return { ...event, changes: event.changes.map(withoutTexts) };
    default:
      return undefined;
  }
}

/** As much of a prompt as somebody needs to know it again. */
function beginningOf(part: ContentPart): readonly ContentPart[] {
  return part.type === 'text' ? [{ ...part, text: cutText(part.text, SHOWN_CHARACTERS) }] : [];
}

const SHOWN_CHARACTERS = 500;

function withoutTexts({ oldText: _old, newText: _new, patch: _patch, ...change }: FileChange): FileChange {
  return change;
}
