// One handler per type of content block in an assistant message. Which blocks the published types know, and whether all of
// them are here, is checked in conformance/types.

import type { ContentPart } from '../../../event/event.ts';
import { asList, asNumber, asObject, asText, type Json, type Loose } from '../../../event/json.ts';
import { endCall, endInput, openCall, startCall } from './calls.ts';
import { inputTold } from './effects.ts';
import { addBlock, claimBlock, takeUntold, tellText } from './messages.ts';
import { partsOf } from './parts.ts';
import { handlersOf, type Message, type State } from './state.ts';
import type { AssistantLine, BlockType, ServerToolResult, ToolUseMeta, WireBlock } from './wire.ts';

interface BlockContext {
  readonly line: Loose<AssistantLine>;
  /** Names fit for display, by call. */
  readonly metas: ReadonlyMap<string, Loose<ToolUseMeta>>;
  readonly message: Message;
  readonly block: Loose<WireBlock>;
}

/** What a block became, for the line's entry in case it is taken back. */
interface ShownBlock {
  readonly blockId?: string;
  readonly callId?: string;
}

type BlockHandler = (state: State, context: BlockContext) => ShownBlock | undefined;

export const blockHandlers: ReadonlyMap<string, BlockHandler> = handlersOf<BlockType, BlockHandler>({
  text: tellTextBlock,
  thinking: tellThinking,
  redacted_thinking: tellRedacted,
  tool_use: tellCall,
  server_tool_use: tellCall,
  mcp_tool_use: tellCall,
  web_search_tool_result: tellServerResult,
  web_fetch_tool_result: tellServerResult,
  advisor_tool_result: tellServerResult,
  code_execution_tool_result: tellServerResult,
  bash_code_execution_tool_result: tellServerResult,
  text_editor_code_execution_tool_result: tellServerResult,
  tool_search_tool_result: tellServerResult,
  mcp_tool_result: tellServerResult,
  mcp_tool_listing: keepBlock,
  container_upload: keepBlock,
  compaction: keepBlock,
  fallback: tellFallback,
});

function tellTextBlock(state: State, { line, message, block }: BlockContext): ShownBlock {
  const text = asText(block.text) ?? '';
  const citations = asList(block.citations);
  const told = tellText(state, message, 'text', text, ({ id }) =>
    state.out.write({
      type: 'text-end',
      messageId: message.id,
      blockId: id,
      text,
      partial: line.aborted === true ? true : undefined,
      extra: citations.length > 0 ? { claude: { citations } } : undefined,
    }),
  );
  return { blockId: told.id };
}

function tellThinking(state: State, { line, message, block }: BlockContext): ShownBlock {
  const text = asText(block.thinking) ?? '';
  const told = tellText(state, message, 'reasoning', text, ({ id }) =>
    state.out.write({
      type: 'reasoning-end',
      messageId: message.id,
      blockId: id,
      text,
      form: formOf(line.thinking_display),
      signature: asText(block.signature) || undefined,
      durationMs: asNumber(line.thinking_duration_ms),
      partial: line.aborted === true ? true : undefined,
    }),
  );
  return { blockId: told.id };
}

/** Anything but the word for the whole thought is a digest of it. */
export function formOf(display: Json): 'full' | 'summary' | 'unknown' {
  const word = asText(display);
  if (word === undefined) return 'unknown';
  return word === 'full' ? 'full' : 'summary';
}

function tellRedacted(state: State, { message }: BlockContext): ShownBlock {
  const told = tellText(state, message, 'reasoning', '', ({ id }) =>
    state.out.write({ type: 'reasoning-end', messageId: message.id, blockId: id, text: '', form: 'redacted' }),
  );
  return { blockId: told.id };
}

function tellCall(state: State, { metas, message, block }: BlockContext): ShownBlock {
  // A call without an id comes from a look-alike; its result is paired with it in order.
  const nativeId = asText(block.id) ?? `call-${state.out.line}`;
  const streamed = takeUntold(message, 'call', nativeId, '');
  const meta = metas.get(nativeId);
  const call =
    streamed?.call ??
    startCall(state, {
      nativeId,
      name: asText(block.name) ?? asText(block.tool) ?? 'unknown',
      thread: message.thread,
      turn: message.turn,
      messageId: message.id,
      serverSide: block.type !== 'tool_use',
      mcpServer: block.type === 'mcp_tool_use' ? (asText(block.server_name) ?? '') : undefined,
      mcpOwnName: asText(meta?.tool_name),
      title: asText(meta?.display_name),
    });
  const told = streamed ?? addBlock(message, message.numbering.next, 'call', call);
  told.isOpen = false;
  endInput(state, call, block.input ?? {});
  inputTold(state, call);
  return { blockId: told.id, callId: call.id };
}

/** Results of tools that the provider ran stand in the assistant's own message. */
function tellServerResult(state: State, { message, block }: BlockContext): ShownBlock | undefined {
  const told = claimBlock(message);
  const call = openCall(state, block.tool_use_id);
  if (!call) {
    state.out.write({ type: 'raw', reason: 'no_counterpart', value: block, nativeType: asText(block.type) });
    return undefined;
  }
  const result = asObject<ServerToolResult>(block.content);
  const errorCode = asText(result?.error_code);
  const exitCode = asNumber(result?.return_code);
  const failed = errorCode !== undefined || block.is_error === true || (exitCode ?? 0) !== 0;
  endCall(state, call, {
    outcome: failed ? 'error' : 'success',
    content: serverParts(block.content, result),
    output: block.content,
    exitCode,
    error: errorCode === undefined ? undefined : { code: 'unknown', message: errorCode, nativeCode: errorCode },
    nativeStatus: asText(result?.type),
  });
  return { blockId: told.id };
}

function serverParts(content: Json, result: Loose<ServerToolResult> | undefined): readonly ContentPart[] {
  const output = [asText(result?.stdout), asText(result?.stderr), asText(result?.text)].filter((text) => text);
  if (output.length > 0) return [{ type: 'text', text: output.join('\n') }];
  return asList(content).map((item) => {
    const page = asObject<ServerToolResult>(item);
    const uri = asText(page?.url);
    const title = asText(page?.title);
    return uri === undefined
      ? (partsOf([item])[0] ?? { type: 'json', value: item })
      : { type: 'resource', uri, ...(title !== undefined && { title }) };
  });
}

function tellFallback(state: State, { message, block }: BlockContext): undefined {
  claimBlock(message);
  const from = asText(asObject<{ model: string }>(block.from)?.model) ?? 'the model';
  const to = asText(asObject<{ model: string }>(block.to)?.model);
  state.out.write({
    type: 'notice',
    severity: 'warning',
    title: to === undefined ? `${from} was replaced` : `${from} was replaced by ${to}`,
    nativeCode: 'fallback',
    extra: { claude: { block } },
  });
}

function keepBlock(state: State, { message, block }: BlockContext): undefined {
  claimBlock(message);
  state.out.write({ type: 'raw', reason: 'no_counterpart', value: block, nativeType: asText(block.type) });
}
