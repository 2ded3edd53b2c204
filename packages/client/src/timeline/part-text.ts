// What of a part can be found by its words.

import type { ContentPart, Conversation, Part } from '@tailrace/core';

/** The words of a part, for the search in a session. */
export function textOf(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'prompt':
      return contentText(part.content);
    case 'call':
    case 'mode':
    case 'plan':
      return [
        part.name,
        part.title,
        part.plan?.text,
        part.input === undefined ? part.inputText : JSON.stringify(part.input),
        part.content ? contentText(part.content) : part.outputText,
        part.error?.message,
        part.task?.description,
        part.task?.result,
        part.changes?.map(({ path }) => path).join('\n'),
      ]
        .filter((one) => one !== undefined)
        .join('\n');
    case 'task':
      return [part.task.name, part.task.description, part.task.result].filter((one) => one !== undefined).join('\n');
    case 'permission':
      return [part.toolName, part.permission.title, part.permission.reason]
        .filter((one) => one !== undefined)
        .join('\n');
    case 'question':
      return part.question.message;
    case 'changes':
      return part.changes.map(({ path }) => path).join('\n');
    case 'error':
      return part.error.message;
    case 'notice':
      return `${part.title}\n${part.description ?? ''}`;
    case 'retry':
      return part.error?.message ?? '';
    case 'compaction':
      return part.summary ?? '';
    case 'hook':
      return `${part.name}\n${part.output ?? ''}`;
    case 'turn':
      return part.text ?? part.error?.message ?? '';
    case 'raw':
      return part.text ?? (part.value === undefined ? '' : JSON.stringify(part.value));
  }
}

/** The ids of the parts that have the words, in order; of all threads. */
export function findParts({ parts }: Conversation, words: string): readonly string[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [];
  const found: string[] = [];
  for (const chunk of parts)
    for (const part of chunk)
      if (!part.hidden && part.retracted === undefined && lowerOf(part).includes(wanted)) found.push(part.id);
  return found;
}

const lower = new WeakMap<Part, string>();

function lowerOf(part: Part): string {
  let text = lower.get(part);
  if (text === undefined) {
    text = textOf(part).toLowerCase();
    lower.set(part, text);
  }
  return text;
}

function contentText(content: readonly ContentPart[]): string {
  return content.map((one) => ('text' in one ? (one.text ?? '') : '')).join('\n');
}
