// A recorded run, taken apart: its prompts, where its turns begin and end, and what it asked and was answered.

import { asList, asObject, asText, type Json, type Loose } from '../../event/json.ts';
import type {
  ControlAnswer,
  ControlRequestLine,
  ControlResponseLine,
  InitLine,
  StreamLine,
  UserLine,
  WireLine,
} from '../dialects/claude/wire.ts';

/** A line that was printed, and how long it waits for its turn, in milliseconds. */
export interface RecordedLine {
  readonly text: string;
  readonly wait: number;
}

/** What a program printed in one run, and what it was told meanwhile. */
export interface Recording {
  readonly printed: readonly RecordedLine[];
  /** Lines of its stdin. */
  readonly heard: readonly string[];
}

export interface Prompt {
  readonly text: string;
  readonly id: string | undefined;
}

interface Turn {
  readonly prompt: Prompt | undefined;
  readonly start: number;
  /** Behind the last line. */
  readonly end: number;
}

export interface Asked {
  /** Where the request stands. */
  readonly at: number;
  /** The first line that had to wait for the answer. */
  readonly resumeAt: number;
  readonly requestId: string;
  readonly callId: string | undefined;
  readonly answer: Loose<ControlAnswer> | undefined;
}

export interface TakenLine extends RecordedLine {
  readonly message: Loose<WireLine>;
}

export interface Take {
  readonly lines: readonly TakenLine[];
  readonly turns: readonly Turn[];
  readonly asked: readonly Asked[];
  readonly sessionId: string | undefined;
  readonly folder: string | undefined;
}

export function takeApart({ printed, heard }: Recording): Take {
  const told = heard.map(parseLine);
  const prompts = told.flatMap((message) => promptOf(message) ?? []);
  const answers = new Map(told.map(answerOf).filter((answer) => answer !== undefined));
  // What a host asked then is answered anew.
  const lines = printed
    .map((line): TakenLine => ({ ...line, message: parseLine(line.text) }))
    .filter(({ message }) => message.type !== 'control_response');
  const init = lines.find(({ message }) => message.type === 'system' && message.subtype === 'init')?.message;
  return {
    lines,
    turns: turnsOf(lines, prompts),
    asked: askedOf(lines, answers),
    sessionId: asText(init?.session_id),
    folder: asText(asObject<InitLine>(init)?.cwd),
  };
}

/** A line as an object; an empty one when it is none. */
export function parseLine(text: string): Loose<WireLine> {
  try {
    return asObject<WireLine>(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}

/** What a person said, where the line is that. */
export function promptOf(message: Loose<WireLine>): Prompt | undefined {
  if (message.type !== 'user') return undefined;
  const content = asObject<{ content: Json }>(asObject<UserLine>(message)?.message)?.content;
  const texts = asList(content).map((block) => asText(asObject<{ text: string }>(block)?.text) ?? '');
  return { text: asText(content) ?? texts.join('\n'), id: asText(message.uuid) };
}

/** The id of a request and the answer to it, where the line is that. A refusal to answer is a no. */
export function answerOf(message: Loose<WireLine>): readonly [string, Loose<ControlAnswer>] | undefined {
  if (message.type !== 'control_response') return undefined;
  const response = asObject<NonNullable<ControlResponseLine['response']>>(
    asObject<ControlResponseLine>(message)?.response,
  );
  const id = asText(response?.request_id);
  return id === undefined ? undefined : [id, asObject<ControlAnswer>(response?.response) ?? { behavior: 'deny' }];
}

/** A turn ends behind its result, with whatever is printed before the next prompt is taken up. */
function turnsOf(lines: readonly TakenLine[], prompts: readonly Prompt[]): readonly Turn[] {
  const turns: Turn[] = [];
  let start = 0;
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.message.type !== 'result') continue;
    const next = prompts[turns.length + 1];
    let end = at + 1;
    while (end < lines.length && !isBegin(lines[end], next)) end++;
    turns.push({ prompt: prompts[turns.length], start, end });
    start = end;
    at = end - 1;
  }
  // It was broken off.
  if (start < lines.length) turns.push({ prompt: prompts[turns.length], start, end: lines.length });
  return turns;
}

function isBegin(line: TakenLine | undefined, prompt: Prompt | undefined): boolean {
  if (!line) return false;
  const { message, text } = line;
  return message.subtype === 'init' || (prompt?.id !== undefined && text.includes(prompt.id));
}

function askedOf(lines: readonly TakenLine[], answers: ReadonlyMap<string, Loose<ControlAnswer>>): readonly Asked[] {
  return lines.flatMap(({ message }, at) => {
    if (message.type !== 'control_request') return [];
    const { request_id, request } = asObject<ControlRequestLine>(message) ?? {};
    const requestId = asText(request_id) ?? '';
    let resumeAt = at + 1;
    while (isRestOfMessage(lines[resumeAt])) resumeAt++;
    const callId = asText(asObject<{ tool_use_id: string }>(request)?.tool_use_id);
    return [{ at, resumeAt, requestId, callId, answer: answers.get(requestId) }];
  });
}

/** A request may come before the message that asks is complete: the rest of that waits for no answer. */
function isRestOfMessage(line: TakenLine | undefined): boolean {
  if (line?.message.type !== 'stream_event') return false;
  const event = asObject<{ type: string }>(asObject<StreamLine>(line.message)?.event);
  return event?.type !== 'message_start';
}
