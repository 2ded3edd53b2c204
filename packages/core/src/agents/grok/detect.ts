// How sure we are that a message is Grok's: ACP's updates under names of its own, or Claude's dialect with the fields in its own order.

import { asList, asNumber, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import type { WireBlock, WireLine, WireMessage } from '../dialects/claude/wire.ts';
import type { GrokLine, GrokUsage } from './wire.ts';

export function detect(messages: readonly Json[]): number {
  return messages.reduce<number>(
    (most, message) => Math.max(most, updateSureness(message), messageSureness(message)),
    0,
  );
}

/** For a line of `streaming-messages-json`: surer than Claude, or silent. */
function messageSureness(message: Json): number {
  const line = asObject<DialectLine>(message);
  if (!line || asText(line.session_id) === undefined) return 0;
  const names = Object.keys(line);
  const { model, id, content } = asObject<WireMessage>(line.message) ?? {};
  switch (line.type) {
    case 'system':
      if (line.subtype === 'compact_boundary') return names.length === 5 ? 0.95 : 0;
      return isGrok(line.model) || names.indexOf('apiKeySource') === names.indexOf('session_id') + 1 ? 0.95 : 0;
    case 'stream_event':
      return names.indexOf('parent_tool_use_id') < names.indexOf('session_id') ? 0.95 : 0;
    case 'assistant':
      return isGrok(model) || /^msg_\d{1,6}$/.test(asText(id) ?? '') ? 0.95 : 0;
    case 'user':
      return asList(content).some(isWrapped) ? 0.95 : 0;
    case 'result':
      return names.at(-2) === 'session_id' && names.includes('num_turns') && names.includes('modelUsage') ? 0.95 : 0;
    default:
      return 0;
  }
}

interface DialectLine extends WireLine {
  model: string;
  message: Json;
}

function isGrok(model: Json): boolean {
  return asText(model)?.startsWith('grok') === true;
}

/** What a tool gave to programs, or what ACP shows of it, as a string. */
function isWrapped(value: Json): boolean {
  const block = asObject<WireBlock>(value);
  const text = block?.type === 'tool_result' ? asText(block.content) : undefined;
  return text?.startsWith('{"type":"') === true || text?.startsWith('[{"type":"content","content":{') === true;
}

/** For a line of `streaming-json`. */
function updateSureness(message: Json): number {
  const line = asObject<GrokLine>(message);
  const tell = entryOf(tells, line?.type);
  return line && tell ? tell(line) : 0;
}

type Tell = (line: Loose<GrokLine>) => number;

const hasData: Tell = ({ data }) => (asText(data) === undefined ? 0 : 0.7);
const isUpdate: Tell = ({ toolCallId, content, locations }) =>
  asText(toolCallId) === undefined ? 0 : Array.isArray(content) && Array.isArray(locations) ? 0.9 : 0.5;

const tells: Readonly<Record<string, Tell>> = {
  text: hasData,
  thought: hasData,
  tool_call: isUpdate,
  tool_call_update: isUpdate,
  plan: ({ entries }) => (Array.isArray(entries) ? 0.6 : 0),
  available_commands: ({ tools, commands }) => (Array.isArray(tools) && Array.isArray(commands) ? 0.9 : 0.2),
  usage: ({ usage }) => (asNumber(asObject<GrokUsage>(usage)?.cache_creation_input_tokens) !== undefined ? 0.7 : 0.3),
  end: ({ stopReason, sessionId }) => (asText(stopReason) !== undefined && asText(sessionId) !== undefined ? 0.9 : 0.1),
  // Anybody may say so, but for what was spent.
  error: ({ message, modelUsage }) => (asText(message) !== undefined && asObject(modelUsage) ? 0.7 : 0.1),
  max_turns_reached: () => 0.6,
  auto_compact_started: () => 0.7,
  auto_compact_completed: () => 0.7,
  auto_compact_failed: () => 0.7,
  auto_compact_cancelled: () => 0.7,
  auto_continue_completed: () => 0.7,
  image_compressed: () => 0.6,
  memory_flush_started: () => 0.6,
  memory_flush_completed: () => 0.6,
  memory_capture_activity: () => 0.6,
};
