// What can be asked for with `--only`.

import { UsageError } from '../failure.ts';

export const KINDS = [
  'text',
  'prompts',
  'reasoning',
  'tools',
  'files',
  'todos',
  'subagents',
  'trouble',
  'summary',
] as const;

export type Kind = (typeof KINDS)[number];

/** `text,tools`; nothing when nothing was asked for. */
export function parseKinds(text: string | undefined): ReadonlySet<Kind> | undefined {
  if (text === undefined) return undefined;
  const words = text.split(',').map((word) => word.trim());
  for (const word of words)
    if (!isKind(word))
      throw new UsageError(`--only takes ${KINDS.join(', ')}, with commas between them, not "${word}"`);
  return new Set(words.filter(isKind));
}

function isKind(word: string): word is Kind {
  return (KINDS as readonly string[]).includes(word);
}
