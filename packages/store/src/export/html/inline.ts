// What stands within a line of markdown: code, emphasis, links. Everything else is text.

import { exact, prose, safeAddress } from './escape.ts';

/** A paragraph that is longer is shown as it is: looking for the ends of all its marks could take long. */
const LONGEST = 4_000;

/** One paragraph as HTML. In a link there is no other. */
export function renderInline(text: string, depth = 0, isInLink = false): string {
  if (text.length > LONGEST || depth > 4) return prose(text);
  let html = '';
  let last = 0;
  for (let at = 0; at < text.length; ) {
    const found = markAt(text, at, depth, isInLink);
    if (!found) {
      at++;
      continue;
    }
    html += prose(text.slice(last, at)) + found.html;
    at = found.end;
    last = at;
  }
  return html + prose(text.slice(last));
}

interface Mark {
  readonly html: string;
  readonly end: number;
}

function markAt(text: string, at: number, depth: number, isInLink: boolean): Mark | undefined {
  switch (text[at]) {
    case '\\':
      return /[!-/:-@[-`{-~]/.test(text[at + 1] ?? '') ? { html: prose(text[at + 1] ?? ''), end: at + 2 } : undefined;
    case '`':
      return codeAt(text, at);
    case '*':
    case '_':
    case '~':
      return emphasisAt(text, at, depth, isInLink);
    case '[':
      return isInLink ? undefined : linkAt(text, at, depth);
    case 'h':
      return isInLink ? undefined : addressAt(text, at);
    default:
      return undefined;
  }
}

function codeAt(text: string, at: number): Mark {
  let open = at;
  while (text[open] === '`') open++;
  const ticks = text.slice(at, open);
  for (let end = text.indexOf(ticks, open); end >= 0; end = text.indexOf(ticks, end)) {
    let close = end;
    while (text[close] === '`') close++;
    if (close - end === ticks.length) return { html: `<code>${exact(text.slice(open, end))}</code>`, end: close };
    end = close;
  }
  return { html: prose(ticks), end: open };
}

const TAGS: Readonly<Record<string, string>> = { '**': 'strong', __: 'strong', '*': 'em', _: 'em', '~~': 'del' };

function emphasisAt(text: string, at: number, depth: number, isInLink: boolean): Mark | undefined {
  const sign = text[at] ?? '';
  const mark = text[at + 1] === sign ? sign + sign : sign;
  const tag = TAGS[mark];
  const from = at + mark.length;
  if (tag === undefined || /^\s?$/.test(text[from] ?? '')) return undefined;
  // snake_case is no emphasis
  if (sign === '_' && /\w/.test(text[at - 1] ?? '')) return undefined;
  let end = text.indexOf(mark, from + 1);
  while (end >= 0 && /\s/.test(text[end - 1] ?? '')) end = text.indexOf(mark, end + 1);
  if (end < 0 || (sign === '_' && /\w/.test(text[end + mark.length] ?? ''))) return undefined;
  return {
    html: `<${tag}>${renderInline(text.slice(from, end), depth + 1, isInLink)}</${tag}>`,
    end: end + mark.length,
  };
}

function linkAt(text: string, at: number, depth: number): Mark | undefined {
  const close = text.indexOf(']', at + 1);
  if (close < 0 || text[close + 1] !== '(') return undefined;
  const end = text.indexOf(')', close + 2);
  if (end < 0) return undefined;
  const address = safeAddress(text.slice(close + 2, end).split(' ', 1)[0] ?? '');
  if (address === undefined) return undefined;
  return { html: anchor(address, renderInline(text.slice(at + 1, close), depth + 1, true)), end: end + 1 };
}

function addressAt(text: string, at: number): Mark | undefined {
  if (!text.startsWith('http://', at) && !text.startsWith('https://', at)) return undefined;
  if (/\w/.test(text[at - 1] ?? '')) return undefined;
  let end = at;
  while (end < text.length && !/[\s<>"'`)\]*]/.test(text[end] ?? '')) end++;
  while (/[.,;:!?]/.test(text[end - 1] ?? '')) end--;
  const address = safeAddress(text.slice(at, end));
  return address === undefined ? undefined : { html: anchor(address, prose(text.slice(at, end))), end };
}

/** Where it leads is told to nobody, and the page it opens cannot reach back. */
function anchor(address: string, html: string): string {
  return `<a href="${address}" rel="noopener noreferrer">${html}</a>`;
}
