// Events → chunks of one UI message, one event at a time and without streams. docs/ai-sdk.md has the table.

import type { AgentStreamEvent, EventOf } from '../../event/event.ts';
import { asList, asObject, asText } from '../../event/json.ts';
import { createBlocks, keyOfBlock } from './blocks.ts';
import { createCalls, keyOfCall } from './calls.ts';
import type { UIMessageChunk } from './chunk.ts';
import { createData } from './data.ts';
import { sendFinish } from './finish.ts';
import { harmless } from './harmless.ts';
import { createMetadata } from './metadata.ts';
import { createSteps } from './steps.ts';
import { told } from './told.ts';

export interface UIMessageOptions {
  /** The id of the message; without it, the client makes one. */
  readonly messageId?: string;
}

/** Writes one message. */
export interface UIMessageWriter {
  /** The chunks that an event gives. */
  write(event: AgentStreamEvent): UIMessageChunk[];
  /** The chunks that end the message; none after `session-end`. `failure`: why no more events come, in words for the reader. */
  end(failure?: string): UIMessageChunk[];
}

/**
 * Makes one UI message of the AI SDK out of events. It never throws, whatever they are.
 *
 * @example
 * const writer = createUIMessageWriter();
 * for (const event of events) writer.write(event).forEach(send);
 * writer.end().forEach(send);
 */
export function createUIMessageWriter(options: UIMessageOptions = {}): UIMessageWriter {
  let chunks: UIMessageChunk[] = [];
  let hasStarted = false;
  let isOver = false;
  /** The last text of the turns before. */
  let textBefore: string | undefined;
  const retractedMessages = new Set<string>();

  // A delta is a text and has no keys.
  const send = (chunk: UIMessageChunk): void => void chunks.push('delta' in chunk ? chunk : harmless(chunk));
  const steps = createSteps(send);
  const blocks = createBlocks(send, steps);
  const calls = createCalls(send, steps);
  const data = createData(send, steps);
  const metadata = createMetadata(send);

  function start(): void {
    if (hasStarted) return;
    hasStarted = true;
    const { messageId } = options;
    send({ type: 'start', ...told({ messageId }) });
  }

  function finish(failure?: string): void {
    if (isOver) return;
    start();
    isOver = true;
    blocks.closeAll();
    calls.closeAll(metadata.all().outcome === 'cancelled' ? 'cancelled' : 'unknown');
    steps.end();
    metadata.tell();
    sendFinish(send, metadata.all(), failure);
  }

  function endTurn(event: EventOf<'turn-end'>): void {
    const { turnId, result, error, structured } = event;
    const text = blocks.takeText();
    // After a local command, or in a stream that prints no answers, the result is the only text.
    const isSaid = text !== undefined || result === textBefore;
    if (!isSaid && asText(result) && !error && structured === undefined) blocks.say(`turn:${turnId}`, result ?? '');
    textBefore = text ?? textBefore;
    if (structured !== undefined) data.keep('structured', { value: structured });
    metadata.turn(event);
  }

  function retract(event: EventOf<'message-retract'>): void {
    const messageIds = textsOf(event.messageIds);
    const blockIds = textsOf(event.blockIds);
    const toolCallIds = textsOf(event.toolCallIds);
    const keys = new Set([...blockIds.map(keyOfBlock), ...toolCallIds.map(keyOfCall)]);
    const removed = steps.reset({ messageIds: new Set(messageIds), keys });
    for (const key of removed) {
      blocks.drop(key);
      calls.drop(key);
    }
    for (const id of messageIds) retractedMessages.add(id);
    const isRemoved = removed.length > 0;
    data.keep('retract', { reason: event.reason, isRemoved, messageIds, blockIds, toolCallIds });
  }

  function resolve(event: EventOf<'permission-resolve'>): void {
    if (data.decide(event)) return;
    const { requestId, toolCallId, decision, reason } = event;
    const approval = calls.approvalOf(toolCallId) ?? calls.approvalOf(asked.get(requestId ?? ''));
    approval?.answer(requestId, decision === 'allowed', reason ?? (decision === 'cancelled' ? 'cancelled' : undefined));
  }

  /** The call that a request is about. */
  const asked = new Map<string, string>();

  function request(event: EventOf<'permission-request'>): void {
    const { requestId, toolCallId, input, title, reason, options: choices } = event;
    const approval = calls.approvalOf(toolCallId);
    const isNew = typeof requestId === 'string' && (asked.get(requestId) ?? toolCallId) === toolCallId;
    if (!approval || toolCallId === undefined || !isNew) return data.request(event);
    // Nobody is to allow what they have not seen.
    if (input !== undefined && !calls.showAsked(toolCallId, input)) return data.request(event);
    asked.set(requestId, toolCallId);
    approval.ask(requestId, told({ title, reason, options: choices }));
  }

  /** What is still told of a message that was taken back is not shown. */
  function isRetracted(event: AgentStreamEvent): boolean {
    return 'messageId' in event && typeof event.messageId === 'string' && retractedMessages.has(event.messageId);
  }

  function tell(event: AgentStreamEvent): void {
    const { subagentId } = event;
    const isMain = subagentId === undefined;
    switch (event.type) {
      case 'session-start':
      case 'session-update':
        return metadata.session(event);
      case 'session-end':
        metadata.end(event);
        return finish();
      case 'turn-start':
      case 'step-end':
      case 'message-start':
      case 'message-end':
      case 'run-start':
      case 'hook-start':
      case 'hook-end':
        return;
      case 'turn-end':
        return isMain ? endTurn(event) : undefined;
      case 'step-start':
        return isMain ? steps.next(blocks.hasOpen() || calls.hasOpenInput()) : undefined;
      case 'user-message':
        return event.origin === 'steering' && isMain ? steer(event) : undefined;
      case 'message-retract':
        return retract(event);
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return isRetracted(event) && !blocks.hasStarted(event.blockId) ? undefined : blocks.tell(event);
      case 'tool-call-start':
        return isRetracted(event) ? calls.ignore(event.toolCallId) : calls.start(event);
      case 'tool-call-input-delta':
        return calls.growInput(event);
      case 'tool-call-input-end':
        return calls.endInput(event);
      case 'tool-call-update':
        return calls.update(event);
      case 'tool-call-end':
        return calls.end(event);
      case 'file-change': {
        const { changes, outcome, toolCallId, candidates } = event;
        return data.keep('file-change', { changes, outcome, ...told({ toolCallId, candidates, subagentId }) });
      }
      case 'todo-update': {
        const { entries, toolCallId } = event;
        return data.keep('todo', { entries, ...told({ toolCallId, subagentId }) }, subagentId ?? 'main');
      }
      case 'plan-update': {
        const { text, path, toolCallId } = event;
        return data.keep('plan', told({ text, path, toolCallId, subagentId }), toolCallId ?? subagentId ?? 'main');
      }
      case 'task-start':
      case 'task-update':
      case 'task-end':
        return data.task(event);
      case 'usage-update':
        return isMain ? metadata.usage(event) : undefined;
      case 'rate-limit-update': {
        const { status, window, resetsAt, used } = event;
        return data.mention('rate-limit', { status, ...told({ window, resetsAt, used }) });
      }
      case 'retry-start': {
        const { attempt, maxAttempts, delayMs, error } = event;
        return data.mention('retry', { attempt, ...told({ maxAttempts, delayMs, error }) });
      }
      case 'retry-end':
        return data.mention('retry', { attempt: event.attempt, outcome: event.outcome });
      case 'compaction-start':
        return data.keep('compaction', told({ trigger: event.trigger }), event.compactionId);
      case 'compaction-end': {
        const { outcome, trigger, tokensBefore, tokensAfter, summary } = event;
        return data.keep(
          'compaction',
          told({ outcome, trigger, tokensBefore, tokensAfter, summary }),
          event.compactionId,
        );
      }
      case 'permission-request':
        return request(event);
      case 'permission-resolve':
        return resolve(event);
      case 'question-request':
        return data.ask(event);
      case 'question-resolve':
        return data.answer(event);
      case 'notice': {
        const { severity, title, description } = event;
        return data.mention('notice', { severity, title, ...told({ description }) });
      }
      case 'error':
        return data.keep('error', { error: event.error, fatal: event.fatal, ...told({ subagentId }) });
      case 'run-state':
        return data.mention('run', { state: event.state, ...told({ reason: event.reason }) });
      case 'raw': {
        const { reason, line, bytes, text, nativeType } = event;
        return data.mention('raw', { reason, ...told({ line, bytes, text, nativeType }) });
      }
      default:
        // An event of a later version: whoever wrote this bridge did not know it.
        return event satisfies never;
    }
  }

  function steer({ messageId, seq, content }: EventOf<'user-message'>): void {
    const parts = asList(content).flatMap((part) => {
      const text = asText(asObject(part)?.['text']);
      return text === undefined ? [] : [{ type: 'text' as const, text }];
    });
    const id = asText(messageId) ?? `steering:${seq}`;
    steps.add(`steering:${id}`);
    send({ type: 'steering-message', id, parts });
  }

  function take(act: () => void): UIMessageChunk[] {
    chunks = [];
    act();
    return chunks;
  }

  return {
    write: (event) =>
      take(() => {
        if (isOver || asObject(event) === undefined) return;
        start();
        metadata.sessionId(asText(event.sessionId));
        tell(event);
        if (!isOver) metadata.tell();
      }),
    end: (failure) => take(() => finish(failure)),
  };
}

function textsOf(ids: unknown): string[] {
  return asList(ids).filter((id): id is string => typeof id === 'string');
}
