// A run in Markdown. The agent's words are put where they can do nothing: into a fence that they cannot close, or into a cell. Many
// people read a job's summary, so secrets are taken out.

import { markOf, redact, showCost, showDuration } from '@tailrace/core';

// In bytes. GitHub takes no summary of more than 1 MiB; the marks of a fence can be twice as long as what is in it, and a sign in a cell
// becomes up to six.
const MAX_ANSWER = 200_000;
const MAX_ERROR = 20_000;
const MAX_CELL = 4_000;

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
    error ? fence(error.message, MAX_ERROR) : '',
    table(figures.filter(([, value]) => value)),
    summary.text
      ? `<details open><summary>What it said</summary>\n\n${fence(summary.text, MAX_ANSWER)}\n\n</details>`
      : '',
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
  return shown(text, MAX_CELL)
    .replace(/[\\`*_{}[\]<>|#!&~]/g, (sign) => `&#${sign.codePointAt(0)};`)
    .replace(/\s/g, ' ');
}

/** @param {string} words @param {number} limit */
function fence(words, limit) {
  const text = shown(words, limit);
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}text\n${text}\n${ticks}`;
}

/** Without secrets, and of what is too long the beginning. @param {string} words @param {number} limit */
function shown(words, limit) {
  const { text } = redact(words);
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  // A decoder that expects more leaves out a character that is cut in two.
  const beginning = new TextDecoder().decode(bytes.subarray(0, limit), { stream: true });
  return `${beginning}… [cut: ${bytes.length} bytes in all]`;
}
