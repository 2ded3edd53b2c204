export { type Activity, type ActivityOptions, createActivity, PROGRESS_INTERVAL_MS } from './activity/activity.ts';
export { cutText } from './activity/cut-text.ts';
export {
  createFileChangedEvent,
  createOutputEvent,
  createProgressEvent,
  createToolCallEvent,
  createToolResultEvent,
  type FileChangedData,
  type ProgressData,
  type ToolCallData,
  type ToolResultData,
} from './activity/factories.ts';
export {
  ACTIVITY_TOOLS,
  type ActivityMessage,
  type ActivityTool,
  type AgentOutput,
  type AgentToolCall,
  type AgentToolResult,
  agentOutput,
  agentToolCall,
  agentToolResult,
  type FileChanged,
  fileChanged,
  PREVIEW_CHARACTERS,
  type ProgressUpdate,
  progressUpdate,
} from './activity/messages.ts';
export { type ParseActivityOptions, parseActivity } from './activity/parse.ts';
export { isWanted } from './activity/switches.ts';
export {
  type AnswerRequest,
  answerRequest,
  type Command,
  command,
  type InterruptRun,
  interruptRun,
  type SendPrompt,
  type StartRun,
  type StopRun,
  sendPrompt,
  startRun,
  stopRun,
} from './command.ts';
export { type Cursor, decodeCursor, encodeCursor } from './cursor.ts';
export type { CutString } from './cut-string.ts';
export type { TailraceBridge } from './electron/bridge.ts';
export {
  type BridgeAnswer,
  type BridgeCalls,
  type BridgeReply,
  type BridgeRewind,
  type BridgeRewindPreview,
  type BridgeRun,
  type BridgeRunId,
  type BridgeSend,
  type BridgeSession,
  type BridgeStart,
  type BridgeStarted,
  type BridgeUrl,
  bridgeCalls,
} from './electron/calls.ts';
export {
  CALL_CHANNELS,
  type CallChannel,
  type CallName,
  STREAM_CHANNELS,
  type StreamChannel,
} from './electron/channels.ts';
export {
  type StreamChunk,
  type StreamEnd,
  type StreamEvent,
  type StreamInit,
  type StreamMessage,
  type StreamMessages,
  type StreamTool,
  type StreamToolResult,
  type StreamToolUse,
  sessionUuid,
  streamChunk,
  streamEnd,
  streamEvent,
  streamInit,
  streamMessages,
  streamTool,
  type ToolResult,
  type ToolUse,
} from './electron/messages.ts';
export { type AgentInfo, agentList } from './http/agent-info.ts';
export {
  type EventPage,
  type EventQuery,
  eventPage,
  eventQuery,
  type WholeEvents,
  wholeEvents,
} from './http/event-page.ts';
export { type Health, health, type StoreHealth } from './http/health.ts';
export { type ProjectInfo, projectList } from './http/project-info.ts';
export { type Page, type PageQuery, pageQuery } from './http/query.ts';
export {
  type RewindBody,
  type RewindCall,
  type RewindFile,
  type RewindLeft,
  type RewindPreviewBody,
  type RewindPreviewReply,
  type RewindReply,
  rewindBody,
  rewindPreviewBody,
  rewindPreviewReply,
  rewindReply,
  type StartBefore,
  startBefore,
  startBeforeQuery,
} from './http/rewind.ts';
export {
  type AnswerBody,
  answerBody,
  type CommandReply,
  commandReply,
  type InterruptBody,
  interruptBody,
  runList,
  type SendBody,
  type StartBody,
  type StopBody,
  sendBody,
  startBody,
  stopBody,
} from './http/run-bodies.ts';
export { type OpenRequest, openRequest, type RunInfo, runInfo } from './http/run-info.ts';
export { type Found, type FoundKind, type FoundPlace, found, type SearchQuery, searchQuery } from './http/search.ts';
export {
  type LiveRun,
  liveRun,
  type RunProgress,
  runState,
  type SessionInfo,
  sessionInfo,
  usageFigures,
} from './http/session-info.ts';
export {
  type LabelChange,
  labelChange,
  type SessionDetail,
  type SessionPage,
  type SessionQuery,
  sessionDetail,
  sessionPage,
  sessionQuery,
} from './http/session-list.ts';
export {
  type CallInfo,
  type CheckpointInfo,
  callPage,
  checkpointPage,
  type FileInfo,
  filePage,
  type MessageInfo,
  messagePage,
  todoPage,
} from './http/session-parts.ts';
export { type PersonSettings, personSettings, type SettingsChange, settingsChange } from './http/settings.ts';
export {
  type MadeProgram,
  madeProgram,
  type NewProgram,
  newProgram,
  type ProgramInfo,
  programList,
  type SignInReply,
  type SignInRequest,
  signInReply,
  signInRequest,
} from './http/sign-in.ts';
export { type Spending, type SpendingRow, spending } from './http/spending.ts';
export {
  type UsageAnswer,
  type UsageFigures,
  type UsageGrouping,
  type UsageLine,
  type UsageQuery,
  type UsageRate,
  type UsageShare,
  usageAnswer,
  usageQuery,
} from './http/usage.ts';
export { usageCsv } from './http/usage-csv.ts';
export { KEY_HEADER, keyInProtocols, keyProtocol, SOCKET_PROTOCOL } from './key.ts';
export * from './limits.ts';
export { createProblem, type FolderBrings, PROBLEM_CODES, type Problem, type ProblemCode, problem } from './problem.ts';
export {
  type ActivitySwitches,
  type ClientMessage,
  type CommandMessage,
  clientMessage,
  type EventFilter,
  eventFilter,
  type Pong,
  type Subscribe,
  subscribe,
  type Unsubscribe,
} from './socket/client-message.ts';
export {
  type Behind,
  type Ended,
  type EventMessage,
  type Failed,
  type Frame,
  frame,
  type Gone,
  type Hello,
  type Live,
  type Ping,
  type Reply,
  type Reset,
  type ServerMessage,
  type ServerMessageType,
  type SessionMessage,
  serverMessage,
  serverMessages,
} from './socket/server-message.ts';
export { PROTOCOL_VERSION } from './version.ts';
