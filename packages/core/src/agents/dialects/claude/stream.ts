// `stream_event` lines: the API's own events while an answer grows. The whole line of a block comes before its stop event.

import { asCount, asObject, asText, type Json, type Loose } from '../../../event/json.ts';
import { inputFrom } from '../../input.ts';
import { formOf } from './blocks.ts';
import { endCall, endInput, startCall } from './calls.ts';
import { stopReasonOf } from './errors.ts';
import { addBlock, endMessage, openMessage, setStopReason } from './messages.ts';
import { endRetry } from './retry.ts';
import { learn } from './skim.ts';
import { type Block, handlersOf, inThread, type Message, type State } from './state.ts';
import { threadOf } from './tasks.ts';
import { currentTurn } from './turns.ts';
import { usageOf } from './usage.ts';
import type { StreamDelta, StreamEvent, StreamEventType, StreamLine, WireBlock, WireMessage } from './wire.ts';

interface StreamContext {
  readonly line: Loose<StreamLine>;
  readonly event: Loose<StreamEvent>;
  readonly message: Message;
}

type StreamHandler = (state: State, context: StreamContext) => void;

const streamHandlers: ReadonlyMap<string, StreamHandler> = handlersOf<StreamEventType, StreamHandler>({
  message_start: startMessage,
  content_block_start: startBlock,
  content_block_delta: growBlock,
  content_block_stop: stopBlock,
  message_delta: updateMessage,
  message_stop: stopMessage,
});

export function translateStream(state: State, line: Loose<StreamLine>): void {
  const event = asObject<StreamEvent>(line.event);
  const type = asText(event?.type);
  if (type === 'ping') return;
  if (event && type === 'error') {
    const error = asObject<{ type: string; message: string }>(event.error);
    const message = asText(error?.message) ?? 'the stream of the model broke';
    const nativeCode = asText(error?.type);
    state.out.write({
      type: 'error',
      error: { code: 'server', message, ...(nativeCode !== undefined && { nativeCode }) },
      fatal: false,
    });
    return;
  }
  const handle = streamHandlers.get(type ?? '');
  if (!event || !handle) {
    state.out.write({
      type: 'raw',
      reason: 'unknown_type',
      value: line,
      nativeType: `stream_event/${type ?? typeof line.event}`,
    });
    return;
  }
  const thread = threadOf(state, line);
  const turn = thread === state.main ? currentTurn(state) : undefined;
  const start = asObject<WireMessage>(event.message);
  const id = asText(line.api_message_id) ?? asText(start?.id) ?? thread.message?.id ?? `message-${state.out.line}`;
  const open = thread.message;
  const message =
    open?.id === id
      ? open
      : openMessage(state, thread, {
          id,
          model: asText(start?.model),
          usage: usageOf(start?.usage),
          turn,
          isStep: true,
        });
  if (thread === state.main) handle(state, { line, event, message });
  else inThread(state, thread, () => handle(state, { line, event, message }));
}

function startMessage(state: State): void {
  endRetry(state, 'success');
}

function startBlock(state: State, { event, message }: StreamContext): void {
  const content = asObject<WireBlock>(event.content_block) ?? {};
  const index = freeIndex(message, event.index);
  const type = asText(content.type);
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
    const call = startCall(state, {
      nativeId: asText(content.id) ?? `call-${state.out.line}`,
      name: asText(content.name) ?? 'unknown',
      thread: message.thread,
      turn: message.turn,
      messageId: message.id,
      serverSide: type !== 'tool_use',
      mcpServer: type === 'mcp_tool_use' ? (asText(content.server_name) ?? '') : undefined,
    });
    streamBlock(message, addBlock(message, index, 'call', call));
  } else if (type === 'text') {
    startText(state, message, index, 'text', asText(content.text) ?? '');
  } else if (type === 'thinking' || type === 'redacted_thinking') {
    startText(state, message, index, 'reasoning', asText(content.thinking) ?? '');
  } else {
    // A whole block, such as a server tool's result: its line will tell it.
    streamBlock(message, addBlock(message, index, 'other'));
  }
}

function streamBlock(message: Message, block: Block): void {
  message.streamed ??= { blocks: new Map(), untold: new Set() };
  message.streamed.blocks.set(block.index, block);
  message.streamed.untold.add(block);
}

function startText(state: State, message: Message, index: number, kind: 'text' | 'reasoning', text: string): Block {
  const block = addBlock(message, index, kind);
  streamBlock(message, block);
  state.out.write({ type: `${kind}-start`, messageId: message.id, blockId: block.id });
  if (text !== '') growText(state, message, block, kind, text);
  return block;
}

/** The index as told, unless it is taken. */
function freeIndex(message: Message, index: Json): number {
  return Math.max(asCount(index) ?? 0, message.numbering.next);
}

function growBlock(state: State, { line, event, message }: StreamContext): void {
  const delta = asObject<StreamDelta>(event.delta);
  switch (delta?.type) {
    case 'text_delta':
      growAndLearn(state, { line, event, message }, delta, 'text');
      break;
    case 'thinking_delta':
      growAndLearn(state, { line, event, message }, delta, 'thinking');
      break;
    case 'input_json_delta':
      growAndLearn(state, { line, event, message }, delta, 'partial_json');
      break;
    case 'signature_delta': {
      const block = blockAt(message, event.index);
      if (block) block.signature += asText(delta.signature) ?? '';
      break;
    }
    case 'citations_delta':
    case 'compaction_delta':
      // Told whole by the block's own line.
      break;
    default:
      state.out.write({
        type: 'raw',
        reason: 'unknown_type',
        value: line,
        nativeType: `content_block_delta/${asText(delta?.type) ?? typeof event.delta}`,
      });
  }
}

function growAndLearn(
  state: State,
  { line, event, message }: StreamContext,
  delta: Loose<StreamDelta>,
  key: 'text' | 'thinking' | 'partial_json',
): void {
  const kind = key === 'text' ? 'text' : 'reasoning';
  const block = key === 'partial_json' ? blockAt(message, event.index) : growing(state, message, event.index, kind);
  if (!block?.isOpen) return;
  const grow = (piece: string): void => {
    if (key === 'partial_json') growInput(state, block, piece);
    else growText(state, message, block, kind, piece);
  };
  grow(asText(delta[key]) ?? '');
  learn(state, line, delta, { message, block, grow }, key);
}

/** The block with this index: the one that grows, if any. */
function blockAt(message: Message, index: Json): Block | undefined {
  return typeof index === 'number' ? message.streamed?.blocks.get(index) : undefined;
}

/** The block that grows; when reading began in the middle of it, it starts here. */
function growing(state: State, message: Message, index: Json, kind: 'text' | 'reasoning'): Block {
  const block = blockAt(message, index);
  if (block?.kind === kind && block.isOpen) return block;
  return startText(state, message, freeIndex(message, index), kind, '');
}

function growText(state: State, message: Message, block: Block, kind: 'text' | 'reasoning', delta: string): void {
  if (delta === '') return;
  block.text += delta;
  state.out.writeDelta(kind === 'text' ? 'text-delta' : 'reasoning-delta', message.id, block.id, delta);
}

function growInput(state: State, block: Block, delta: string): void {
  // A call that already has its result takes no more input.
  if (delta === '' || !block.call || block.call.isInputEnded) return;
  block.text += delta;
  state.out.write({ type: 'tool-call-input-delta', toolCallId: block.call.id, delta });
}

function stopBlock(state: State, { line, event, message }: StreamContext): void {
  const block = blockAt(message, event.index);
  if (!block?.isOpen) return;
  block.isOpen = false;
  const { id: messageId } = message;
  const { id: blockId, text } = block;
  if (block.kind === 'text') state.out.write({ type: 'text-end', messageId, blockId, text });
  if (block.kind === 'reasoning') {
    const form = formOf(line.thinking_display);
    state.out.write({ type: 'reasoning-end', messageId, blockId, text, form, signature: block.signature || undefined });
  }
  if (block.call) endInput(state, block.call, inputFrom(text));
}

function updateMessage(_state: State, { event, message }: StreamContext): void {
  setStopReason(message, stopReasonOf(asText(asObject<StreamDelta>(event.delta)?.stop_reason)));
  const final = usageOf(event.usage);
  if (!final) return;
  // Counts are cumulative; the input is only repeated by some versions.
  message.usage = {
    ...message.usage,
    ...(final.inputTokens ? final : {}),
    outputTokens: Math.max(final.outputTokens ?? 0, message.usage?.outputTokens ?? 0),
  };
}

function stopMessage(state: State, { line, message }: StreamContext): void {
  const abandoned = asObject<{ from_block_index: number }>(line.abandoned_blocks);
  if (abandoned) retractBlocks(state, message, asCount(abandoned.from_block_index) ?? 0);
  endMessage(state, message);
}

/** The stream broke: these blocks will be asked for again. */
function retractBlocks(state: State, message: Message, from: number): void {
  const gone = [...(message.streamed?.untold ?? [])].filter((block) => block.index >= from);
  const calls = gone.flatMap(({ call }) => call ?? []);
  for (const call of calls) endCall(state, call, { outcome: 'cancelled', synthetic: true });
  state.out.write({
    type: 'message-retract',
    messageIds: gone.length === message.numbering.next ? [message.id] : undefined,
    blockIds: gone.length > 0 ? gone.map(({ id }) => id) : undefined,
    toolCallIds: calls.length > 0 ? calls.map(({ id }) => id) : undefined,
    reason: 'the stream broke',
  });
}
