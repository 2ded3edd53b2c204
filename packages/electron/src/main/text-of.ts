import type { ContentPart } from '@tailrace/core';

/** What a message or a result holds, as text; what is none is named. */
export function textOf(content: readonly ContentPart[]): string {
  return content.map(partText).join('\n');
}

function partText(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'json') return JSON.stringify(part.value);
  return part.type === 'resource' ? (part.text ?? part.uri) : `[${part.type}]`;
}
