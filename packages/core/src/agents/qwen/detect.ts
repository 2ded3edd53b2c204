// How sure we are that a message is Qwen Code's and not another speaker's of the same dialect: it puts the line's id second, counts a
// total, and has a few words of its own.

import { asObject, asText, type Json, type Loose } from '../../event/json.ts';
import type { QwenEvent, QwenLine, QwenUsage } from './wire.ts';

const TYPES: ReadonlySet<Json> = new Set(['system', 'stream_event', 'assistant', 'user', 'result']);

export function detect(messages: readonly Json[]): number {
  return messages.reduce<number>((most, message) => Math.max(most, sureness(message)), 0);
}

function sureness(message: Json): number {
  const line = asObject<QwenLine>(message);
  if (line?.type === 'control_response') return isGreeting(line.response) ? 0.95 : 0;
  if (!line || !TYPES.has(line.type) || asText(line.session_id) === undefined) return 0;
  if (asText(line.qwen_code_version) !== undefined) return 1;
  if (asObject<QwenEvent>(line.event)?.goal_state !== undefined) return 0.95;
  if ((line.type === 'result' && hasTotal(line.usage)) || hasTotal(asObject<{ usage: Json }>(line.message)?.usage))
    return 0.95;
  return isIdSecond(line) ? 0.95 : 0;
}

/** Its answer to `initialize` names itself, and says what it can do. */
function isGreeting(response: Json): boolean {
  const greeting = asObject<{ response: Json }>(response)?.response;
  const { subtype, capabilities } = asObject<{ subtype: string; capabilities: object }>(greeting) ?? {};
  return subtype === 'initialize' && asObject(capabilities) !== undefined;
}

function hasTotal(usage: Json): boolean {
  return typeof asObject<QwenUsage>(usage)?.total_tokens === 'number';
}

/** Claude and Grok end a line with its id. */
function isIdSecond(line: Loose<QwenLine>): boolean {
  const names = Object.keys(line).filter((name) => name !== 'type' && name !== 'subtype');
  return names[0] === 'uuid' && names[1] === 'session_id';
}
