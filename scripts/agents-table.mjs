// The README's table of agents, from what the agents declare about themselves. `--check` only says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { agents } from '../packages/core/dist/index.js';

const BEGIN = '<!-- agents: made by scripts/agents-table.mjs -->';
const END = '<!-- /agents -->';
const readme = new URL('../README.md', import.meta.url);

/** A column: its head, and what stands in it for an agent that shows these features. */
const columns = [
  ['agent', (_shows, { title, name }) => `${title} (\`${name}\`)`],
  ['text', (shows) => (shows('partial_text') ? 'as written' : 'whole')],
  ['reasoning', (shows) => (shows('partial_reasoning') ? 'as written' : shows('reasoning') ? 'whole' : '')],
  [
    'calls',
    (shows) => (shows('call_output') ? 'live output' : shows('running_calls') ? 'from the start' : 'when over'),
  ],
  ['files', (shows) => mark(shows('file_changes'))],
  ['todos', (shows) => mark(shows('todos'))],
  ['sub-agents', (shows) => (shows('subagent_work') ? 'their work' : mark(shows('subagents')))],
  ['refusals', (shows) => mark(shows('denials'))],
  ['retries', (shows) => mark(shows('retries'))],
  ['tokens', (shows) => (shows('step_usage') ? 'each call' : shows('usage') ? 'in all' : '')],
  ['cost', (shows) => mark(shows('cost'))],
];
const mark = (yes) => (yes ? '✓' : '');

function table() {
  const rows = agents.map((agent) =>
    columns.map(([, cell]) => cell((feature) => agent.shows?.includes(feature), agent)),
  );
  const line = (cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |');
  return [line(columns.map(([head]) => head)), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n');
}

const text = readFileSync(readme, 'utf8');
const from = text.indexOf(BEGIN);
const to = text.indexOf(END);
if (from < 0 || to < from) throw new Error('README.md has no place for the table of agents');
const made = `${text.slice(0, from + BEGIN.length)}\n${table()}\n${text.slice(to)}`;
if (process.argv.includes('--check')) {
  if (made !== text) {
    console.error('The table of agents in README.md is not what the agents declare: node scripts/agents-table.mjs');
    process.exit(1);
  }
} else writeFileSync(readme, made);
