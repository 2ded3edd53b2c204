// The answer of one model call, a step to us: it begins, comes in pieces, and is then repeated as a whole. Told once, whichever way
// it came.

import type { AgentError, StopReason } from '../../event/event.ts';
import { asCount, asList, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import { errorOf } from '../errors.ts';
import type { Narrator } from '../narrator/narrator.ts';
import { locationsOf, titleOf, traitsOf } from './tools.ts';
import { costOf, usageOf } from './usage.ts';
import type { PiMessage, PiPart, PiPiece } from './wire.ts';

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  toolUse: 'tool_use',
  error: 'error',
  aborted: 'cancelled',
  deferred: 'unknown',
};

/** The providers' words for an answer that was stopped for what it says. To pi it has failed. */
const REFUSALS: Readonly<Record<string, StopReason>> = {
  refusal: 'refusal',
  sensitive: 'refusal',
  content_filter: 'content_filter',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
  SAFETY: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
};

/** How an answer ended. */
export interface AnswerEnd {
  readonly stopReason: StopReason;
  readonly error: AgentError | undefined;
}

export class Answer {
  /** How the last one ended. */
  ended: AnswerEnd | undefined;
  private endedMark: string | undefined;
  private readonly narrator: Narrator;
  private messageId: string | undefined;
  /** Its parts that are over, and its calls, by their place in it. */
  private readonly told = new Set<string>();
  private readonly calls = new Map<string, string>();

  constructor(narrator: Narrator) {
    this.narrator = narrator;
  }

  start(message: Loose<PiMessage>): void {
    const { narrator } = this;
    const model = asText(message.model);
    const hasFailed = message.stopReason === 'error';
    this.told.clear();
    this.calls.clear();
    this.messageId = undefined;
    narrator.learn({ model });
    // A message is a sign of life, but not one that only says that it failed.
    if (hasFailed) narrator.endRetry('error');
    narrator.startStep({ id: asText(message.responseId), model });
    if (!hasFailed) this.messageId = narrator.startMessage({ model }).id;
  }

  /** False when nobody knows such a piece. */
  add(piece: Loose<PiPiece>): boolean {
    const { narrator } = this;
    const key = String(asCount(piece.contentIndex) ?? 0);
    if (!narrator.isMessageOpen) this.start({});
    switch (piece.type) {
      case 'text_delta':
        narrator.addText('text', asText(piece.delta) ?? '', key);
        return true;
      case 'thinking_delta':
        narrator.addText('reasoning', asText(piece.delta) ?? '', key);
        return true;
      case 'text_end':
        this.tellPart({ type: 'text', text: piece.content }, key);
        return true;
      case 'thinking_end':
        this.tellPart({ type: 'thinking', thinking: piece.content }, key);
        return true;
      case 'toolcall_start':
        this.startCall(piece.id, piece.toolName, key);
        return true;
      case 'toolcall_delta':
        narrator.addInput(this.calls.get(key), asText(piece.delta) ?? '');
        return true;
      case 'toolcall_end':
        this.tellPart({ ...asObject<PiPart>(piece.toolCall), type: 'toolCall' }, key);
        return true;
      default:
        return entryOf(SILENT_PIECES, piece.type) ?? false;
    }
  }

  /** The whole answer: what has not been told of it yet is told now. */
  end(message: Loose<PiMessage>): void {
    const { narrator } = this;
    // An answer has no name but the time when it began and what it says: one that comes again is not another.
    const mark = JSON.stringify([message.timestamp, message.content]);
    if (!narrator.isStepOpen) {
      if (asCount(message.timestamp) !== undefined && mark === this.endedMark) return;
      this.start(message);
    }
    this.endedMark = mark;
    const hasFailed = message.stopReason === 'error';
    const refusal = hasFailed ? entryOf(REFUSALS, message.rawStopReason) : undefined;
    const stopReason = refusal ?? entryOf(STOP_REASONS, message.stopReason) ?? 'unknown';
    const isBroken = hasFailed || stopReason === 'cancelled';
    asList(message.content).forEach((value, index) => {
      const part = asObject<PiPart>(value);
      if (part) this.tellPart(part, String(index), isBroken || undefined);
    });
    const error = hasFailed
      ? errorOf({
          message: asText(message.errorMessage) ?? 'the model call failed',
          code: refusal && 'content_filter',
        })
      : undefined;
    // What a broken answer asks for is not done.
    if (isBroken) for (const id of this.calls.values()) narrator.endCall(id, { outcome: 'cancelled', content: [] });
    if (stopReason === 'cancelled') narrator.abort();
    const usage = usageOf(message.usage);
    narrator.endMessage({ stopReason, usage, error });
    narrator.endStep({ stopReason, usage, cost: usage && costOf(message.usage) });
    this.ended = { stopReason, error };
  }

  /** The call is tried again: what the failed answer said so far does not count. */
  retract(): void {
    if (this.messageId === undefined || !this.ended?.error) return;
    const { messageId } = this;
    const toolCallIds = [...this.calls.values()];
    this.messageId = undefined;
    this.narrator.out.write({
      type: 'message-retract',
      messageIds: [messageId],
      toolCallIds: toolCallIds.length > 0 ? toolCallIds : undefined,
      reason: 'retry',
    });
  }

  private startCall(nativeId: Json, toolName: Json, key: string, input?: Json): void {
    const id = asText(nativeId) ?? `call-${this.narrator.out.line}-${key}`;
    const name = asText(toolName) ?? 'unknown';
    this.calls.set(key, id);
    this.narrator.startCall({ id, name, traits: traitsOf(name), title: titleOf(input) });
  }

  /** A part of the answer is whole. */
  private tellPart(part: Loose<PiPart>, key: string, partial?: true): void {
    const { narrator } = this;
    if (this.told.has(key)) return;
    this.told.add(key);
    switch (part.type) {
      case 'text':
        return narrator.endBlock('text', asText(part.text), { partial }, key);
      case 'thinking': {
        const form: 'redacted' | 'unknown' = part.redacted === true ? 'redacted' : 'unknown';
        const end = { form, signature: asText(part.thinkingSignature), partial };
        return narrator.endBlock('reasoning', asText(part.thinking), end, key);
      }
      case 'toolCall': {
        const input = part.arguments ?? {};
        if (!this.calls.has(key)) this.startCall(part.id, part.name, key, input);
        const title = titleOf(input);
        return narrator.endInput(this.calls.get(key), input, { title, locations: locationsOf(input) });
      }
      default:
        // No answer has had one yet.
        narrator.keep(part);
    }
  }
}

/** They say nothing that others do not say better. */
const SILENT_PIECES: Readonly<Record<string, true>> = {
  start: true,
  text_start: true,
  thinking_start: true,
  done: true,
  error: true,
};
