// The one way from a session to a page: escape sequences of a terminal go first, then what is secret.

import { type Json, redact, redactJson, replaceSecrets } from '@tailrace/core';
import type { ExportOptions } from './input.ts';

export interface ExportGate {
  text(text: string): string;
  /** Lines that belong together: what is secret may go over several. As many come out. */
  lines(lines: readonly string[]): readonly string[];
  json(value: Json): Json;
  /** How many secrets were left out, by kind. */
  readonly kinds: ReadonlyMap<string, number>;
}

export function createExportGate({ redact: wanted = true, onRedacted }: ExportOptions): ExportGate {
  const kinds = new Map<string, number>();

  function note(kind: string): void {
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    onRedacted?.(kind);
  }

  return {
    text(given) {
      const text = withoutSequences(given);
      if (!wanted) return text;
      const result = redact(text);
      for (const { kind } of result.found) note(kind);
      return result.text;
    },
    lines(given) {
      const lines = given.map(withoutSequences);
      if (!wanted) return lines;
      const text = lines.join('\n');
      const { found } = redact(text);
      for (const { kind } of found) note(kind);
      if (found.length === 0) return lines;
      let start = 0;
      return lines.map((line) => {
        const shown = replaceSecrets(text, start, start + line.length, found);
        start += line.length + 1;
        return shown;
      });
    },
    json(value) {
      if (!wanted) return value;
      const result = redactJson(value);
      for (const { kind } of result.found) note(kind);
      return result.value;
    },
    kinds,
  };
}

/** How many there were, in words for people. */
export function describeRedactions({ kinds }: ExportGate): string {
  const count = [...kinds.values()].reduce((sum, one) => sum + one, 0);
  if (count === 0) return '';
  const named = [...kinds].map(([kind, one]) => `${one} ${kind}`).join(', ');
  return `${count} ${count === 1 ? 'secret was' : 'secrets were'} left out (${named}). A mark shows kind and length of each.`;
}

/** Colours and cursor moves of a terminal mean nothing on a page. */
function withoutSequences(text: string): string {
  if (!text.includes('\u001b')) return text;
  let shown = '';
  let last = 0;
  for (let at = text.indexOf('\u001b'); at >= 0; at = text.indexOf('\u001b', at + 1)) {
    if (text[at + 1] !== '[') continue;
    let end = at + 2;
    while (end < text.length && text.charCodeAt(end) >= 0x20 && text.charCodeAt(end) <= 0x3f) end++;
    const final = text.charCodeAt(end);
    if (!(final >= 0x40 && final <= 0x7e)) continue;
    shown += text.slice(last, at);
    last = end + 1;
  }
  return shown + text.slice(last);
}
