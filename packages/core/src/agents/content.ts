// Content in the shapes of MCP and ACP, which most agents hand on: text, images, audio, resources → neutral parts.

import type { ContentPart } from '../event/event.ts';
import { asList, asObject, asText, type Json } from '../event/json.ts';

interface WireContent {
  type: string;
  text: string;
  data: string;
  mimeType: string;
  uri: string;
  url: string;
  name: string;
  title: string;
  resource: WireContent;
  content: WireContent;
}

/** A string, a part or a list of parts. One of another kind is kept as JSON, not dropped. */
export function partsOf(content: Json): readonly ContentPart[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content.map(partOf) : [partOf(content)];
}

/** A text as parts: none when there is nothing to read. */
export function textParts(text: string | undefined): readonly ContentPart[] {
  return text ? [{ type: 'text', text }] : [];
}

function partOf(value: Json): ContentPart {
  if (typeof value === 'string') return { type: 'text', text: value };
  const part = asObject<WireContent>(value);
  switch (part?.type) {
    case 'text': {
      const text = asText(part.text);
      return text === undefined ? { type: 'json', value } : { type: 'text', text };
    }
    // ACP wraps what a tool shows.
    case 'content':
      return asObject(part.content) ? partOf(part.content) : { type: 'json', value };
    case 'image':
    case 'audio': {
      const data = asText(part.data);
      const uri = asText(part.uri) ?? asText(part.url);
      if (data === undefined && uri === undefined) return { type: 'json', value };
      const mediaType = asText(part.mimeType) ?? `${part.type}/*`;
      return { type: part.type, mediaType, ...(data !== undefined && { data }), ...(uri !== undefined && { uri }) };
    }
    case 'resource':
      return resourcePart(asObject<WireContent>(part.resource)) ?? { type: 'json', value };
    case 'resource_link':
      return resourcePart(part) ?? { type: 'json', value };
    default:
      return { type: 'json', value };
  }
}

function resourcePart(resource: ReturnType<typeof asObject<WireContent>>): ContentPart | undefined {
  const uri = asText(resource?.uri);
  if (uri === undefined) return undefined;
  const mediaType = asText(resource?.mimeType);
  const text = asText(resource?.text);
  const title = asText(resource?.title) ?? asText(resource?.name);
  return {
    type: 'resource',
    uri,
    ...(mediaType !== undefined && { mediaType }),
    ...(text !== undefined && { text }),
    ...(title !== undefined && { title }),
  };
}

/** The text in it, joined; other parts left out. */
export function textIn(content: Json): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asText(asObject<WireContent>(part)?.text) ?? '')
    .join('');
}
