// Recorded runs, played by something that acts as the program itself: it is told prompts and answers, and prints what the program
// printed then. Pure: lines in, lines out; whoever holds it has the clock and the pipes.

import { asList, asObject, asText, type Loose } from '../../event/json.ts';
import type {
  AssistantLine,
  ControlAnswer,
  ControlRequestLine,
  ResultLine,
  UserLine,
  WireLine,
} from '../dialects/claude/wire.ts';
import {
  type Asked,
  answerOf,
  type Prompt,
  parseLine,
  promptOf,
  type RecordedLine,
  type Recording,
  type Take,
  type TakenLine,
  takeApart,
} from './recording.ts';
import { epilogue, interruption, refusal, reply, withdrawal } from './replay-lines.ts';
import { retell } from './retell.ts';

export interface ReplayOptions {
  /** The one that is played when none begins with the first prompt of a new session comes first. Those with one prompt are ways in which it went on. */
  readonly recordings: readonly Recording[];
  /** What the program was started with. */
  readonly args: readonly string[];
  /** The folder it works in. */
  readonly folder: string;
  /** A fresh UUID. */
  createId(): string;
  /** The time, as ISO 8601. */
  now(): string;
}

export interface Replay {
  /** Hears a line of stdin. Gives the lines that are printed at once. */
  hear(line: string): readonly string[];
  /** No more will be said: whatever is asked and not answered is refused. */
  close(): void;
  /** The line that is printed next, when it has waited for so long. None: it waits for a prompt or an answer. */
  readonly due: RecordedLine | undefined;
  /** Whether a turn is being played, or waits for an answer. */
  readonly isBusy: boolean;
  /** The line that is due, as it is printed here and now. */
  take(): string;
  /** What the program would exit with. */
  readonly exitCode: number;
}

/** A turn that is being played. */
interface Play {
  take: Take;
  at: number;
  end: number;
  readonly prompt: Prompt;
  /** What it asked last, until it goes on behind that. */
  open?: { readonly asked: Asked; next?: { readonly take: Take; readonly at: number; readonly end: number } };
}

const REFUSAL: Loose<ControlAnswer> = { behavior: 'deny' };

export function createReplay({ recordings, args, folder, createId, now }: ReplayOptions): Replay {
  const takes = recordings.map(takeApart);
  const isEchoing = args.includes('--replay-user-messages');
  const isPartial = args.includes('--include-partial-messages');
  const isAsking = args.includes('--permission-prompt-tool=stdio');
  const resumed = optionOf(args, 'resume');
  const isResumed = resumed !== undefined;
  const sessionId =
    optionOf(args, 'session-id') ?? (args.includes('--fork-session') ? undefined : resumed) ?? createId();

  const waiting: Prompt[] = [];
  let isClosed = false;
  let exitCode = 0;
  let play: Play | undefined;
  /** The ways in which it can still go on, the one that is played first. */
  let ways: readonly Take[] = [];
  let turnsPlayed = 0;
  let ids = new Map<string, string>();
  const texts = new Map(takes.flatMap((take) => (take.folder === undefined ? [] : [[take.folder, folder]])));
  /** Calls of the main thread that have no result yet. */
  const calls = new Set<string>();

  // ── What is played ──────────────────────────────────────────────────────────────────────────────

  function begin(): Play | undefined {
    const prompt = waiting.shift();
    if (!prompt) return undefined;
    let turn = ways[0]?.turns[turnsPlayed];
    if (!turn) {
      ways = waysOf(prompt);
      turnsPlayed = 0;
      ids = new Map([...takes.map((take) => take.sessionId ?? ''), sessionId].map((id) => [id, sessionId]));
      turn = ways[0]?.turns[0];
    }
    const [take] = ways;
    if (!take || !turn) return undefined;
    turnsPlayed++;
    if (turn.prompt?.id !== undefined) ids.set(turn.prompt.id, prompt.id ?? createId());
    return { take, at: turn.start, end: turn.end, prompt };
  }

  /** What can be played for a prompt; where nothing fits, and something was said before, words that say so. */
  function waysOf({ text }: Prompt): readonly Take[] {
    const isFirst = ways.length === 0;
    const first = takes.find((take) => promptOfTake(take) === text) ?? (isFirst && !isResumed ? takes[0] : undefined);
    if (first) return takes.filter((take) => promptOfTake(take) === promptOfTake(first));
    const start = isFirst ? takes[0]?.lines.find(({ message }) => message.subtype === 'init') : undefined;
    return [takeApart(epilogue(sessionId, start))];
  }

  /** Goes to the next line that is to be printed, if nothing has to come before. */
  function advance(): TakenLine | undefined {
    for (;;) {
      play ??= begin();
      if (!play) return undefined;
      const { open } = play;
      if (open && play.at >= open.asked.resumeAt) {
        if (!open.next && (isClosed || !isAsking)) answer(play, REFUSAL);
        if (!open.next) return undefined;
        play = { ...open.next, prompt: play.prompt };
      }
      const line = play.at < play.end ? play.take.lines[play.at] : undefined;
      if (!line) play = undefined;
      else if (isWanted(line.message)) return line;
      else pass(play);
    }
  }

  function isWanted({ type, ...message }: Loose<WireLine>): boolean {
    if (type === 'stream_event') return isPartial;
    if (type === 'control_request') return isAsking;
    return type !== 'user' || isEchoing || asObject<UserLine>(message)?.isReplay !== true;
  }

  /** Behind the line at which it stands; a request is open from there on. */
  function pass(current: Play): void {
    const asked = current.take.asked.find(({ at }) => at === current.at);
    if (asked) current.open = { asked };
    current.at++;
  }

  /** Chooses the way in which it went on after an answer like this one. */
  function answer(current: Play, given: Loose<ControlAnswer>): void {
    const { open, take } = current;
    if (!open || open.next) return;
    const number = take.asked.indexOf(open.asked);
    const likeness = (one: Take): number => likenessOf(one.asked[number]?.answer, given);
    const ranked = ways.filter((one) => one.asked[number]).sort((a, b) => likeness(b) - likeness(a));
    const [chosen = take] = ranked;
    ways = [chosen, ...ranked.slice(1).filter((one) => likeness(one) === likeness(chosen))];
    const { resumeAt, callId, answer: recorded } = chosen.asked[number] ?? open.asked;
    if (typeof recorded?.message === 'string' && typeof given.message === 'string')
      texts.set(recorded.message, given.message);
    // It is the same call, whatever it was called in that recording.
    if (callId !== undefined && open.asked.callId !== undefined) ids.set(callId, idOf(open.asked.callId));
    open.next = { take: chosen, at: resumeAt, end: chosen.turns[turnsPlayed - 1]?.end ?? resumeAt };
  }

  function idOf(id: string): string {
    let fresh = ids.get(id);
    if (fresh === undefined) {
      const prefix = /^[a-z]+_/.exec(id)?.[0];
      fresh = prefix === undefined ? createId() : `${prefix}01${createId().replaceAll('-', '').slice(-ID_LENGTH)}`;
      ids.set(id, fresh);
    }
    return fresh;
  }

  function take(): string {
    const line = advance();
    const current = play;
    if (!line || !current) return '';
    const told = retell(line.text, { idOf, timeOf: now, texts });
    note(parseLine(told));
    pass(current);
    return asObject<UserLine>(line.message)?.isReplay === true ? echo(told, current.prompt) : told;
  }

  /** The prompt as it was said here. */
  function echo(told: string, { text }: Prompt): string {
    return JSON.stringify({ ...parseLine(told), message: { role: 'user', content: text } });
  }

  function note(message: Loose<WireLine>): void {
    if (message.type === 'result') exitCode = asObject<ResultLine>(message)?.is_error === true ? 1 : 0;
    if (typeof message.parent_tool_use_id === 'string') return;
    const content = asObject<{ content: unknown }>(asObject<AssistantLine>(message)?.message)?.content;
    for (const block of asList(content)) {
      const { type, id, tool_use_id } = asObject<{ type: string; id: string; tool_use_id: string }>(block) ?? {};
      if (type === 'tool_use' && typeof id === 'string') calls.add(id);
      if (type === 'tool_result' && typeof tool_use_id === 'string') calls.delete(tool_use_id);
    }
  }

  // ── What is heard ───────────────────────────────────────────────────────────────────────────────

  function hearAnswer([requestId, given]: readonly [string, Loose<ControlAnswer>]): readonly string[] {
    const { asked, next } = play?.open ?? {};
    if (!play || !asked || next || idOf(asked.requestId) !== requestId) return [];
    if (given.behavior === 'deny' && asObject<{ interrupt: boolean }>(given)?.interrupt === true) return breakOff();
    answer(play, given);
    return [];
  }

  function hearRequest(message: Loose<WireLine>): readonly string[] {
    const { request_id, request } = asObject<ControlRequestLine>(message) ?? {};
    const id = asText(request_id) ?? '';
    const asked = asObject<{ subtype: string; mode: string }>(request);
    switch (asked?.subtype) {
      case 'initialize':
        return [reply(id, { commands: [], agents: [], models: [], account: {}, output_style: 'default' })];
      case 'interrupt': {
        // What was said just before counts too.
        play ??= begin();
        const { asked: open, next } = play?.open ?? {};
        const isOpen = open !== undefined && next === undefined;
        const taken = isOpen ? [withdrawal(idOf(open.requestId))] : [];
        return [...taken, reply(id, { still_queued: [] }), ...(play ? breakOff() : [])];
      }
      case 'set_permission_mode':
        return [reply(id, { mode: asked.mode })];
      case 'set_model':
      case 'set_max_thinking_tokens':
        return [reply(id, {})];
      default:
        return [refusal(id, 'a replay cannot do that')];
    }
  }

  /** Ends the turn as the program does when it is interrupted. */
  function breakOff(): readonly string[] {
    const lines = interruption([...calls], { sessionId, createId, now });
    calls.clear();
    play = undefined;
    exitCode = 1;
    return lines;
  }

  return {
    hear(text) {
      const message = parseLine(text);
      const given = answerOf(message);
      // An answer is printed again as prompts are.
      if (given) return [...(isEchoing ? [JSON.stringify(message)] : []), ...hearAnswer(given)];
      if (message.type === 'control_request') return hearRequest(message);
      const prompt = promptOf(message);
      if (prompt) waiting.push(prompt);
      return [];
    },
    close() {
      isClosed = true;
    },
    get due() {
      return advance();
    },
    get isBusy() {
      return advance() !== undefined || play !== undefined;
    },
    take,
    get exitCode() {
      return exitCode;
    },
  };
}

/** Of the ids that have a prefix, without it. */
const ID_LENGTH = 22;

function promptOfTake({ turns }: Take): string | undefined {
  return turns[0]?.prompt?.text;
}

function optionOf(args: readonly string[], name: string): string | undefined {
  const start = `--${name}=`;
  return args.find((arg) => arg.startsWith(start))?.slice(start.length);
}

/** A decision counts more than what was said with it. */
function likenessOf(recorded: Loose<ControlAnswer> | undefined, given: Loose<ControlAnswer>): number {
  if (!recorded || recorded.behavior !== given.behavior || recorded.action !== given.action) return 0;
  const said = ({ updatedInput, content }: Loose<ControlAnswer>): string =>
    JSON.stringify([asObject<{ answers: unknown }>(updatedInput)?.answers, content]);
  return said(recorded) === said(given) ? 2 : 1;
}
