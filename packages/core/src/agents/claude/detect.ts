// How sure we are that a message is Claude's: its types are common words, so its own fields decide.

import { asObject, asText, type Json } from '../../event/json.ts';
import { STREAM_EVENTS } from '../dialects/claude/legacy.ts';
import { isTranscriptLine } from '../dialects/claude/transcript.ts';
import { lineHandlers } from '../dialects/claude/translate.ts';
import type { ControlRequestLine, InitLine, ResultLine, TranscriptLine, WireLine } from '../dialects/claude/wire.ts';
import { isHookPayload } from './hooks/translate.ts';

/** The fields that tell Claude's lines from others. */
interface Tells extends WireLine {
  claude_code_version: InitLine['claude_code_version'];
  duration_api_ms: ResultLine['duration_api_ms'];
  is_error: ResultLine['is_error'];
  request_id: ControlRequestLine['request_id'];
  message: Json;
  event: Json;
  response: Json;
  delta: Json;
  content: Json;
  name: Json;
  tool: Json;
  content_block: Json;
  isSidechain: TranscriptLine['isSidechain'];
}

/** From 0 to 1; the surest of the messages counts. */
export function detect(messages: readonly Json[]): number {
  let most = 0;
  for (const message of messages) most = Math.max(most, sureness(message));
  return most;
}

function sureness(message: Json): number {
  const line = asObject<Tells>(message);
  const type = asText(line?.type);
  if (type === undefined && isHookPayload(line)) return 0.9;
  if (!line || type === undefined) return 0;
  const hasSession = asText(line.session_id) !== undefined;
  if (asText(line.claude_code_version) !== undefined) return 1;
  if (typeof line.isSidechain === 'boolean') return 0.9;
  // Its bookkeeping has names of its own, but for a few plain words.
  if (isTranscriptLine(line)) return asText(line.sessionId) !== undefined || type.includes('-') ? 0.7 : 0.4;
  if (STREAM_EVENTS.has(type))
    return asObject(line.message) || asObject(line.delta) || asObject(line.content_block) ? 0.6 : 0.3;
  if (type === 'tool_use') return asText(line.name ?? line.tool) === undefined ? 0.2 : 0.5;
  if (!lineHandlers.has(type)) return type === 'init' && hasSession ? 0.6 : 0.1;
  switch (type) {
    case 'assistant':
    case 'user':
      return asObject(line.message) ? (hasSession ? 0.9 : 0.6) : line.content === undefined ? 0.3 : 0.5;
    case 'system':
      return hasSession ? 0.8 : line.content === undefined ? 0.3 : 0.5;
    case 'result':
      return line.duration_api_ms !== undefined || line.is_error !== undefined || hasSession ? 0.8 : 0.5;
    case 'stream_event':
      return asObject(line.event) ? 0.8 : 0.2;
    case 'control_request':
      return asText(line.request_id) !== undefined ? 0.7 : 0.2;
    case 'control_response':
      return asObject(line.response) ? 0.7 : 0.2;
    default:
      return hasSession ? 0.8 : 0.3;
  }
}
