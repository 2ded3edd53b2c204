// How sure we are that a message is pi's. Its types are words of its own; those that others use too need a field of its own.

import { asNumber, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import type { PiEntry, PiLine, PiMessage, PiPiece } from './wire.ts';

export function detect(messages: readonly Json[]): number {
  return messages.reduce<number>((most, message) => Math.max(most, sureness(message)), 0);
}

function sureness(message: Json): number {
  const line = asObject<PiLine>(message);
  const tell = entryOf(tells, line?.type);
  return line && tell ? (tell(line) ? 0.9 : 0.2) : 0;
}

/** Whether a line of this type is pi's, by its other fields. */
type Tell = (line: Loose<PiLine>) => boolean;

/** A message has a role and the time in milliseconds, which the model's own messages have not. */
const hasMessage: Tell = ({ message }) => {
  const { role, timestamp } = asObject<PiMessage>(message) ?? {};
  return asText(role) !== undefined && asNumber(timestamp) !== undefined;
};
const hasCall: Tell = ({ toolCallId, toolName }) => asText(toolCallId) !== undefined && asText(toolName) !== undefined;
const hasReason: Tell = ({ reason }) => asText(reason) !== undefined;
const hasAttempt: Tell = ({ attempt }) => asNumber(attempt) !== undefined;
const byName: Tell = () => true;

const tells: Readonly<Record<string, Tell>> = {
  session: ({ version, id, cwd }) =>
    asNumber(version) !== undefined && asText(id) !== undefined && asText(cwd) !== undefined,
  agent_start: byName,
  agent_end: (line) => Array.isArray(asObject<{ messages: Json }>(line)?.messages),
  agent_settled: byName,
  turn_start: byName,
  turn_end: hasMessage,
  message_start: hasMessage,
  message_update: ({ assistantMessageEvent }) => asText(asObject<PiPiece>(assistantMessageEvent)?.type) !== undefined,
  message_end: hasMessage,
  tool_execution_start: hasCall,
  tool_execution_update: hasCall,
  tool_execution_end: hasCall,
  queue_update: (line) => Array.isArray(asObject<{ steering: Json }>(line)?.steering),
  entry_appended: ({ entry }) => asText(asObject<PiEntry>(entry)?.type) !== undefined,
  session_info_changed: byName,
  thinking_level_changed: byName,
  compaction_start: hasReason,
  compaction_end: hasReason,
  auto_retry_start: hasAttempt,
  auto_retry_end: hasAttempt,
  summarization_retry_scheduled: hasAttempt,
  summarization_retry_attempt_start: byName,
  summarization_retry_finished: byName,
  bash_execution_update: byName,
};
