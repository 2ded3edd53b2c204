// A tool call as lines: its card, and below it what it was given and what came of it.

import { fieldsOf, statusWord, targetOf, textsOf, toolLabel } from '@tailrace/client/timeline';
import { type CallFacts, type FileChange, showDuration } from '@tailrace/core';
import { cutText, type Line, type SpanTone, span, spread, strong, widthOf } from '../text/line.ts';
import { markdownLines } from '../text/markdown.ts';
import { exact, shown, shownLine } from '../text/shown.ts';
import { wrap } from '../text/wrap.ts';
import { answerText } from './answer-text.ts';
import type { PartLook } from './part-lines.ts';
import { todoLines } from './side-lines.ts';

const MARKS: Readonly<Record<CallFacts['status'], readonly [mark: string, tone: SpanTone]>> = {
  pending: ['○', 'working'],
  running: ['●', 'working'],
  waiting: ['■', 'waiting'],
  completed: ['✓', 'good'],
  failed: ['✖', 'bad'],
  denied: ['✖', 'bad'],
  cancelled: ['○', 'muted'],
  unknown: ['·', 'muted'],
};

/** So many lines of a long output are shown when a card opens itself, and when somebody opens it. */
const LAST_LINES = 8;
const MOST_LINES = 400;
/** So much of a card's line is for its mark, its name and how it went. */
const TITLE_ROOM = 46;

export function callLines(call: CallFacts, { width, isOpen, cwd }: PartLook): readonly Line[] {
  const [mark, tone] = MARKS[call.status];
  const { word, tone: wordTone } = statusWord(call);
  const counts = changeCounts(call.changes ?? []);
  const right: Line = [
    ...counts,
    ...(word === 'ok' ? [] : [span(`  ${word}`, wordTone)]),
    ...(call.durationMs ? [span(`  ${showDuration(call.durationMs)}`, 'muted')] : []),
  ];
  const name = cutText(shownLine(toolLabel(call)), 24);
  const head = spread(
    [
      span(`${mark} `, tone),
      strong(name),
      span(`  ${shownLine(targetOf(call, cwd))}`),
      ...(call.question?.outcome === undefined ? [] : [span(` ${answerText(call.question)}`, 'muted')]),
    ],
    trimmed(right),
    width,
  );
  return isOpen ? [head, ...bodyLines(call, width, cwd)] : [head];
}

/** What it was given, what it changed, what it printed. */
function bodyLines(call: CallFacts, width: number, cwd: string | null): readonly Line[] {
  const inner = Math.max(10, width - 4);
  const told = toldLines(call, inner);
  if (told) return told.map((line): Line => [span('    '), ...line]);
  // What its line says already is not said again.
  const said = targetOf(call, cwd);
  const given = (call.input === undefined ? [] : fieldsOf(call.input)).filter(
    ({ text }) => text !== '' && (text !== said || widthOf(text) > width - TITLE_ROOM),
  );
  const input = given.flatMap(({ name, text }): readonly Line[] => {
    const rows = wrap(exact(text), inner - 2);
    const label = name === undefined ? [] : [span(`${shownLine(name)}: `, 'muted')];
    if (rows.length < 2) return [[...label, span(rows[0] ?? '')]];
    return [label, ...bounded(rows).map((row): Line => [span('  '), span(row)])];
  });
  const changes = (call.changes ?? []).flatMap((change) => diffLines(change, inner));
  const printed = call.content === undefined ? (call.outputText ?? '') : textsOf(call.content);
  const error =
    call.error && printed === '' ? wrap(shown(call.error.message), inner).map((row): Line => [span(row, 'bad')]) : [];
  const rows = printed === '' ? [] : wrap(shown(printed.trimEnd()), inner);
  const isShort = call.status === 'failed';
  const output = isSaid(call)
    ? markdownLines(printed.trimEnd(), inner)
    : (isShort ? lastOf(rows) : bounded(rows)).map((row): Line => [span(row, isShort ? 'plain' : 'muted')]);
  const parts = [changes.length > 0 ? [] : input, changes, error, output].filter((part) => part.length > 0);
  return parts.flatMap((part) => part.map((line): Line => [span('    '), ...line]));
}

/** What people read rather than machines, and what says all that the input does: a plan, a todo list. */
function toldLines({ plan, todos }: CallFacts, width: number): readonly Line[] | undefined {
  if (plan?.text) return markdownLines(plan.text, width);
  return todos && todos.length > 0 ? todos.flatMap((one) => todoLines(one, width)) : undefined;
}

/** A sub-agent comes back with sentences. */
function isSaid({ task, tags, status }: CallFacts): boolean {
  return status === 'completed' && (task !== undefined || tags?.includes('subagent') === true);
}

function lastOf(rows: readonly string[]): readonly string[] {
  return rows.length <= LAST_LINES + 1
    ? rows
    : [`… ${rows.length - LAST_LINES} lines before`, ...rows.slice(-LAST_LINES)];
}

function bounded(rows: readonly string[]): readonly string[] {
  return rows.length <= MOST_LINES + 1
    ? rows
    : [...rows.slice(0, MOST_LINES), `… ${rows.length - MOST_LINES} more lines (tailrace show has all of them)`];
}

function changeCounts(changes: readonly FileChange[]): Line {
  let [added, removed] = [0, 0];
  for (const { linesAdded = 0, linesRemoved = 0 } of changes) {
    added += linesAdded;
    removed += linesRemoved;
  }
  return added + removed === 0 ? [] : [span(`  +${added}`, 'good'), span(` −${removed}`, 'bad')];
}

function diffLines({ path, patch, newText, operation }: FileChange, width: number): readonly Line[] {
  const rows = (patch ?? newText?.replace(/^/gm, '+') ?? '').split('\n').filter((row) => row !== '');
  const head: Line = [span(`${operation === 'modify' ? '' : `${operation} `}${shownLine(path)}`, 'muted')];
  const body = bounded(rows.flatMap((row) => wrap(exact(row.endsWith('\r') ? row.slice(0, -1) : row), width)));
  return [
    head,
    ...body.map((row): Line => [span(row, row.startsWith('+') ? 'good' : row.startsWith('-') ? 'bad' : 'muted')]),
  ];
}

/** Without the room before the first of them. */
function trimmed(line: Line): Line {
  const [first, ...rest] = line;
  return first ? [{ ...first, text: first.text.trimStart() }, ...rest] : [];
}
