// The program's own session files, laid out as the program lays them out: what the command says of them alone, and of the
// capture with them, against the capture and against what was served.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fields, sameCounts } from './accounts.mjs';
import { tailrace } from './command.mjs';
import { parsed, sameAmount, show } from './values.mjs';

/** Rebuilds the folders below a home of their own; gives the path of the session's file. */
function layOut(folder, name, home) {
  const { transcripts = [], expected } = JSON.parse(readFileSync(join(folder, `${name}.meta.json`), 'utf8'));
  const sessions = [];
  for (const { file, kind, original_path: path } of transcripts) {
    if (!existsSync(join(folder, file))) continue;
    const place = path.replace('~', home);
    mkdirSync(dirname(place), { recursive: true });
    copyFileSync(join(folder, file), place);
    if (kind === 'session') sessions.push(place);
  }
  const own = sessions.find((path) => path.endsWith(`${expected.session_id}.jsonl`)) ?? sessions[0];
  return { own, sessions };
}

async function summarize(words, say) {
  const run = await tailrace(['summary', '--json', ...words]);
  const summary = parsed(run.stdout)?.value;
  if (run.exit !== 0 || !summary)
    say(`summary of the session file failed (exit ${run.exit}) ${run.stderr.slice(0, 200)}`);
  return summary;
}

const outcomes = (list) =>
  list
    .map(({ id, outcome }) => `${id} ${outcome}`)
    .sort()
    .join(', ');
const laneCounts = ({ input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens }) => ({
  inputTokens: input_tokens + cache_read_input_tokens + cache_creation_input_tokens,
  outputTokens: output_tokens,
  cacheReadTokens: cache_read_input_tokens,
  cacheWriteTokens: cache_creation_input_tokens,
});

/** A file that holds one run, which ended: it tells the same bill as the run. */
function checkAlone(story, summary, alone, say) {
  if (!sameCounts(alone.usage, { ...summary.usage }))
    say(`the file's usage is ${show(alone.usage)}, not ${show(summary.usage)}`);
  if (!sameAmount(alone.costUsd, summary.costUsd)) say(`the file's cost is ${alone.costUsd}, not ${summary.costUsd}`);
  if (story.expected.incomplete_calls?.length) return;
  for (const { lane, spawned_by_tool_use_id: callId } of story.expected.subagents ?? []) {
    const served = story.expected.tokens_served_by_lane[lane];
    const told = alone.subagents.find(({ toolCallId }) => toolCallId === callId);
    if (served && !sameCounts(told?.usage, laneCounts(served)))
      say(`the file's ${lane} used ${show(told?.usage)}, not ${show(served)}`);
  }
}

/** The capture with its file: nothing that the capture knows is lost, and what the file adds is no less. */
function checkBoth(story, summary, both, say) {
  const isWhole = story.results.length > 0 && !story.open;
  if (isWhole && !sameCounts(both.usage, summary.usage))
    say(`with the file, usage is ${show(both.usage)}, not ${show(summary.usage)}`);
  if (isWhole && !sameAmount(both.costUsd, summary.costUsd))
    say(`with the file, cost is ${both.costUsd}, not ${summary.costUsd}`);
  for (const key of ['outcome', 'text', 'stopReason'])
    if (isWhole && show(both[key]) !== show(summary[key]))
      say(`with the file, ${key} is ${show(both[key])}, not ${show(summary[key])}`);
  const settled = summary.toolCalls.filter(({ outcome }) => outcome !== 'unknown' && outcome !== 'cancelled');
  const same = both.toolCalls.filter(({ id }) => settled.some((call) => call.id === id));
  if (outcomes(same) !== outcomes(settled))
    say(`with the file, the calls are ${outcomes(same)}, not ${outcomes(settled)}`);
  for (const { id } of summary.subagents)
    if (both.subagents.filter((other) => other.id === id).length !== 1)
      say(`with the file, sub-agent ${id} is not there once`);
  if (!isWhole && fields.some((field) => (both.usage[field] ?? 0) < 0)) say('with the file, a count is below zero');
}

export async function checkTranscripts(folder, name, story, summary, say) {
  const home = mkdtempSync(join(tmpdir(), 'tailrace-home-'));
  try {
    const { own, sessions } = layOut(folder, name, home);
    if (!own) return;
    const alone = await summarize([own], say);
    const both = await summarize([story.file, '--transcript', own], say);
    if (!alone || !both) return;
    for (const key of ['notJson', 'tooLong', 'cutOff', 'spliced'])
      if (alone.lines[key] > 0) say(`${alone.lines[key]} lines of the file are ${key}`);
    if (alone.lines.unknown > summary.lines.unknown) say(`unknown in the file: ${show(alone.lines.unknownTypes)}`);
    const { runs = 1 } = JSON.parse(readFileSync(join(folder, `${name}.meta.json`), 'utf8'));
    const isOne = runs === 1 && sessions.length === 1 && story.results.length > 0 && !story.open;
    if (isOne) checkAlone(story, summary, alone, say);
    checkBoth(story, summary, both, say);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
