// What the text of a result tells. Kimi has no flag for it, so only what cannot be anything else is taken for a failure.

import type { ContentPart, Outcome } from '../../event/event.ts';
import { asObject, asText, type Json } from '../../event/json.ts';
import { parseText } from '../../lines/parse.ts';
import { partsOf } from '../content.ts';
import { isMcpName } from '../mcp.ts';
import type { KimiPart } from './wire.ts';

export interface Result {
  readonly outcome: Outcome;
  readonly exitCode?: number;
}

/** Below zero: a signal has killed it. */
const FAILED = /Command failed with exit code: (-?\d{1,10})\.\s*$/;
const STOPPED = /(?:^|\n)(?:Interrupted by user|Session closed)\s*$/;

/** How a call went, as far as its result tells. */
export function resultOf(toolName: string, text: string): Result {
  if (text === `Tool "${toolName}" was denied by permission policy.`) return { outcome: 'denied' };
  if (toolName !== 'Bash') return { outcome: 'unknown' };
  // Only the end is looked at: an output may be long.
  const end = text.slice(-80);
  const code = FAILED.exec(end)?.[1];
  if (code !== undefined) return { outcome: Number(code) === 0 ? 'success' : 'error', exitCode: Number(code) };
  return { outcome: STOPPED.test(end) ? 'cancelled' : 'unknown' };
}

/** A result that is not only text is a list of parts, as JSON. Any text may look so, but only few tools give such lists. */
export function contentOf(toolName: string, content: Json): readonly ContentPart[] {
  const mayBeParts = toolName === 'ReadMediaFile' || isMcpName(toolName);
  if (!mayBeParts || typeof content !== 'string' || !content.startsWith('[{"type":"')) return partsOf(content);
  const parts = parseText(content);
  return Array.isArray(parts) ? parts.flatMap(partOf) : partsOf(content);
}

function partOf(value: Json): readonly ContentPart[] {
  const part = asObject<KimiPart>(value);
  const type = part?.type === 'image_url' ? 'image' : part?.type === 'audio_url' ? 'audio' : undefined;
  const uri = asText(asObject<{ url: string }>(type === 'image' ? part?.imageUrl : part?.audioUrl)?.url);
  return type && uri !== undefined ? [{ type, mediaType: mediaTypeOf(uri) ?? `${type}/*`, uri }] : partsOf([value]);
}

/** The type that a `data:` address begins with. */
function mediaTypeOf(uri: string): string | undefined {
  return /^data:([\w.+-]{1,40}\/[\w.+-]{1,80})[;,]/.exec(uri.slice(0, 200))?.[1];
}
