// What an agent is to the rest of Tailrace: a plain object. Everything that knows an agent's format is behind this door.

import type { EventDraft } from '../event/draft.ts';
import type { EventOf } from '../event/event.ts';
import type { Json } from '../event/json.ts';

/** Where a line came from. `stdin` is what was written to the agent, `host` lines are Tailrace's own. */
export type LineSource = 'stdout' | 'stdin' | 'stderr' | 'transcript' | 'hook' | 'host';

/** How the process ended, as far as anybody knows. */
export interface Exit {
  readonly code?: number | null | undefined;
  readonly signal?: string | null | undefined;
}

/** Where a translator puts its events. It numbers them and adds what belongs to the line. */
export interface EventWriter {
  /** The line being translated, counted from 1. */
  readonly line: number;
  /** When it arrived, where the host told. */
  readonly at: number | undefined;
  readonly source: LineSource;
  /** Whether `session-start` has been written: a banner before the agent's first message makes it come early. */
  readonly started: boolean;
  /** The session that events written from now on belong to. */
  sessionId: string | undefined;
  /** The agent's own id of the line being translated, for the events that have none. */
  lineId: string | undefined;
  /** The agent's own time of the line being translated. */
  time: number | undefined;
  /** The sub-agent that events written from now on belong to, until the line is over. */
  subagentId: string | undefined;
  write(event: EventDraft): void;
  /** The same as `write` for the event there is most of, without the cost of looking at each field. */
  writeDelta(type: 'text-delta' | 'reasoning-delta', messageId: string, blockId: string, delta: string): void;
}

/** Turns one agent's messages into neutral events. It holds the state of one stream and never throws on input. */
export interface Translator {
  /**
   * Where an agent has lines that can be told without parsing them: translates such a line and says true.
   * False leaves it to `translate`. Whatever it does must be what `translate` would have done.
   */
  skim?(line: string, out: EventWriter): boolean;
  translate(message: Json, out: EventWriter): void;
  /** The stream is over: closes what is open. `session-end` is its last event. */
  end(exit: Exit, out: EventWriter): void;
}

/** How an agent keeps its own session files. Pure: whoever reads files asks this. */
export interface TranscriptLayout {
  /** Where the files of the sub-agents are of the session that lies in this file. */
  folders(sessionFile: string): readonly TranscriptFolder[];
  /** If a file of this name holds a sub-agent's lines: the name of the file beside it that tells about it. */
  aboutFile(name: string): string | undefined;
  /** The id of the task whose lines a file of this name holds. */
  taskOf(name: string): string | undefined;
  /** What such a file would tell, made from what the session itself tells about the task. */
  describe(task: EventOf<'task-start'>): Json;
  /** Whether a line of a sub-agent is of the session that lies in this file. */
  isOf(message: Json, sessionFile: string): boolean;
}

export interface TranscriptFolder {
  readonly path: string;
  /** Files of other sessions lie there too, and none of its own folders matter. */
  readonly isShared: boolean;
}

export interface Agent {
  readonly name: string;
  /**
   * How sure it is, from 0 to 1, that these first messages of a stream are its own. Also asked with a single message
   * to tell whether a piece of a broken line is a record.
   */
  detect(messages: readonly Json[]): number;
  /** `about` is what a file beside the stream tells about it, for an agent that keeps such files. */
  createTranslator(about?: Json): Translator;
  /** For an agent that writes its sessions to files. */
  readonly transcripts?: TranscriptLayout;
}

/** Makes an agent known by its type; a plain object all the same. */
export function defineAgent(agent: Agent): Agent {
  return agent;
}
