// Secrets in whole JSON values: every text is looked at, and what stands under a name that sounds secret more closely.

import type { Json } from '../event/json.ts';
import { kindOfName } from './names.ts';
import { redact, redactionMark } from './redact.ts';
import type { FoundSecret } from './scan.ts';
import { isSecretValue } from './values.ts';

export interface RedactedJson {
  readonly value: Json;
  /** What was taken out; each by its place in its own text. */
  readonly found: readonly FoundSecret[];
}

/** Deeper than any line that is read. */
const MAX_DEPTH = 520;

/** The value with marks in place of secrets. Names stay, unless one is a secret itself; without any it is the same value. */
export function redactJson(value: Json): RedactedJson {
  const found: FoundSecret[] = [];

  function visitText(text: string, name: string): string {
    const result = redact(text);
    found.push(...result.found);
    if (result.found.length > 0) return result.text;
    const kind = kindOfName(name);
    if (kind === undefined || !isSecretValue(text, kind)) return text;
    found.push({ kind, start: 0, length: text.length });
    return redactionMark(kind, text.length);
  }

  function visit(one: Json, name: string, depth: number): Json {
    if (typeof one === 'string') return visitText(one, name);
    if (typeof one !== 'object' || one === null) return one;
    if (depth > MAX_DEPTH) return null;
    if (Array.isArray(one)) {
      const items = one.map((item) => visit(item, name, depth + 1));
      return items.every((item, at) => item === one[at]) ? one : items;
    }
    let isSame = true;
    const entries = Object.entries(one).map(([key, item]) => {
      const [shownKey, shown] = [visitText(key, ''), visit(item, key, depth + 1)];
      isSame &&= shownKey === key && shown === item;
      return [shownKey, shown] as const;
    });
    return isSame ? one : Object.fromEntries(entries);
  }

  return { value: visit(value, '', 0), found };
}
