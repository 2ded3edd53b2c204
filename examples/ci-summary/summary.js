// Reads an agent's stream on standard input, writes a summary of it in Markdown to standard output and into the job's summary where there
// is one, and fails when the run did.

import { appendFileSync } from 'node:fs';
import { createSummary, decode } from '@tailrace/core';
import { toMarkdown } from './markdown.js';

const fold = createSummary();
let lines = 0;
for await (const event of decode(process.stdin)) {
  fold.add(event);
  lines = event.line ?? lines;
}

if (lines === 0) console.error('Nothing came on standard input: is the agent’s output piped into this?');

const summary = fold.summary(lines);
const markdown = toMarkdown(summary);
process.stdout.write(markdown);
process.exitCode = summary.outcome === 'success' ? 0 : 1;
try {
  if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, markdown);
} catch (error) {
  console.error(`The job's summary could not be written: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
