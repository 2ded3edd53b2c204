// The summary in words: a few closing lines after a run, or a page of its own.

import { agents, type FigureState, type Summary, showCost, showDuration } from '@tailrace/core';
import { createGate, type GateOptions } from './gate.ts';
import type { LineCount } from './line-count.ts';
import type { Palette } from './palette.ts';
import { shortId } from './short-id.ts';
import { showTokens } from './tokens.ts';

const WORDS = {
  success: 'done',
  error: 'failed',
  cancelled: 'stopped',
  incomplete: 'incomplete: the stream stopped without an end',
};

export interface ClosingOptions extends GateOptions {
  /** How wide it may be; one line, unless told. */
  readonly columns?: number | undefined;
  /** What it has cost by the table of prices, for when nobody has told it; in USD. */
  readonly estimatedUsd?: number | undefined;
  /** Lines that were added and removed. */
  readonly changed?: LineCount | undefined;
  /** Whether a message stands above already. */
  readonly told?: ((message: string) => boolean) | undefined;
  /** Whether the session is in the history, and its folder too: then its id is enough to go on with it. */
  readonly isKept?: boolean | undefined;
  /** Where there is no history, nobody is told to take the session in; there is one, unless told. */
  readonly hasHistory?: boolean | undefined;
}

/** What stands under a run: how it ended, what it cost, what it changed, how to go on. */
export function closingLines(summary: Summary, palette: Palette, options: ClosingOptions = {}): string {
  const gate = createGate(options);
  const { outcome } = summary;
  if (summary.lines.total === 0)
    return `\n${palette.bad('✖')} incomplete\n${palette.dim('  nothing came: the stream is empty')}\n`;
  const sign = outcome === 'success' ? palette.good('✓') : palette.bad('✖');
  const duration = showDuration(summary.durationMs);
  const word = outcome === 'incomplete' ? 'incomplete' : WORDS[outcome];
  const facts = [
    `${word}${duration ? ` ${outcome === 'incomplete' ? 'after' : 'in'} ${duration}` : ''}`,
    showCost(summary.costUsd, summary.costState) ||
      showCost(options.estimatedUsd ?? null, 'estimated') ||
      'cost unknown',
    ...(showTokens(summary.usage) || 'tokens unknown').split(' · '),
    filesText(summary, options.changed),
  ].filter(Boolean);
  const columns = options.columns ?? Number.POSITIVE_INFINITY;
  const rows = joined(facts, ' · ', columns - 2);
  const lines = rows.map((row, at) => `${at === 0 ? sign : ' '} ${row}`);
  const helpers = helpersText(summary);
  if (helpers) lines.push(palette.dim(`  ${helpers}`));
  if (outcome === 'incomplete') lines.push(palette.dim('  the stream stopped without an end'));
  if (summary.error && !options.told?.(summary.error.message))
    lines.push(...told(summary.error.message, 200).map(palette.bad).map(indented));
  const strange = strangeLines(summary);
  if (strange) lines.push(...told(strange, 400).map(palette.dim).map(indented));
  const resume = resumeText(summary, options);
  // A shell goes on reading behind "&&": what is copied with its line feed is the same command.
  if (resume.length > 0) {
    const parts = ['resume:', ...resume.map((part) => gate.line(part, 400))];
    lines.push(...joined(parts, ' ', columns - 2).map((row, at) => palette.dim(`${at === 0 ? '  ' : '    '}${row}`)));
  }
  return `\n${lines.join('\n')}\n`;

  function told(text: string, most: number): readonly string[] {
    return joined(gate.line(text, most).split(' ').filter(Boolean), ' ', columns - 2);
  }
}

function indented(row: string): string {
  return `  ${row}`;
}

/** `2 sub-agents · ~$0.11`: they are part of what is told above, and what each took is estimated. */
function helpersText({ subagents }: Summary): string {
  const count = subagents.length;
  if (count === 0) return '';
  const isKnown = subagents.every(({ costUsd }) => costUsd !== null);
  const cost = subagents.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  const told = isKnown ? showCost(cost, weakest(subagents.map(({ costState }) => costState))) : '';
  return [`${count} ${plural('sub-agent', count)}`, told && `${told} of it`].filter(Boolean).join(' · ');
}

/** A sum is as sure as the least sure of its parts. */
function weakest(states: readonly FigureState[]): FigureState {
  const order: readonly FigureState[] = ['unknown', 'known', 'estimated', 'reconciled'];
  return order.find((state) => states.includes(state)) ?? 'unknown';
}

/** `3 files +41 −12`. */
function filesText({ filesChanged }: Summary, changed: ClosingOptions['changed']): string {
  const count = filesChanged.length;
  if (count === 0) return '';
  const isCounted = changed !== undefined && changed.added + changed.removed > 0;
  const lines = isCounted ? `${changed.isPartial ? '≥ ' : ''}+${changed.added} −${changed.removed}` : 'changed';
  return `${count} ${plural('file', count)} ${lines}`;
}

/** Parts in rows, none of them broken. */
function joined(parts: readonly string[], between: string, columns: number): readonly string[] {
  const rows: string[] = [];
  for (const part of parts) {
    const row = rows.at(-1);
    if (row !== undefined && row.length + between.length + part.length <= columns)
      rows[rows.length - 1] = row + between + part;
    else rows.push(part);
  }
  return rows;
}

/** Somebody will copy it into a shell: an id that is more than letters and digits is none. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/**
 * Parts of the command, between which a row may end. A whole id is nobody's to read (R-14), where its beginning finds the session once
 * it is in the history.
 */
function resumeText(
  { agent, sessionId, steps, cwd }: Summary,
  { isKept, hasHistory = true }: ClosingOptions,
): readonly string[] {
  if (!hasHistory || sessionId === null || !SAFE_ID.test(sessionId)) return [];
  // It never came to be: whoever was to be resumed was not found.
  if (steps === 0 && cwd === null) return [];
  const resume = `tailrace resume ${shortId(sessionId)}`;
  if (isKept) return [resume];
  const known = agents.find(({ name }) => name === agent);
  return known?.resume && known.transcripts ? ['tailrace import &&', resume] : [];
}

/** The whole summary for people. */
export function describeSummary(summary: Summary, palette: Palette, options: GateOptions = {}): string {
  const gate = createGate(options);
  const rows: [string, string][] = [
    ['agent', [summary.agent ?? 'unknown', summary.agentVersion].filter(Boolean).join(' ')],
    ['session', summary.sessionId ?? 'none'],
    ['model', Object.keys(summary.models).join(', ') || (summary.model ?? 'unknown')],
    ['outcome', [WORDS[summary.outcome], summary.stopReason].filter(Boolean).join(', ')],
    ['error', summary.error ? `${summary.error.code}: ${gate.line(summary.error.message, 200)}` : ''],
    ['turns', `${summary.turns}, with ${summary.steps} ${plural('model call', summary.steps)}`],
    ['time', showDuration(summary.durationMs)],
    ['cost', showCost(summary.costUsd, summary.costState) || 'unknown'],
    ['tokens', showTokens(summary.usage) || 'unknown'],
    ['calls', describeCalls(summary)],
    ['sub-agents', summary.subagents.map(({ type, outcome }) => `${type ?? 'agent'} (${outcome})`).join(', ')],
    ['files', summary.filesChanged.map(({ path, operation }) => `${operation} ${path}`).join(', ')],
    ['todos', summary.todos.map(({ content, status }) => `${content} (${status})`).join(', ')],
    ['lines', [`${summary.lines.total}`, strangeLines(summary)].filter(Boolean).join(', ')],
  ];
  const table = rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${palette.dim(name.padEnd(11))} ${gate.line(value, 400)}\n`)
    .join('');
  return summary.text === null ? table : `${table}\n${gate.text(summary.text)}\n`;
}

function describeCalls({ toolCalls }: Summary): string {
  const names = new Set(toolCalls.map(({ name }) => name));
  return [...names]
    .map((name) => {
      const outcomes = toolCalls.filter((call) => call.name === name).map(({ outcome }) => outcome);
      const unknown = outcomes.filter((outcome) => outcome === 'unknown').length;
      const failed = outcomes.filter((outcome) => outcome !== 'success').length - unknown;
      const told = [failed > 0 && `${failed} not ok`, unknown > 0 && `${unknown} unknown`].filter(Boolean).join(', ');
      return `${outcomes.length} ${name}${told === '' ? '' : ` (${told})`}`;
    })
    .join(', ');
}

function strangeLines({ lines }: Summary): string {
  const parts: [number, string][] = [
    [lines.notJson, 'not JSON'],
    [lines.tooLong, 'too long'],
    [lines.tooDeep, 'too deep'],
    [lines.cutOff, 'cut off'],
    [lines.spliced, 'spliced'],
    [lines.unknown, `unknown (${Object.keys(lines.unknownTypes).join(', ')})`],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${plural('line', count)} ${what}`)
    .join(', ');
}

function plural(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}
