// A tool call from its start to its end: its input, how long it took, why it failed.

import type { AgentError } from '../../event/event.ts';
import type { Json } from '../../event/json.ts';
import type { EventWriter } from '../agent.ts';
import { inputFrom } from '../input.ts';
import type { ToolTraits } from '../tools.ts';
import type { Fields } from './fields.ts';
import { type Thread, writeAs } from './thread.ts';

/** A call as the agent announces it. */
export interface CallStart
  extends Fields<'tool-call-start', 'toolCallId' | 'toolName' | 'kind' | 'tags' | 'messageId'> {
  /** The agent's id of it; one is made where it has none. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly traits: ToolTraits;
}

/** A tool call that has not ended. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  /** Its input, as far as it was told. */
  readonly input: Json;
}

/** The same, with what a narrator remembers of it. */
export interface Call extends OpenCall {
  input: Json;
  inputText: string;
  isInputEnded: boolean;
  readonly thread: Thread;
  readonly time: number | undefined;
  readonly at: number | undefined;
}

type CallEnd = Fields<'tool-call-end', 'toolCallId' | 'toolName'>;

/** A call that begins with the line at hand. */
export function createCall({ time, at }: EventWriter, thread: Thread, id: string, name: string): Call {
  return { id, name, input: undefined, inputText: '', isInputEnded: false, thread, time, at };
}

/** The agent says that it is over: how long it took and why it failed is added where the agent does not tell. */
export function endCall(out: EventWriter, call: Call, end: CallEnd): void {
  closeCall(out, call, { durationMs: since(out, call), ...end, error: end.error ?? failureIn(end) }, undefined);
}

/** Ends it; an input that nobody ended is what its pieces made. */
export function closeCall(out: EventWriter, call: Call, end: CallEnd, synthetic: true | undefined): void {
  const { id, name, thread } = call;
  if (!call.isInputEnded) {
    call.isInputEnded = true;
    call.input = inputFrom(call.inputText);
    writeAs(out, thread, { type: 'tool-call-input-end', toolCallId: id, input: call.input, synthetic: true });
  }
  writeAs(out, thread, { type: 'tool-call-end', toolCallId: id, toolName: name, ...end, synthetic });
}

function since(out: EventWriter, { time, at }: Call): number | undefined {
  const length = out.time !== undefined && time !== undefined ? out.time - time : undefined;
  const waited = out.at !== undefined && at !== undefined ? out.at - at : undefined;
  const known = length ?? waited;
  return known === undefined || known < 0 ? undefined : known;
}

/** Why a call failed that says so only in what it shows. A command's exit code says enough. */
function failureIn({ outcome, content, exitCode }: CallEnd): AgentError | undefined {
  const [message] = content.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
  return outcome === 'error' && exitCode === undefined && message !== undefined
    ? { code: 'unknown', message }
    : undefined;
}
