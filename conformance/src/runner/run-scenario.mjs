import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { truthOf } from '../capture/truth.mjs';
import { writeCapture } from '../capture/write.mjs';
import { MessagesApi } from '../server/messages-api.mjs';
import { environment, makeFolders } from './folders.mjs';
import { Moments } from './moments.mjs';
import { runCli } from './run-cli.mjs';

const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync(require.resolve('@anthropic-ai/claude-code/package.json'), 'utf8'));
const usualLimit = 60_000;

function complaints(run, truth, api, expect) {
  const found = [...run.problems, ...truth.contradictions];
  const exit = run.signal ?? run.exitCode;
  const wanted = [expect.exit ?? 0].flat();
  if (!wanted.includes(exit)) found.push(`it ended with ${exit}, not ${wanted.join(' or ')}`);
  const results = truth.terminal.result_lines;
  const number = [expect.results ?? 1].flat();
  if (!number.includes(results)) found.push(`${results} results, not ${number.join(' or ')}`);
  if (expect.subtype && truth.terminal.subtype !== expect.subtype)
    found.push(`the result is ${truth.terminal.subtype}, not ${expect.subtype}`);
  if (api.unscripted.length) found.push(`calls without a script: ${api.unscripted.join(', ')}`);
  return found;
}

/** Runs a scenario, writes its captures and returns what is wrong with it. */
export async function runScenario(make, out) {
  // A scenario is made afresh for each run, so that no identifier comes twice.
  const scenario = make();
  const invocations = scenario.invocations ?? [scenario];
  const folders = makeFolders(scenario);
  const found = [];
  try {
    for (const [index, raw] of invocations.entries()) {
      const api = new MessagesApi(raw.lanes ?? {});
      const moments = new Moments(api);
      api.on('error', (error) => found.push(`the stand-in failed: ${error.message}`));
      const address = await api.listen();
      try {
        const invocation = {
          ...raw,
          arguments: typeof raw.arguments === 'function' ? raw.arguments(folders) : raw.arguments,
        };
        const run = await runCli({
          invocation,
          folders,
          environment: environment(folders, address, { ...scenario.environment, ...raw.environment }),
          api,
          moments,
          timeLimit: scenario.timeLimit ?? usualLimit,
        });
        const truth = truthOf(run, api.calls);
        const name = invocations.length > 1 ? `${scenario.name}.run${index + 1}` : scenario.name;
        writeCapture({
          out,
          name,
          scenario,
          runNumber: index + 1,
          runs: invocations.length,
          version,
          invocation,
          run,
          truth,
          folders,
        });
        found.push(...complaints(run, truth, api, raw.expect ?? {}));
      } finally {
        await api.close();
      }
    }
  } finally {
    folders.remove();
  }
  return found;
}
