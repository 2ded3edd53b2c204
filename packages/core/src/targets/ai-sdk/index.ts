export type {
  AgentData,
  AgentMetadata,
  ApprovalDescriptor,
  TaskData,
  ToolFacts,
  ToolOutput,
  UIFinishReason,
  UIMessageChunk,
} from './chunk.ts';
export {
  type EventSource,
  toUIMessageStream,
  toUIMessageStreamResponse,
  type UIMessageStreamOptions,
} from './stream.ts';
export { createUIMessageWriter, type UIMessageOptions, type UIMessageWriter } from './writer.ts';
