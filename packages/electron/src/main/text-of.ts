import { type ContentPart, contentText, isMessage, isTextBlock, type ToolResultBlock } from '@tailrace/core';

/** What a message or a result holds, as text; what is none is named. */
export function textOf(content: readonly ContentPart[]): string {
  return content.map(partText).join('\n');
}

/** The same of a result as its line has it. */
export function resultText(block: ToolResultBlock): string {
  const { content } = block;
  if (!Array.isArray(content)) return contentText(block);
  return content
    .map((part) => (isTextBlock(part) ? part.text : isMessage(part) ? `[${part.type}]` : JSON.stringify(part)))
    .join('\n');
}

function partText(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'json') return JSON.stringify(part.value);
  return part.type === 'resource' ? (part.text ?? part.uri) : `[${part.type}]`;
}
