// Plays a scenario in which the runner starts the real program: sets the stage, lets the scenario act, and then asks of every run
// what must be so of each.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRun } from '../../../packages/runner/dist/index.js';
import { environment, makeFolders } from '../runner/folders.mjs';
import { Moments } from '../runner/moments.mjs';
import { MessagesApi } from '../server/messages-api.mjs';
import { claude, program } from './claude.mjs';
import { Played } from './played.mjs';
import { processesOf } from './processes.mjs';
import { faultsOf } from './truths.mjs';
import { until } from './until.mjs';

const usualLimit = 30_000;

/** Runs a scenario and returns what is wrong with it. */
export async function playRun(make) {
  const scenario = make();
  const folders = makeFolders(scenario);
  const api = new MessagesApi(scenario.lanes ?? {});
  const moments = new Moments(api);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), scenario.timeLimit ?? usualLimit);
  const plays = [];
  const faults = [];
  api.on('error', (error) => faults.push(`the stand-in failed: ${error.message}`));
  const address = await api.listen();
  const env = environment(folders, address, scenario.environment);

  const stage = {
    api,
    folders,
    env,
    signal: limit.signal,
    moment: (fits) => moments.find(fits),
    path: (name) => join(folders.project, name),
    has: (name) => existsSync(join(folders.project, name)),
    read: (name) => readFileSync(join(folders.project, name), 'utf8'),
    write: (name, content = '') => writeFileSync(join(folders.project, name), content),
    until: (condition, what = String(condition)) => until(condition, { signal: limit.signal, what }),
    async start({ expect = {}, ...options }) {
      const played = new Played(limit.signal);
      const run = await startRun({
        agent: claude,
        program,
        env,
        cwd: folders.project,
        waits: { quiet: 150 },
        ...played.listener,
        ...options,
      });
      played.run = run;
      plays.push({ played, expect });
      run.ended.then((result) => {
        played.result = result;
      });
      return played;
    },
  };

  const late = new Promise((_, reject) => {
    // A little later than the waits that look at the same signal and can say more.
    limit.signal.addEventListener('abort', () => setTimeout(() => reject(new Error('it took too long')), 500));
  });
  try {
    await Promise.race([scenario.play(stage), late]);
    for (const { played } of plays) await Promise.race([played.end(), late]);
    for (const { played, expect } of plays) faults.push(...faultsOf(played, expect, api, plays.length === 1));
    if (api.unscripted.length) faults.push(`calls without a script: ${api.unscripted.join(', ')}`);
  } catch (error) {
    faults.push(error.code === 'ERR_ASSERTION' ? `${cut(error.message)}\n${placeOf(error)}` : error.stack);
    for (const { played } of plays) faults.push(tellOf(played));
  } finally {
    clearTimeout(timer);
    // The runner is what is tried here, so it is not relied on.
    const patience = new Promise((resolve) => setTimeout(resolve, 5_000).unref());
    for (const { played } of plays) await Promise.race([played.run.kill(), patience]);
    for (const { played } of plays) endProcesses(played.run.id);
    await api.close();
    folders.remove();
  }
  return faults;
}

function endProcesses(runId) {
  for (const { pid } of processesOf(runId)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

const cut = (words) => (words.length > 3000 ? `${words.slice(0, 3000)} …` : words);
const placeOf = (error) => error.stack.split('\n').find((line) => line.includes('/runs/')) ?? '';

/** What helps to see why a scenario failed. */
function tellOf({ run, states, events, result }) {
  const last = events.slice(-6).map((event) => `${event.type}${event.toolName ? ` ${event.toolName}` : ''}`);
  return `run: ${run.state}; ${states.join(' ')}; ${last.join(', ')}; ${JSON.stringify(result ?? null)}`;
}
