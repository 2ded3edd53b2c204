export {
  createLedger,
  type FigureState,
  type Figures,
  type Ledger,
  type ModelFigures,
  type ToolFigures,
} from './accounting/ledger.ts';
export { type Price, type PriceTable, priceOf } from './accounting/prices.ts';
export type { SubagentFigures } from './accounting/subagents.ts';
export { addUsage } from './accounting/usage.ts';
export {
  type Agent,
  defineAgent,
  type EventWriter,
  type Exit,
  type LineSource,
  type Translator,
} from './agents/agent.ts';
export { agents } from './agents/registry.ts';
export { createDecoder } from './create-decoder.ts';
export type { Decoder, DecoderOptions, DecoderStats } from './decoder.ts';
export type { EventDraft } from './event/draft.ts';
export type {
  AgentError,
  AgentStreamEvent,
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
  StopReason,
  TaskKind,
  TodoEntry,
  ToolKind,
  ToolTag,
  Usage,
} from './event/event.ts';
export { isEvent } from './event/guards.ts';
export type { Json } from './event/json.ts';
export { EVENTS_VERSION } from './event/version.ts';
export { LONGEST_LINE_BYTES, MAX_DEPTH, MAX_LINE_BYTES } from './lines/limits.ts';
export { type ByteReader, type ByteSource, type CancelSignal, type DecodeOptions, decode } from './streams/iterate.ts';
export {
  createSummary,
  type LineCounts,
  type Summary,
  type SummaryCall,
  type SummaryFold,
  type SummarySubagent,
} from './summary/summary.ts';
