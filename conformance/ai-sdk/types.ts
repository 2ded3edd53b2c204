// Our chunks are theirs to the compiler: a stream of ours can be merged into one of theirs, and a message has our types.
import type { UIMessage, UIMessageChunk } from 'ai';
import type {
  AgentData,
  AgentMetadata,
  ToolFacts,
  ToolOutput,
  toUIMessageStream,
} from '../../packages/core/dist/targets/ai-sdk/index.js';

type Message = UIMessage<AgentMetadata, AgentData>;

export const merge = (
  stream: ReturnType<typeof toUIMessageStream>,
): ReadableStream<UIMessageChunk<AgentMetadata, AgentData>> => stream;

export const mergeUntyped = (stream: ReturnType<typeof toUIMessageStream>): ReadableStream<UIMessageChunk> => stream;

/** What a page reads of a message, without a cast but where a tool is. */
export function read({ metadata, parts }: Message): unknown[] {
  return parts.map((part) => {
    if (part.type === 'data-todo') return part.data.entries.map(({ content }) => content);
    if (part.type === 'data-task') return part.data.status;
    if (part.type === 'dynamic-tool') return [part.output as ToolOutput, part.toolMetadata?.['tailrace'] as ToolFacts];
    return metadata?.usage?.inputTokens;
  });
}
