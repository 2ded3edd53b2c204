// One capture: the command reads it a few times, with and without the program's own files, and every check looks at what it printed.
import { checkAccounts } from './accounts.mjs';
import { checkAgreement } from './agreement.mjs';
import { checkCalls } from './calls.mjs';
import { tailrace } from './command.mjs';
import { checkEnding } from './ending.mjs';
import { checkHappenings } from './happenings.mjs';
import { checkPromises } from './promises.mjs';
import { readStory } from './story.mjs';
import { checkTranscripts } from './transcript.mjs';
import { parsed } from './values.mjs';

const endOfLine = 10;

const failure = (what, run) => [`${what} (exit ${run.exit}) ${run.stderr.slice(0, 200)}`.replaceAll('\n', ' ').trim()];

/** Everything that differs, each in a sentence. */
export async function checkCapture(folder, name) {
  const story = readStory(folder, name);
  const problems = [];
  const say = (problem) => problems.push(problem);

  const summaryRun = await tailrace(['summary', story.file, '--json']);
  const summary = parsed(summaryRun.stdout)?.value;
  if (summaryRun.exit !== 0 || !summary) return failure('summary failed', summaryRun);
  const eventsRun = await tailrace(['events', story.file]);
  const rows = eventsRun.stdout.split('\n').filter(Boolean).map(parsed);
  if (eventsRun.exit !== 0 || !rows.length || rows.includes(null)) return failure('events failed', eventsRun);
  const events = rows.map(({ value }) => value);

  checkEnding(story, summary, say);
  checkCalls(story, summary, say);
  checkAccounts(story, summary, say);
  checkHappenings(story, summary, say);
  checkPromises(story, events, say);
  checkAgreement(story, summary, events, say);
  await checkTranscripts(folder, name, story, summary, say);

  // The same bytes through a pipe, the last newline missing, are the same run.
  if (story.bytes.at(-1) === endOfLine) {
    const piped = await tailrace(['summary', '-', '--json'], story.bytes.subarray(0, -1));
    if (piped.stdout !== summaryRun.stdout) say('the summary differs through a pipe without the last newline');
  }
  return problems;
}
