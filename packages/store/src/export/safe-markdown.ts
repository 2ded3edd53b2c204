// Text of a session inside Markdown of ours. It keeps its own form where that is harmless: it cannot end a block of ours, look like a
// heading of ours, bring HTML along, load anything, or lead anywhere but to a web page or a letter.

import { segmentsOf } from '@tailrace/core';

/** Controls, what turns the direction of writing, halves of characters, the two odd line ends, and what only machines can read. */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\p{Surrogate}\p{Zl}\p{Zp}\u200b\u2060\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

function reveal(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(HIDDEN, (character) =>
      character === '\n' || character === '\t'
        ? character
        : `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    );
}

/** Markdown of the model's or of a person's. */
export function safeMarkdown(text: string): string {
  return segmentsOf(reveal(text))
    .map((segment) => (segment.type === 'code' ? fence(segment.code, segment.language) : safeProse(segment.text)))
    .join('\n\n');
}

/** A block that shows a text as it is: its fence is longer than any in the text. */
export function fence(text: string, language = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const ticks = '`'.repeat(longest + 1);
  const word = /^[\w+#-]{1,20}$/.test(language) ? language : '';
  return `${ticks}${word}\n${reveal(text).replace(/\n$/, '')}\n${ticks}`;
}

/** A text on one line in which nothing means anything. */
export function lineOf(text: string): string {
  return reveal(text)
    .replaceAll(/[\n\t]/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]<>()#+!|~&:-]/g, (sign) =>
      sign === '<' ? '&lt;' : sign === '&' ? '&amp;' : NEEDLESS.has(sign) ? sign : `\\${sign}`,
    );
}

/** Signs that mean something only at the beginning of a line, where none of these texts stands. */
const NEEDLESS: ReadonlySet<string> = new Set(['-', '+', ':', '(', ')', '{', '}']);

/** Every line of it in a quote. */
export function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

function safeProse(text: string): string {
  return text.split('\n').map(safeLine).join('\n');
}

function safeLine(line: string): string {
  // A line of === or --- makes a heading of the line before it.
  if (/^[ \t>]*=+[ \t]*$/.test(line)) return line.replace('=', '\\=');
  if (/^[ \t>]*-[- \t]*$/.test(line)) return line.includes('--') ? '* * *' : line;
  return safeSpans(line.replace(/^([ \t>]{0,20})#{1,6}(?=[ \t]|$)/, '$1####'));
}

/** Code within the line stays as it is; everything else loses what could be HTML, a picture or a wrong address. */
function safeSpans(line: string): string {
  let shown = '';
  let last = 0;
  for (const [code, at] of codeSpans(line)) {
    shown += safeText(line.slice(last, at)) + code;
    last = at + code.length;
  }
  return shown + safeText(line.slice(last));
}

/** Spans of code that are closed on their line, with their places. */
function codeSpans(line: string): readonly (readonly [string, number])[] {
  const runs = [...line.matchAll(/`+/g)].map((match) => ({ at: match.index, length: match[0].length }));
  /** For each length, the places that have not been passed, the nearest last. */
  const places = new Map<number, number[]>();
  for (const [index, { length }] of [...runs.entries()].reverse()) {
    const known = places.get(length);
    if (known) known.push(index);
    else places.set(length, [index]);
  }
  const spans: (readonly [string, number])[] = [];
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index];
    const same = places.get(run?.length ?? 0) ?? [];
    while (same.length > 0 && (same.at(-1) ?? 0) <= index) same.pop();
    const close = same.at(-1);
    const end = close === undefined ? undefined : runs[close];
    if (!run || !end || close === undefined || line[run.at - 1] === '\\') continue;
    spans.push([line.slice(run.at, end.at + end.length), run.at]);
    index = close;
  }
  return spans;
}

/** What was escaped stays so; what could begin something is. */
function safeText(text: string): string {
  return text.replaceAll(/\\[!-/:-@[-`{-~]|[&<`]|!\[|\]:|\]\((?!https?:\/\/|mailto:)/gi, (found) => {
    switch (found) {
      case '&':
        return '&amp;';
      case '<':
        return '&lt;';
      case '`':
        return '\\`';
      case '![':
        return '\\!\\[';
      case ']:':
        return ']\\:';
      case '](':
        return ']\\(';
      default:
        return found;
    }
  });
}
