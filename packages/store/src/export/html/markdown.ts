// Markdown → HTML, as much of it as answers have: headings, lists, quotes, tables, code. There is no raw HTML and no picture in it.

import { segmentsOf } from '@tailrace/core';
import { exact } from './escape.ts';
import { renderInline } from './inline.ts';

/** A text of the model's as HTML. */
export function renderMarkdown(text: string): string {
  return segmentsOf(text.replaceAll('\r\n', '\n'))
    .map((segment) =>
      segment.type === 'code' ? renderCode(segment.code, segment.language) : renderBlocks(segment.text),
    )
    .join('');
}

function renderCode(code: string, language = ''): string {
  const label = language === '' ? '' : `<span class="language">${exact(language.slice(0, 30))}</span>`;
  return `<div class="code">${label}<pre><code>${exact(code)}</code></pre></div>`;
}

type Kind = 'paragraph' | 'heading' | 'bullet' | 'number' | 'quote' | 'table' | 'rule' | 'blank';

function renderBlocks(text: string): string {
  let html = '';
  let group: string[] = [];
  let kind: Kind = 'blank';
  for (const line of [...text.split('\n'), '']) {
    const next = kindOf(line, kind);
    if (next !== kind || next === 'heading' || next === 'rule') {
      html += renderGroup(kind, group);
      group = [];
      kind = next;
    }
    group.push(line);
  }
  return html;
}

function kindOf(line: string, before: Kind): Kind {
  if (line.trim() === '') return 'blank';
  if (/^ {0,3}#{1,6} /.test(line)) return 'heading';
  if (/^ {0,3}(?:-{3,}|\*{3,}|_{3,})$/.test(line)) return 'rule';
  if (/^ {0,9}[-*+] /.test(line)) return 'bullet';
  if (/^ {0,9}\d{1,9}[.)] /.test(line)) return 'number';
  if (/^ {0,3}>/.test(line)) return 'quote';
  if (/^ {0,3}\|/.test(line)) return 'table';
  // A line that is moved in goes on with the point before it.
  return (before === 'bullet' || before === 'number') && line.startsWith(' ') ? before : 'paragraph';
}

function renderGroup(kind: Kind, lines: readonly string[]): string {
  switch (kind) {
    case 'blank':
      return '';
    case 'heading':
      return lines.map(renderHeading).join('');
    case 'rule':
      return '<hr>';
    case 'bullet':
      return `<ul>${renderPoints(lines, /^ {0,9}[-*+] /)}</ul>`;
    case 'number':
      return `<ol>${renderPoints(lines, /^ {0,9}\d{1,9}[.)] /)}</ol>`;
    case 'quote':
      return `<blockquote><p>${renderInline(lines.map((line) => line.replace(/^ {0,3}> ?/, '')).join('\n'))}</p></blockquote>`;
    case 'table':
      return renderTable(lines);
    case 'paragraph':
      return `<p>${renderInline(lines.join('\n'))}</p>`;
  }
}

/** Two levels below the page's own headings. */
function renderHeading(line: string): string {
  const [marks = '#'] = /#{1,6}/.exec(line) ?? [];
  const level = Math.min(6, marks.length + 2);
  return `<h${level}>${renderInline(line.replace(/^ {0,3}#{1,6} /, '').replace(/ #{1,6}$/, ''))}</h${level}>`;
}

/** Points of all levels in one list, moved in by a class: deeper ones are seldom and then few. */
function renderPoints(lines: readonly string[], point: RegExp): string {
  const points: { level: number; text: string }[] = [];
  for (const line of lines) {
    const last = points.at(-1);
    if (point.test(line) || !last) {
      const blanks = line.length - line.trimStart().length;
      points.push({ level: Math.min(3, blanks >> 1), text: line.replace(point, '') });
    } else last.text += `\n${line.trim()}`;
  }
  return points.map(({ level, text }) => `<li class="level-${level}">${renderTask(text)}</li>`).join('');
}

function renderTask(text: string): string {
  const box = /^\[([ xX])\] /.exec(text);
  return box ? `${box[1] === ' ' ? '☐' : '☑'} ${renderInline(text.slice(4))}` : renderInline(text);
}

function renderTable(lines: readonly string[]): string {
  const rows = lines.map((line) =>
    line
      .trim()
      .replace(/^\|/, '')
      .replace(/\|$/, '')
      .split('|')
      .map((cell) => cell.trim()),
  );
  const hasHead = rows[1]?.every((cell) => /^:?-{1,99}:?$/.test(cell)) ?? false;
  const body = (hasHead ? rows.slice(2) : rows).map((row) => renderRow(row, 'td')).join('');
  return `<div class="wide"><table>${hasHead ? renderRow(rows[0] ?? [], 'th') : ''}${body}</table></div>`;
}

function renderRow(cells: readonly string[], tag: 'td' | 'th'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${renderInline(cell)}</${tag}>`).join('')}</tr>`;
}
