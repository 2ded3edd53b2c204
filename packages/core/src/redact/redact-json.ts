// Secrets in whole JSON values: every text is looked at, and what stands under a name that sounds secret more closely.

import type { Json } from '../event/json.ts';
import { kindOfName, mayBeFolder } from './names.ts';
import { isWordPassword } from './randomness.ts';
import { redact, redactionMark, replaceSecrets } from './redact.ts';
import type { FoundSecret } from './scan.ts';
import { isSecretValue } from './values.ts';

export interface RedactedJson {
  readonly value: Json;
  /** What was taken out; each by its place in its own text. */
  readonly found: readonly FoundSecret[];
}

/** Deeper than any line that is read. */
const MAX_DEPTH = 520;
/** What private keys begin with. */
const KEY_MARK = '-----BEGIN ';

/** The value with marks in place of secrets. Names stay, unless one is a secret itself; without any it is the same value. */
export function redactJson(value: Json): RedactedJson {
  const found: FoundSecret[] = [];

  function visitText(text: string, name: string): string {
    const result = redact(text);
    found.push(...result.found);
    if (result.found.length > 0) return result.text;
    const kind = kindOfName(name);
    if (kind === undefined || !(isSecretValue(text, kind) || isWordsFor(name, kind, text))) return text;
    found.push({ kind, start: 0, length: text.length });
    return redactionMark(kind, text.length);
  }

  /** Rows that belong together, as those of a patch: a private key goes over several. */
  function visitRows(items: readonly Json[]): readonly Json[] {
    if (!items.some((item) => typeof item === 'string' && item.includes(KEY_MARK))) return items;
    const rows = items.map((item) => (typeof item === 'string' ? item : ''));
    const text = rows.join('\n');
    const keys = redact(text).found.filter(({ kind }) => kind === 'private-key');
    found.push(...keys);
    let start = 0;
    return rows.map((row, at) => {
      const shown = replaceSecrets(text, start, start + row.length, keys);
      start += row.length + 1;
      return shown === row ? (items[at] ?? null) : shown;
    });
  }

  function visit(one: Json, name: string, depth: number): Json {
    if (typeof one === 'string') return visitText(one, name);
    if (typeof one !== 'object' || one === null) return one;
    if (depth > MAX_DEPTH) return null;
    if (Array.isArray(one)) {
      const items = visitRows(one).map((item) => visit(item, name, depth + 1));
      return items.every((item, at) => item === one[at]) ? one : items;
    }
    let isSame = true;
    // `{ "name": "API_KEY", "value": … }`
    const all = Object.entries(one);
    const label = all.find(([key, item]) => /^(?:name|key)$/i.test(key) && typeof item === 'string')?.[1];
    const entries = all.map(([key, item]) => {
      const about = key === 'value' && typeof label === 'string' ? label : key;
      const [shownKey, shown] = [visitText(key, ''), visit(item, about, depth + 1)];
      isSame &&= shownKey === key && shown === item;
      return [shownKey, shown] as const;
    });
    return isSame ? one : Object.fromEntries(entries);
  }

  return { value: visit(value, '', 0), found };
}

function isWordsFor(name: string, kind: string, text: string): boolean {
  return kind === 'password' && !mayBeFolder(name) && isWordPassword(text);
}
