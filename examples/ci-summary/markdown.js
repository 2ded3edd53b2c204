// A run in Markdown. The agent's words are put where they can do nothing, and link to nothing and call nobody: into a fence or a piece
// of code that they cannot close. Many people read a job's summary, so secrets are taken out.

import { markOf, redact, showCost, showDuration } from '@tailrace/core';

// In bytes. GitHub takes no summary of more than 1 MiB; a fence can make three times as much of what is in it, and code seven times.
const MAX_ANSWER = 200_000;
const MAX_ERROR = 20_000;
const MAX_NAME = 200;
/** Of tools, and of files. */
const MAX_NAMES = 40;

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
    [
      'agent',
      [agent, model]
        .filter((name) => name !== null)
        .map(code)
        .join(' · '),
    ],
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
    ['files', list(filesChanged.map(({ path, operation }) => `${operation} ${code(path)}`))],
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
  return list(
    names.map((name) => {
      const calls = toolCalls.filter((call) => call.name === name);
      const failed = calls.filter(({ outcome }) => outcome === 'error').length;
      return `${calls.length} × ${code(name)}${failed ? ` (${failed} failed)` : ''}`;
    }),
  );
}

/** @param {string[]} items */
function list(items) {
  const more = items.length - MAX_NAMES;
  return [...items.slice(0, MAX_NAMES), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** @param {string[][]} rows */
function table(rows) {
  return ['| | |', '|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

/** A name on one line. A bar would end the cell even within code, so it stands between two pieces of it. @param {string} name */
function code(name) {
  const pieces = shown(name, MAX_NAME).replace(/\s/g, ' ').split('|');
  return pieces.map((piece) => piece && `${ticksAround(piece, 0)} ${piece} ${ticksAround(piece, 0)}`).join('&#124;');
}

/** Longer than any in the text, and than `least`. @param {string} text @param {number} least */
function ticksAround(text, least) {
  let longest = least;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  return '`'.repeat(longest + 1);
}

/** @param {string} words @param {number} limit */
function fence(words, limit) {
  const text = shown(words, limit);
  const ticks = ticksAround(text, 2);
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
