// The summary in words: a few closing lines after a run, or a page of its own.

import { type Summary, showCost, showDuration } from '@tailrace/core';
import { createGate, type GateOptions } from './gate.ts';
import type { Palette } from './palette.ts';
import { showTokens } from './tokens.ts';

const WORDS = {
  success: 'done',
  error: 'failed',
  cancelled: 'stopped',
  incomplete: 'incomplete: the stream stopped without an end',
};

/** What stands under a run: how it ended, what it cost, what it changed. */
export function closingLines(summary: Summary, palette: Palette, options: GateOptions = {}): string {
  const gate = createGate(options);
  const { outcome } = summary;
  const sign = outcome === 'success' ? palette.good('✓') : palette.bad('✖');
  const duration = showDuration(summary.durationMs);
  const facts = [
    `${WORDS[outcome]}${duration ? ` in ${duration}` : ''}`,
    showCost(summary.costUsd, summary.costState) || 'cost unknown',
    showTokens(summary.usage) || 'tokens unknown',
    summary.filesChanged.length > 0
      ? `${summary.filesChanged.length} ${plural('file', summary.filesChanged.length)} changed`
      : '',
  ];
  const rows = [`${sign} ${facts.filter(Boolean).join(' · ')}`];
  if (summary.error) rows.push(`  ${palette.bad(gate.line(summary.error.message, 200))}`);
  const strange = strangeLines(summary);
  if (strange) rows.push(palette.dim(`  ${gate.line(strange, 400)}`));
  return `\n${rows.join('\n')}\n`;
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
  const counts = new Map<string, { all: number; failed: number }>();
  for (const { name, outcome } of toolCalls) {
    const count = counts.get(name) ?? { all: 0, failed: 0 };
    counts.set(name, { all: count.all + 1, failed: count.failed + (outcome === 'success' ? 0 : 1) });
  }
  return [...counts]
    .map(([name, { all, failed }]) => `${all} ${name}${failed > 0 ? ` (${failed} not ok)` : ''}`)
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
