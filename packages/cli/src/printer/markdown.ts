// Markdown → rows for a terminal, over marked's tokens. With colours the marks go; without them they stay, because a word between two
// asterisks is still read as meant. What came from an agent has passed the gate before.

import { Lexer, type Token, type Tokens } from 'marked';
import { LONGEST_BLOCK } from './blocks.ts';
import { type Palette, Style } from './palette.ts';
import { tableRows } from './table-rows.ts';
import { fitTo } from './width.ts';
import { breakLine, MEASURE, type Span, wrapSpans } from './wrap.ts';

/** Deeper nesting is shown as it is written. */
const DEEPEST = 8;

export interface Markdown {
  /** The rows of a text, with an empty one between two blocks. */
  render(text: string, columns: number): readonly string[];
}

export function createMarkdown(palette: Palette): Markdown {
  const { isColoured } = palette;

  function blocks(tokens: readonly Token[], columns: number, depth: number, isTight = false): string[] {
    const rows: string[] = [];
    for (const token of tokens) {
      if (token.type === 'space') continue;
      const shown = block(token, columns, depth);
      if (shown.length === 0) continue;
      if (rows.length > 0 && !isTight) rows.push('');
      for (const row of shown) rows.push(row);
    }
    return rows;
  }

  function block(token: Token, columns: number, depth: number): readonly string[] {
    if (depth > DEEPEST) return prose([{ text: token.raw.trimEnd(), style: Style.none }], columns);
    switch (token.type) {
      case 'heading':
        return heading(token as Tokens.Heading, columns);
      case 'paragraph':
      case 'text':
        return prose(inlines(token.tokens ?? [token], Style.none), columns);
      case 'list':
        return list(token as Tokens.List, columns, depth);
      case 'blockquote': {
        const rows = blocks((token as Tokens.Blockquote).tokens, columns - 2, depth + 1);
        return rows.map((row) => `${palette.dim('│')} ${row}`.trimEnd());
      }
      case 'code':
        return code(token as Tokens.Code, columns);
      case 'hr':
        return [palette.dim('─'.repeat(Math.max(1, Math.min(columns, 40))))];
      case 'table':
        return tableRows(
          (token as Tokens.Table).header.map(({ tokens }) => inlines(tokens, Style.bold)),
          (token as Tokens.Table).rows.map((row) => row.map(({ tokens }) => inlines(tokens, Style.none))),
          columns,
          palette,
          (token as Tokens.Table).align,
        );
      case 'def':
        // A note at the foot has the form of a link's address, when it is one word; it is text.
        return token.raw.trimStart().startsWith('[^')
          ? prose([{ text: decode(token.raw.trim()), style: Style.none }], columns)
          : [];
      case 'checkbox':
        return [];
      default:
        return prose([{ text: token.raw.trimEnd(), style: Style.none }], columns);
    }
  }

  function prose(spans: readonly Span[], columns: number): readonly string[] {
    return wrapSpans(spans, Math.min(columns, MEASURE), palette).map(({ text }) => text);
  }

  function heading({ depth, tokens }: Tokens.Heading, columns: number): readonly string[] {
    const style = depth === 1 ? Style.bold | Style.underline : Style.bold;
    const mark: readonly Span[] = isColoured ? [] : [{ text: `${'#'.repeat(depth)} `, style: Style.none }];
    return prose([...mark, ...inlines(tokens, style)], columns);
  }

  function list({ items, ordered, start, loose }: Tokens.List, columns: number, depth: number): readonly string[] {
    const first = typeof start === 'number' ? start : 1;
    const widest = ordered ? `${first + items.length - 1}.`.length : 1;
    const rows: string[] = [];
    for (const [at, item] of items.entries()) {
      const mark = ordered ? `${first + at}.`.padStart(widest) : '•';
      const indent = ' '.repeat(widest + 1);
      const task = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
      const shown = blocks(item.tokens, columns - widest - 1 - task.length, depth + 1, !loose);
      if (loose && rows.length > 0) rows.push('');
      for (const [number, row] of (shown.length === 0 ? [''] : shown).entries()) {
        const before = number === 0 ? `${palette.dim(mark)} ${task}` : `${indent}${' '.repeat(task.length)}`;
        rows.push(`${before}${row}`.trimEnd());
      }
    }
    return rows;
  }

  function code({ text, lang }: Tokens.Code, columns: number): readonly string[] {
    const rows = text.split('\n').flatMap((line) => breakLine(line, columns - 4));
    const shown = rows.map((row) => `    ${palette.paint(Style.code, row)}`.trimEnd());
    return lang && !isColoured ? [`    (${fitTo(lang, Math.max(1, columns - 6))})`, ...shown] : shown;
  }

  /** A line of text as stretches. */
  function inlines(tokens: readonly Token[], style: number): Span[] {
    return tokens.flatMap((token) => inline(token, style));
  }

  function inline(token: Token, style: number): readonly Span[] {
    switch (token.type) {
      case 'strong':
        return marked(token, '**', style | Style.bold, style);
      case 'em':
        return marked(token, '*', style | Style.italic, style);
      case 'del':
        return marked(token, '~~', style | Style.strike, style);
      case 'codespan':
        return [{ text: isColoured ? token['text'] : token.raw, style: style | Style.code }];
      case 'br':
        return [{ text: '\n', style }];
      case 'link':
        return link(token as Tokens.Link, style);
      case 'image': {
        const { text, href } = token as Tokens.Image;
        return [{ text: `[image${text ? `: ${text}` : ''}] (${href})`, style: style | Style.dim }];
      }
      case 'escape':
        return [{ text: token['text'], style }];
      case 'text':
        if (token.tokens) return inlines(token.tokens, style);
        // As it is written: the lexer would read `&#27;` as an escape.
        return [{ text: decode(token.raw), style }];
      default:
        return [{ text: token.raw, style }];
    }
  }

  function marked(token: Token, mark: string, inside: number, outside: number): readonly Span[] {
    const spans = inlines((token as Tokens.Strong).tokens, inside);
    return isColoured ? spans : [{ text: mark, style: outside }, ...spans, { text: mark, style: outside }];
  }

  /** Where it leads is always to be seen: a name can say anything. */
  function link({ raw, href, text, tokens }: Tokens.Link, style: number): readonly Span[] {
    // The mark of a note at the foot.
    if (raw.startsWith('[^') && raw === `[${text}]`) return [{ text: raw, style }];
    const spans = inlines(tokens, style | Style.underline);
    if (text === href || `mailto:${text}` === href || `http://${text}` === href) return spans;
    return [...spans, { text: ` (${href})`, style: style | Style.dim }];
  }

  return {
    render(text, columns) {
      const asItIs = (): readonly string[] => prose([{ text, style: Style.none }], columns);
      if (text.length > 2 * LONGEST_BLOCK) return asItIs();
      try {
        return blocks(lex(text), Math.max(8, columns), 0);
      } catch {
        // The lexer calls itself for every level, and somebody has written thousands of them.
        return asItIs();
      }
    },
  };
}

function lex(text: string): readonly Token[] {
  // Tabs would be counted in columns that nobody knows.
  return new Lexer({ gfm: true, breaks: true }).lex(text.replaceAll('\t', '    '));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

/** The few names that people write. No number is read: it could stand for what steers a terminal. */
function decode(text: string): string {
  return text.includes('&') ? text.replace(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (name) => ENTITIES[name] ?? name) : text;
}
