// Messages as Claude prints them, for whoever wants those and not neutral events. The types say what the program prints and
// nothing has checked the values; the functions here look before they take, and give empty values for anything foreign.

import { asCount, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import { blocksOf } from '../dialects/claude/assistant.ts';
import { modernize } from '../dialects/claude/legacy.ts';
import { costOf } from '../dialects/claude/usage.ts';
import type {
  ApiRetryLine,
  AssistantLine,
  AuthStatusLine,
  BlockType,
  CompactBoundaryLine,
  ControlRequestLine,
  ControlResponseLine,
  ConversationResetLine,
  HookLine,
  InitLine,
  MessageType,
  PermissionDeniedLine,
  RateLimitLine,
  RefusalLine,
  RemarkLine,
  ResultLine,
  StatusLine,
  StreamEvent,
  StreamLine,
  SystemSubtype,
  TaskLine,
  ToolProgressLine,
  UserLine,
  WireBlock,
  WireLine,
  WireMessage,
  WireUsage,
} from '../dialects/claude/wire.ts';

/**
 * One line of Claude's stream. `type` tells the members apart, and of `system` messages `subtype`; a type that nobody knows is
 * an {@link OtherMessage}.
 */
export type ClaudeMessage =
  | InitMessage
  | SystemMessage
  | AssistantMessage
  | UserMessage
  | ResultMessage
  | StreamEventMessage
  | NamedMessage
  | OtherMessage;

/** Begins each turn: the tools, the MCP servers, the model and the session. */
export interface InitMessage extends InitLine {
  readonly type: 'system';
  readonly subtype: 'init';
}

/** A `system` message of any other subtype. */
export type SystemMessage = SystemMessages[keyof SystemMessages] | RemarkMessage;

/** A `system` message that remarks on something, or whose subtype nobody knows. */
export interface RemarkMessage extends RemarkLine {
  readonly type: 'system';
  readonly subtype?: Exclude<SystemSubtype, 'init' | keyof SystemLines> | UnknownWord;
}

/** What the model said: one content block in most lines, several in some. */
export interface AssistantMessage extends Omit<AssistantLine, 'message' | 'content'> {
  readonly type: 'assistant';
  readonly message: MessageBody;
}

/** What the model was told: prompts and tool results. */
export interface UserMessage extends Omit<UserLine, 'message' | 'content'> {
  readonly type: 'user';
  readonly message: MessageBody;
}

/** The API's message inside an `assistant` or a `user` line. */
export interface MessageBody extends Omit<WireMessage, 'content'> {
  readonly content?: string | readonly ContentBlock[];
}

/** Ends each turn: how it went, what it cost (see {@link resultCost}) and how long it took. */
export interface ResultMessage extends ResultLine {
  readonly type: 'result';
}

/** One event of the API's own stream, printed with `--include-partial-messages`. */
export interface StreamEventMessage extends StreamLine {
  readonly type: 'stream_event';
}

/** The other types whose fields are known. */
export type NamedMessage = NamedMessages[keyof NamedMessages];

/** Everything else, of a type that is only known by name or not at all. */
export interface OtherMessage extends WireLine {
  readonly type: Exclude<MessageType, ClaimedType> | UnknownWord;
  readonly [field: string]: unknown;
}

interface SystemLines {
  status: StatusLine;
  compact_boundary: CompactBoundaryLine;
  api_retry: ApiRetryLine;
  hook_started: HookLine;
  hook_progress: HookLine;
  hook_response: HookLine;
  task_started: TaskLine;
  task_progress: TaskLine;
  task_updated: TaskLine;
  task_notification: TaskLine;
  permission_denied: PermissionDeniedLine;
  model_refusal_fallback: RefusalLine;
  model_refusal_no_fallback: RefusalLine;
}

type SystemMessages = {
  [Subtype in keyof SystemLines]: SystemLines[Subtype] & { readonly type: 'system'; readonly subtype: Subtype };
};

interface NamedLines {
  tool_progress: ToolProgressLine;
  rate_limit_event: RateLimitLine;
  auth_status: AuthStatusLine;
  conversation_reset: ConversationResetLine;
  control_request: ControlRequestLine;
  control_response: ControlResponseLine;
}

type NamedMessages = { [Type in keyof NamedLines]: NamedLines[Type] & { readonly type: Type } };

type ClaimedType = 'system' | 'assistant' | 'user' | 'result' | 'stream_event' | keyof NamedLines;

/**
 * Any word that is not one of the known ones. TypeScript cannot say "every other string", and with a bare `string` here,
 * comparing `type` with a known word would leave the open member in the union, so that no field could be read. This pattern,
 * which fits none of the known words, stands for it. Do not rely on the dots: to compare with a new word, take it as a `string`.
 */
export type UnknownWord = `${string}…`;

// ── Content blocks ────────────────────────────────────────────────────────────────────────────────

export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | OtherBlock;

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly citations?: readonly unknown[] | null;
}

export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking?: string;
  readonly signature?: string;
}

export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data?: string;
}

/** A call, whoever carries it out: Claude Code, the provider or a server of the provider's. Look-alikes leave out the id. */
export interface ToolUseBlock {
  readonly type: ToolUseType;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly server_name?: string;
}

/** What came of a call. Results of the provider's own tools stand in `assistant` messages. */
export interface ToolResultBlock {
  readonly type: ToolResultType;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

/** Images, documents, and whatever a later version brings. */
export interface OtherBlock {
  readonly type:
    | Exclude<BlockType, 'text' | 'thinking' | 'redacted_thinking' | ToolUseType | ToolResultType>
    | UnknownWord;
  readonly [field: string]: unknown;
}

type ToolUseType = 'tool_use' | 'server_tool_use' | 'mcp_tool_use';
type ToolResultType = 'tool_result' | Extract<BlockType, `${string}_tool_result`>;

const TOOL_USES: Readonly<Record<ToolUseType, true>> = { tool_use: true, server_tool_use: true, mcp_tool_use: true };
const TOOL_RESULTS: Readonly<Record<ToolResultType, true>> = {
  tool_result: true,
  web_search_tool_result: true,
  web_fetch_tool_result: true,
  advisor_tool_result: true,
  code_execution_tool_result: true,
  bash_code_execution_tool_result: true,
  text_editor_code_execution_tool_result: true,
  tool_search_tool_result: true,
  mcp_tool_result: true,
};

export function isTextBlock(block: Json): block is TextBlock {
  const wire = asObject<WireBlock>(block);
  return wire?.type === 'text' && typeof wire.text === 'string';
}

/** Also for calls that the provider carries out. */
export function isToolUseBlock(block: Json): block is ToolUseBlock {
  const wire = asObject<WireBlock>(block);
  return (
    wire !== undefined && entryOf(TOOL_USES, wire.type) === true && isTextOrAbsent(wire.id) && isTextOrAbsent(wire.name)
  );
}

/** Also for what came of calls that the provider carried out. */
export function isToolResultBlock(block: Json): block is ToolResultBlock {
  const wire = asObject<WireBlock>(block);
  return wire !== undefined && entryOf(TOOL_RESULTS, wire.type) === true && isTextOrAbsent(wire.tool_use_id);
}

function isTextOrAbsent(value: Json): boolean {
  return value === undefined || typeof value === 'string';
}

/** A call's input as JSON with two spaces; a string stays as it is, and no input is an empty one. */
export function inputText(block: Json): string {
  const input = asObject<WireBlock>(block)?.input;
  return asText(input) ?? jsonText(input, 2);
}

/** A result's content as text: a string as it is, a list of text blocks joined, anything else as JSON. */
export function contentText(block: Json): string {
  const wire = asObject<WireBlock>(block);
  // Look-alikes call it `output`.
  const content = wire?.content ?? wire?.output;
  const texts = (Array.isArray(content) ? content : [content]).map((item) =>
    isTextBlock(item) ? item.text : asText(item),
  );
  return texts.includes(undefined) ? jsonText(content) : texts.join('');
}

/** What cannot be written as JSON, because it leads back to itself or nests too deep, never came from a line. */
function jsonText(value: Json, indent?: number): string {
  if (value === undefined || value === null) return '';
  try {
    return JSON.stringify(value, null, indent) ?? '';
  } catch {
    return '';
  }
}

// ── Messages ──────────────────────────────────────────────────────────────────────────────────────

/** Whether a value may stand on a line: an object with a type, known or not. */
export function isMessage(value: Json): value is ClaudeMessage {
  return asText(asObject<WireLine>(value)?.type) !== undefined;
}

/** Whether a turn begins here. */
export function isInit(message: Json): message is InitMessage {
  const line = asObject<WireLine>(message);
  return line?.type === 'system' && line.subtype === 'init';
}

/** Whether a turn ends here. There may be several results in one stream. */
export function isResult(message: Json): message is ResultMessage {
  return asObject<WireLine>(message)?.type === 'result';
}

/**
 * The content blocks of an `assistant` or a `user` message in their order, also of older shapes: a string is one text block,
 * and a block may stand where a message or a list belongs. What is no block is left out.
 */
export function contentBlocks(message: Json): readonly ContentBlock[] {
  const line = modernLine<AssistantLine>(message);
  if (line?.type !== 'assistant' && line?.type !== 'user') return [];
  return blocksOf(asObject<WireMessage>(line.message)?.content).flatMap(asBlock);
}

function asBlock(value: Json): readonly ContentBlock[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  // The cast says no more than the open member of the union does: an object with a type.
  return asText(asObject<WireBlock>(value)?.type) === undefined ? [] : [value as ContentBlock];
}

/** All text of a message, joined. */
export function textContent(message: Json): string {
  return contentBlocks(message)
    .filter(isTextBlock)
    .map(({ text }) => text)
    .join('');
}

/** The calls in a message. */
export function toolUseBlocks(message: Json): readonly ToolUseBlock[] {
  return contentBlocks(message).filter(isToolUseBlock);
}

/** The results of calls in a message. */
export function toolResultBlocks(message: Json): readonly ToolResultBlock[] {
  return contentBlocks(message).filter(isToolResultBlock);
}

/** The API's counts, in its own spelling: `input_tokens` does not include the caches. */
export interface MessageUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_read_input_tokens?: number;
}

const COUNTS: readonly (keyof MessageUsage)[] = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
];

/**
 * The counts on a message: an answer's, a result's, or those of a stream event. Do not add them up over `assistant` lines: each
 * line of an answer repeats them, and their output count is a placeholder. A result has the sums.
 */
export function messageUsage(message: Json): MessageUsage | undefined {
  const usage = asObject<WireUsage>(usageIn(message));
  const counts = COUNTS.flatMap((name) => {
    const count = asCount(usage?.[name]);
    return count === undefined ? [] : [[name, count] as const];
  });
  return counts.length > 0 ? Object.fromEntries(counts) : undefined;
}

function usageIn(message: Json): Json {
  const line = modernLine<AssistantLine & ResultLine & StreamLine>(message);
  switch (line?.type) {
    case 'assistant':
    case 'user':
      return asObject<WireMessage>(line.message)?.usage;
    case 'result':
      return line.usage;
    case 'stream_event': {
      const event = asObject<StreamEvent>(line.event);
      return event?.usage ?? asObject<WireMessage>(event?.message)?.usage;
    }
    default:
      return undefined;
  }
}

/** What a result says it cost in US dollars, under whichever of its three names. `total_cost_usd` is the whole process's. */
export function resultCost(message: Json): number | undefined {
  if (!isResult(message)) return undefined;
  const { running, own } = costOf(message);
  return running ?? own;
}

/** The message in today's shape, if it is an object at all. */
function modernLine<T extends WireLine>(message: Json): Loose<T> | undefined {
  const line = asObject<WireLine>(message);
  return line && asObject<T>(modernize(line));
}
