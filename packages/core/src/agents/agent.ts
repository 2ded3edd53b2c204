// What an agent is to the rest of Tailrace: a plain object. Everything that knows an agent's format is behind this door.

import type { EventDraft } from '../event/draft.ts';
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

export interface Agent {
  readonly name: string;
  /**
   * How sure it is, from 0 to 1, that these first messages of a stream are its own. Also asked with a single message
   * to tell whether a piece of a broken line is a record.
   */
  detect(messages: readonly Json[]): number;
  createTranslator(): Translator;
}

/** Makes an agent known by its type; a plain object all the same. */
export function defineAgent(agent: Agent): Agent {
  return agent;
}
