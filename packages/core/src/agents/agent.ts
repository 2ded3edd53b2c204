// What an agent is to the rest of Tailrace: a plain object. Everything that knows an agent's format is behind this door.

import type { EventDraft } from '../event/draft.ts';
import type { AgentError, AgentStreamEvent, EventOf, Outcome } from '../event/event.ts';
import type { HostLine } from '../event/host-line.ts';
import type { Json } from '../event/json.ts';
import type { TranscriptUsage } from './transcript-usage.ts';

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

/** What a run is to do. An agent says in `takes` which of it can be asked of it beyond the first four. */
export interface StartOptions {
  readonly prompt: string;
  readonly model?: string | undefined;
  /** The session to go on with. */
  readonly resume?: string | undefined;
  /** The agent may use every tool without asking: nobody is there to answer. */
  readonly approveAll?: boolean | undefined;
  /** The id that the prompt gets, by which the agent names it later. */
  readonly promptId?: string | undefined;
  /** The session that is resumed stays as it is; what comes now goes into a new one. */
  readonly fork?: boolean | undefined;
  /** The last message of the resumed session that still counts, by its id: what came after it is left out. */
  readonly resumeAt?: string | undefined;
  /** The id that the new session is to have. */
  readonly sessionId?: string | undefined;
  readonly permissionMode?: string | undefined;
  /** Tools that need no permission, and tools that may not be used, in the agent's own words. */
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  /** Files with MCP servers, or their JSON. */
  readonly mcpConfig?: readonly string[] | undefined;
  /** Folders it may work in beside its own. */
  readonly addDirs?: readonly string[] | undefined;
  /** Folders its tools are kept out of. */
  readonly forbid?: readonly string[] | undefined;
  /** Text while it is written; true unless set. */
  readonly partial?: boolean | undefined;
  /** Somebody is there to answer: what the agent asks comes out as events. */
  readonly asks?: boolean | undefined;
  /** The files it changes can be set back to how they were at a prompt. */
  readonly checkpoints?: boolean | undefined;
}

/** What can be asked of any agent that can be started. */
export type StartOption = keyof StartOptions;

/** How an agent is started so that it prints what its translator reads. Never through a shell. */
export interface AgentCommand {
  readonly program: string;
  /** No value that came from a person stands where it could be taken for a flag. */
  readonly args: readonly string[];
  /** Written to stdin, which is then closed unless the agent has `input`; absent: there is nothing to read. */
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

/** What is said to a request of the agent's. */
export type Answer =
  | {
      readonly decision: 'allow';
      /** Not to be asked again, by the rules that the request suggested. */
      readonly always?: boolean | undefined;
      /** What the call is to be made with instead: an object. */
      readonly input?: Json;
    }
  | {
      readonly decision: 'deny';
      readonly reason?: string | undefined;
      /** The turn is over as well. */
      readonly interrupt?: boolean | undefined;
    }
  /** To a question: what was chosen, by the text of each question; or the filled form. An object either way. */
  | { readonly decision: 'answer'; readonly content: Json };

/** The events that wait for an {@link Answer}. */
export type RequestEvent = EventOf<'permission-request' | 'question-request'>;

/** What may be asked of an agent while it runs. */
export type Demand =
  | { readonly type: 'interrupt' }
  | { readonly type: 'set-model'; readonly model: string }
  | { readonly type: 'set-permission-mode'; readonly mode: string }
  | { readonly type: 'context-usage' }
  /** Sets the files back to how they were before the prompt of this id. */
  | { readonly type: 'rewind-files'; readonly checkpoint: string; readonly dryRun?: boolean | undefined }
  | { readonly type: 'stop-task'; readonly taskId: string };

/** What fills the context of the model. */
export interface ContextUsage {
  readonly usedTokens: number;
  readonly maxTokens?: number;
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
}

/** What a rewind did, or would do. */
export interface Rewind {
  readonly files: readonly string[];
  readonly linesAdded?: number;
  readonly linesRemoved?: number;
}

/** What each demand gives. */
export interface DemandResults {
  readonly interrupt: undefined;
  readonly 'set-model': undefined;
  readonly 'set-permission-mode': undefined;
  readonly 'context-usage': ContextUsage;
  readonly 'rewind-files': Rewind;
  readonly 'stop-task': undefined;
}

/** How an agent is spoken to while it runs. Each line is whole, with its line feed. */
export interface AgentInput {
  prompt(text: string, id: string): string;
  /** Throws for what is no answer to such a request: that must never become an allow. */
  answer(request: RequestEvent, answer: Answer): string;
  demand(demand: Demand, id: string): string;
  /** What an event means to whoever talks with the agent, if it is neither a request nor for anybody's eyes. */
  hear(event: AgentStreamEvent): Heard | undefined;
  /** What came of a demand, in our words. Undefined where the reply does not tell. */
  readResult<T extends Demand['type']>(type: T, value: Json): DemandResults[T] | undefined;
}

export type Heard =
  /** What came of a demand: `value`, or why it failed. */
  | { readonly kind: 'reply'; readonly id: string; readonly value?: Json; readonly error?: string }
  /** The agent asks what nobody here can do: this line says so, lest it waits for ever. */
  | { readonly kind: 'refuse'; readonly line: string };

/** How an agent is taken back to an earlier prompt of a session. */
export interface AgentRewind {
  /**
   * How it is started to be asked to `rewind-files`, and for nothing else: it gets no prompt, calls no model and leaves the session
   * as it is. It has to refuse to start when the conversation cannot be cut behind `resumeAt`.
   */
  command(options: { readonly sessionId: string; readonly resumeAt?: string | undefined }): AgentCommand;
  /**
   * From the session's own file: the id of the message before the prompt of this id; null when nothing is before it; undefined
   * when the line is another.
   */
  before(line: Json, checkpoint: string): string | null | undefined;
}

/** What an agent would take from a folder and run without asking: code that a stranger may have put there. */
export interface FolderCode {
  /** Files to look at, in the folder that the agent works in, in each one above it, and where a linked worktree comes from. */
  readonly files: readonly string[];
  /** Folders there whose files are looked at as well, however deep they lie: those with this ending. */
  readonly folders?: readonly { readonly path: string; readonly ending: string }[] | undefined;
  /** What one of them brings. A file that cannot be read as it should be brings itself. */
  read(file: string, text: string): readonly Brought[];
}

export interface Brought {
  /** A `command` is text for the agent that has programs of its own in it. */
  readonly kind: 'hook' | 'mcp-server' | 'setting' | 'command';
  readonly name: string;
  /** What is run, or what is set. */
  readonly detail: string;
}

/** How an agent tells of itself by hooks: programs it starts with a payload on stdin. */
export interface AgentHooks {
  /** Where the person's settings are: below the home folder unless the variable names another place. */
  readonly settings: { readonly variable: string; readonly folder: string; readonly file: string };
  /** The first version whose settings may name every hook that is installed: an older one may skip all its settings. */
  readonly since: string;
  /** The session that a payload is about. */
  sessionOf(payload: Json): string | undefined;
  /** The settings with `command` as a hook of everything; as they were when it is there already. Throws when they are no settings. */
  install(settings: string, command: string): string;
  /** The settings without it: to the byte what they were when nobody else has changed them. */
  remove(settings: string, command: string): string;
}

/** Turns one agent's messages into neutral events. It holds the state of one stream and never throws on input. */
export interface Translator {
  /**
   * Where an agent has lines that can be told without parsing them: translates such a line and says true.
   * False leaves it to `translate`. Whatever it does must be what `translate` would have done.
   */
  skim?(line: string, out: EventWriter): boolean;
  translate(message: Json, out: EventWriter): void;
  /** Hears what the host tells about the run, where that changes what the agent's own lines mean. */
  host?(line: HostLine): void;
  /** The stream is over: closes what is open. `session-end` is its last event. */
  end(exit: Exit, out: EventWriter): void;
}

/** How an agent keeps its own session files. Pure: whoever reads files asks this. */
export interface TranscriptLayout {
  /** Where sessions are kept: below the home folder unless the variable names another place. */
  readonly root: { readonly variable: string; readonly folder: string };
  /** The folder below the root that has all of them. */
  readonly folder: string;
  /** Whether a session can have this id. Whatever else is given for one comes near no file. */
  isSessionId(text: string): boolean;
  /** Whose lines a file holds, by its path below that folder, with `/` between the names; nothing for a file of another kind. */
  fileIn(path: string): TranscriptFile | undefined;
  /** The file, below the root, of a session that was begun in this folder. Never one elsewhere, whatever the id is. */
  fileOf(sessionId: string, cwd: string): string;
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
  /** What its lines tell about the bill, for whoever only wants that. */
  readonly usage?: TranscriptUsage | undefined;
}

/** What the path of a file tells about it. */
export interface TranscriptFile {
  /** Absent where only the lines tell it. */
  readonly sessionId?: string | undefined;
  /** The sub-agent whose lines they are; absent for the session's own. */
  readonly taskId?: string | undefined;
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
  /** How it gets onto a machine, for whoever has not got it. */
  readonly install?: string | undefined;
  /** Which options of a start it understands beside prompt, model, resume and approveAll. */
  readonly takes?: readonly StartOption[] | undefined;
  /** How it is spoken to while it runs; absent: it takes one prompt, and nobody can answer it. */
  readonly input?: AgentInput | undefined;
  /** For an agent that can set files and conversation back to an earlier prompt. */
  readonly rewind?: AgentRewind | undefined;
  /** How a person goes on with a session at a terminal: the program and its arguments. */
  readonly resume?: ((sessionId: string) => readonly string[]) | undefined;
  readonly folderCode?: FolderCode | undefined;
  readonly hooks?: AgentHooks | undefined;
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
