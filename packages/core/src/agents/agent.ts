// What an agent is to the rest of Tailrace: a plain object. Everything that knows an agent's format is behind this door.

import type { EventDraft } from '../event/draft.ts';
import type { AgentError, EventOf, Outcome } from '../event/event.ts';
import type { Json } from '../event/json.ts';

/** Where a line came from. `stdin` is what was written to the agent, `host` lines are Tailrace's own. */
export type LineSource = 'stdout' | 'stdin' | 'stderr' | 'transcript' | 'hook' | 'host';

/** How the process ended, as far as anybody knows. */
export interface Exit {
  readonly code?: number | null | undefined;
  readonly signal?: string | null | undefined;
}

/** What the stream itself has told of its end, before anybody asks how the process ended. */
export interface Seen {
  /** How the last turn ended; absent while one is open, and when there was none. */
  readonly ending?: Ending | undefined;
  /** A turn was begun and left open. */
  readonly isOpen?: boolean | undefined;
  /** The stream said that somebody stopped the run. */
  readonly isAborted?: boolean | undefined;
  /** The last failure that was told while the turn was open. */
  readonly error?: AgentError | undefined;
}

/** How a run ended. */
export interface Ending {
  readonly outcome: Outcome;
  readonly error?: AgentError | undefined;
}

/** What a run is to do. */
export interface StartOptions {
  readonly prompt: string;
  readonly model?: string | undefined;
  /** The session to go on with. */
  readonly resume?: string | undefined;
  /** The agent may use every tool without asking: nobody is there to answer. */
  readonly approveAll?: boolean | undefined;
}

/** How an agent is started so that it prints what its translator reads. Never through a shell. */
export interface AgentCommand {
  readonly program: string;
  /** No value that came from a person stands where it could be taken for a flag. */
  readonly args: readonly string[];
  /** Written to stdin, which is then closed; absent: there is nothing to read. */
  readonly stdin?: string | undefined;
  /** Variables it has to have. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Variables it must not inherit. */
  readonly unset?: readonly string[] | undefined;
  /** Whom a signal has to reach: an agent that starts itself again leaves the process that was started deaf. */
  readonly signals: 'process' | 'group';
}

/** What an agent's stream can show. A view may promise no more than this. */
export type Feature =
  /** Text, and reasoning, while they are written. */
  | 'partial_text'
  | 'partial_reasoning'
  | 'reasoning'
  /** A call before it is over, and its output while it runs. */
  | 'running_calls'
  | 'call_output'
  | 'file_changes'
  | 'todos'
  /** That there are sub-agents, and what they do. */
  | 'subagents'
  | 'subagent_work'
  | 'denials'
  | 'retries'
  /** Tokens in all, and of each model call. */
  | 'usage'
  | 'step_usage'
  | 'cost';

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
  /** Its name as people write it. */
  readonly title?: string | undefined;
  /** What its stream can show, for those who choose an agent or draw a view. The suite holds it against the recordings. */
  readonly shows?: readonly Feature[] | undefined;
  /**
   * How sure it is, from 0 to 1, that these first messages of a stream are its own. Also asked with a single message
   * to tell whether a piece of a broken line is a record.
   */
  detect(messages: readonly Json[]): number;
  /** `about` is what a file beside the stream tells about it, for an agent that keeps such files. */
  createTranslator(about?: Json): Translator;
  /** How it is started. */
  readonly command?: ((options: StartOptions) => AgentCommand) | undefined;
  /** How the run ended, by the stream and by the process together: agents do not agree on what their exit codes mean. */
  readonly readExit?: ((exit: Exit, seen: Seen) => Ending) | undefined;
  /** For an agent that writes its sessions to files. */
  readonly transcripts?: TranscriptLayout;
}

/** Makes an agent known by its type; a plain object all the same. */
export function defineAgent(agent: Agent): Agent {
  return agent;
}
