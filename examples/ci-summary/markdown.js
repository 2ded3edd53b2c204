// A run in Markdown. The agent's words are put where they can do nothing: into a fence that they cannot close, or into a cell. Many
// people read a job's summary, so secrets are taken out.

import { markOf, redact, showCost, showDuration } from '@tailrace/core';

const WORDS = {
  success: '✅ done',
  error: '❌ failed',
  cancelled: '⏹ stopped',
  incomplete: '❌ ended without a result',
};

/** @param {import('@tailrace/core').Summary} summary */
export function toMarkdown(summary) {
  const { agent, model, outcome, error, durationMs, costUsd, costState, usage, filesChanged, permissionDenials } =
    summary;
  const figures = [
    ['agent', [agent, model].filter(Boolean).join(' · ')],
    ['time', showDuration(durationMs)],
    ['cost', showCost(costUsd, costState)],
    [
      'tokens',
      usage.inputTokens === undefined
        ? ''
        : `${markOf(usage.state)}${usage.inputTokens} in, ${usage.outputTokens ?? 0} out`,
    ],
    ['calls', callsOf(summary)],
    ['refused', permissionDenials ? String(permissionDenials) : ''],
    ['files', filesChanged.map(({ path, operation }) => `${operation} ${path}`).join(', ')],
  ];
  return [
    `## ${WORDS[outcome]}`,
    error ? fence(error.message) : '',
    table(figures.filter(([, value]) => value)),
    summary.text ? `<details open><summary>What it said</summary>\n\n${fence(summary.text)}\n\n</details>` : '',
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

/** How often each tool was called, and how often in vain. @param {import('@tailrace/core').Summary} summary */
function callsOf({ toolCalls }) {
  const names = [...new Set(toolCalls.map(({ name }) => name))];
  return names
    .map((name) => {
      const calls = toolCalls.filter((call) => call.name === name);
      const failed = calls.filter(({ outcome }) => outcome === 'error').length;
      return `${calls.length} × ${name}${failed ? ` (${failed} failed)` : ''}`;
    })
    .join(', ');
}

/** @param {string[][]} rows */
function table(rows) {
  return ['| | |', '|---|---|', ...rows.map((cells) => `| ${cells.map(cell).join(' | ')} |`)].join('\n');
}

/** One line that ends no cell and begins nothing. @param {string} text */
function cell(text) {
  return redact(text)
    .text.replace(/[\\`*_{}[\]<>|#!&~]/g, (sign) => `&#${sign.codePointAt(0)};`)
    .replace(/\s/g, ' ');
}

/** @param {string} words */
function fence(words) {
  const { text } = redact(words);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}text\n${text}\n${ticks}`;
}
