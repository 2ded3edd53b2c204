export type { LedgerEntry } from './accounting/entries.ts';
export type { FigureState, Figures, ModelFigures, ToolFigures } from './accounting/figures.ts';
export { createLedger, type Ledger } from './accounting/ledger.ts';
export { type Price, type PriceTable, priceOf } from './accounting/prices.ts';
export type { SubagentFigures } from './accounting/subagents.ts';
export {
  type Agent,
  type AgentCommand,
  type AgentHooks,
  type AgentInput,
  type AgentRewind,
  type Answer,
  type Brought,
  type ContextUsage,
  type Demand,
  type DemandResults,
  defineAgent,
  type Ending,
  type EventWriter,
  type Exit,
  type Feature,
  type FolderCode,
  type Heard,
  type LineSource,
  type RequestEvent,
  type Rewind,
  type Seen,
  type StartOption,
  type StartOptions,
  type TranscriptFile,
  type TranscriptFolder,
  type TranscriptLayout,
  type Translator,
} from './agents/agent.ts';
export {
  type AssistantMessage,
  type ClaudeMessage,
  type ContentBlock,
  contentBlocks,
  contentText,
  type InitMessage,
  inputText,
  isInit,
  isMessage,
  isResult,
  isTextBlock,
  isToolResultBlock,
  isToolUseBlock,
  type MessageBody,
  type MessageUsage,
  messageUsage,
  type NamedMessage,
  type OtherBlock,
  type OtherMessage,
  type RedactedThinkingBlock,
  type RemarkMessage,
  type ResultMessage,
  resultCost,
  type StreamEventMessage,
  type SystemMessage,
  type TextBlock,
  type ThinkingBlock,
  type ToolResultBlock,
  type ToolUseBlock,
  textContent,
  toolResultBlocks,
  toolUseBlocks,
  type UnknownWord,
  type UserMessage,
} from './agents/claude/message.ts';
export {
  type CallDuration,
  type CallTimer,
  createCallTimer,
  parseMessageLine,
} from './agents/claude/one-line.ts';
export {
  createMessageReader,
  type MessageError,
  type MessageErrorCode,
  type MessageReader,
  type MessageReaderOptions,
  type ReadResult,
} from './agents/claude/reader.ts';
export type { RecordedLine, Recording } from './agents/claude/recording.ts';
export { createReplay, type Replay, type ReplayOptions } from './agents/claude/replay.ts';
export { type RetellOptions, retell } from './agents/claude/retell.ts';
export { type CountedTranscripts, countedAgent, countedTranscripts } from './agents/counted.ts';
export { readExit } from './agents/exit.ts';
export type { CallStart, OpenCall } from './agents/narrator/calls.ts';
export { Narrator, type NarratorOptions } from './agents/narrator/narrator.ts';
export { agents } from './agents/registry.ts';
export type { ToolTraits } from './agents/tools.ts';
export type {
  AnswerSighting,
  TotalSighting,
  TranscriptUsage,
  UsageSighting,
} from './agents/transcript-usage.ts';
export { type Content, contentsOf, type Message, messagesOf } from './conversation/chat.ts';
export {
  type Call,
  type CallFacts,
  type CallPart,
  type CallStatus,
  type ChangesPart,
  type CompactionPart,
  type Conversation,
  createConversation,
  type ErrorPart,
  type HookPart,
  type MessageFacts,
  type ModePart,
  type NoticePart,
  type Part,
  type PartBase,
  type PartType,
  type Permission,
  type PermissionPart,
  type Plan,
  type PlanPart,
  type PromptPart,
  type Question,
  type QuestionPart,
  type RateLimit,
  type RawPart,
  type ReasoningPart,
  type RetryPart,
  type Run,
  type Task,
  type TaskPart,
  type TextPart,
  type Thread,
  type TurnPart,
  type Waiting,
} from './conversation/conversation.ts';
export type { Entry, List, Order } from './conversation/list.ts';
export { formatInput, type Output, outputsOf } from './conversation/outputs.ts';
export { reduce } from './conversation/reduce.ts';
export { type Segment, segmentsOf } from './conversation/segments.ts';
export {
  type ChangedFile,
  type ConversationView,
  callById,
  contextOf,
  filesChanged,
  messageById,
  type OpenRequest,
  openRequests,
  type PartsOptions,
  type PartView,
  partsOf,
  view,
} from './conversation/select.ts';
export { type KnownFigures, type Subagent, subagentsOf } from './conversation/subagents.ts';
export { createDecoder } from './create-decoder.ts';
export type { Decoder, DecoderOptions, DecoderStats } from './decoder.ts';
export type { EventDraft } from './event/draft.ts';
export type {
  AgentError,
  AgentStreamEvent,
  AskedQuestion,
  ContentPart,
  Cost,
  ErrorCode,
  EventBase,
  EventOf,
  EventType,
  FileChange,
  Location,
  McpServer,
  McpTool,
  ModelUsage,
  Outcome,
  PermissionOption,
  RawReason,
  RunState,
  StopReason,
  TaskKind,
  TodoEntry,
  ToolKind,
  ToolTag,
  Usage,
} from './event/event.ts';
export { hasFailed } from './event/failed.ts';
export { isEvent } from './event/guards.ts';
export { type HostLine, type HostLineType, readHostLine } from './event/host-line.ts';
export type { Json } from './event/json.ts';
export { addUsage } from './event/usage.ts';
export { EVENTS_VERSION } from './event/version.ts';
export { LONGEST_LINE_BYTES, MAX_DEPTH, MAX_LINE_BYTES } from './lines/limits.ts';
export type { PastRun } from './progress/estimate.ts';
export { createProgress, type Progress, type ProgressFold, type ProgressOptions } from './progress/progress.ts';
export { createRedactor, type Redacted, type Redactor, redact, replaceSecrets } from './redact/redact.ts';
export { type RedactedJson, redactJson } from './redact/redact-json.ts';
export type { FoundSecret } from './redact/scan.ts';
export { createSecretScanner, type SecretScanner } from './redact/scanner.ts';
export { createSession, type Session } from './session/fold.ts';
export type { SessionStream } from './session/stream.ts';
export { type ByteReader, type ByteSource, type CancelSignal, type DecodeOptions, decode } from './streams/iterate.ts';
export { hiddenIn, revealHidden, type TextPiece } from './summary/hidden.ts';
export { markOf, showCost, showDuration } from './summary/show.ts';
export {
  createSummary,
  type LineCounts,
  type Summary,
  type SummaryCall,
  type SummaryFold,
  type SummaryOptions,
  type SummarySubagent,
} from './summary/summary.ts';
