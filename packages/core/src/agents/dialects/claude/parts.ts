// Content that is shown to people: tool results, prompts, images → neutral parts.

import type { ContentPart } from '../../../event/event.ts';
import { asObject, asText, type Json } from '../../../event/json.ts';
import type { WireBlock, WireSource } from './wire.ts';

/** A string or a list of blocks as parts. A block of another kind is kept as JSON, not dropped. */
export function partsOf(content: Json): readonly ContentPart[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map(partOf) : [partOf(content)];
}

function partOf(value: Json): ContentPart {
  if (typeof value === 'string') return { type: 'text', text: value };
  const block = asObject<WireBlock>(value);
  const text = asText(block?.text);
  if (block?.type === 'text' && text !== undefined) return { type: 'text', text };
  if (block?.type === 'image') return imagePart(block.source) ?? { type: 'json', value };
  if (block?.type === 'document' || block?.type === 'search_result') {
    return resourcePart(block.source, asText(block.title)) ?? { type: 'json', value };
  }
  return { type: 'json', value };
}

function imagePart(value: Json): ContentPart | undefined {
  const source = asObject<WireSource>(value);
  const mediaType = asText(source?.media_type) ?? 'image/*';
  const data = asText(source?.data);
  const uri = asText(source?.url) ?? asText(source?.file_id);
  if (data === undefined && uri === undefined) return undefined;
  return { type: 'image', mediaType, ...(data !== undefined && { data }), ...(uri !== undefined && { uri }) };
}

function resourcePart(value: Json, title: string | undefined): ContentPart | undefined {
  const source = asObject<WireSource>(value);
  const uri = asText(value) ?? asText(source?.url) ?? asText(source?.file_id);
  if (uri === undefined) return undefined;
  const mediaType = asText(source?.media_type);
  return {
    type: 'resource',
    uri,
    ...(mediaType !== undefined && { mediaType }),
    ...(title !== undefined && { title }),
  };
}

/** What stands between `<tag>` and `</tag>`, if both are there. */
export function between(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const from = start + tag.length + 2;
  const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, from);
  return end < 0 ? undefined : text.slice(from, end);
}
