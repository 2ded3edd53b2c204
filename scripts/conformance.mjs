// npm run conformance [-- --all]: holds the command against the real agent.
// The published types first, then the AI SDK, which reads all captures through the bridge, then runs of the real program against a
// scripted model, what the command says about them, and runs in which our own runner starts it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const conformance = join(root, 'conformance');
const types = join(conformance, 'types');
const aiSdk = join(conformance, 'ai-sdk');
const agent = join(conformance, 'node_modules', '@anthropic-ai', 'claude-code');

const count = { passed: 0, failed: 0 };
const running = new Set();

// npm hands the settings of the root on as environment, where they would outweigh those of the folder that is installed.
function ownSettings() {
  const environment = { ...process.env };
  for (const line of readFileSync(join(root, '.npmrc'), 'utf8').split('\n')) {
    const name = `npm_config_${line.split('=')[0].trim().replaceAll('-', '_')}`;
    for (const key of Object.keys(environment)) if (key.toLowerCase() === name) delete environment[key];
  }
  return environment;
}

function run(program, words, environment = process.env) {
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm and npx are scripts there, which only a shell can start.
      shell: process.platform === 'win32' && program !== process.execPath,
    });
    running.add(child);
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    const end = (good, more = '') => {
      running.delete(child);
      resolve({ good, output: `${Buffer.concat(output).toString('utf8')}${more}`.trim() });
    };
    child.once('error', (error) => end(false, error.message));
    child.once('close', (code) => end(code === 0));
  });
}

function fail(title, output = '') {
  count.failed += 1;
  console.log(output ? `${title}\n${output}` : title);
  return false;
}

async function one(title, program, words, environment) {
  const { good, output } = await run(program, words, environment);
  if (!good) return fail(`${title} failed:`, output);
  return true;
}

/** Runs a script that counts by itself; its failures are shown, its closing line becomes part of ours. */
async function counted(title, script, words) {
  const { good, output } = await run(process.execPath, [join(conformance, script), ...words]);
  const found = /^(\d+) passed, (\d+) failed$/m.exec(output);
  if (!found) return fail(`${title} failed:`, output);
  const [passed, failed] = found.slice(1).map(Number);
  count.passed += passed;
  count.failed += failed;
  console.log(`${title}: ${passed} of ${passed + failed} hold`);
  const rest = output.split('\n').filter((line) => line !== found[0] && !line.startsWith('ok  '));
  if (!good && rest.length) console.log(rest.join('\n'));
  if (!good && !failed) return fail(`${title} ended badly`);
  return true;
}

function installed(folder) {
  const receipt = join(folder, 'node_modules', '.package-lock.json');
  return existsSync(receipt) && statSync(receipt).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
}

async function install(folder, flags = []) {
  if (installed(folder)) return true;
  const words = ['ci', '--prefix', folder, '--include=dev', '--no-audit', '--no-fund', ...flags];
  return one('npm ci', 'npm', words, ownSettings());
}

// The package installs everywhere; where there is no program for the machine, only a stub lies in its place.
async function agentRuns() {
  const { good, output } = await run(join(agent, 'bin', 'claude.exe'), ['--version']);
  const { version } = JSON.parse(readFileSync(join(agent, 'package.json'), 'utf8'));
  if (good && output.includes(version)) return true;
  const place = `${process.platform} ${process.arch}`;
  return fail(
    `Claude Code ${version} cannot be installed or does not run here (${place}), so nothing can be proved:`,
    output,
  );
}

async function checkTypes() {
  if (!(await install(types))) return;
  if (!(await one('the published types', 'npx', ['--no-install', 'tsc', '-p', types]))) return;
  count.passed += 1;
  console.log('published types: every name has a handler');
}

async function checkAiSdk() {
  if (!(await isBuilt()) || !(await install(aiSdk))) return;
  if (!(await one('the types of the AI SDK', 'npx', ['--no-install', 'tsc', '-p', aiSdk]))) return;
  await counted('captures that the AI SDK reads', 'ai-sdk/read.mjs', []);
}

async function isBuilt() {
  const files = ['cli/dist/tailrace.js', 'runner/dist/index.js', 'core/dist/targets/ai-sdk/index.js'];
  if (files.every((file) => existsSync(join(root, 'packages', file)))) return true;
  return one('the build', 'npm', ['run', 'build']);
}

async function checkRuns(out) {
  if (!(await install(conformance, ['--include=optional']))) return;
  if (!(await agentRuns())) return;
  if (!(await isBuilt())) return;
  if (await counted('runs of the agent', 'src/run.mjs', ['--out', out, ...(values.all ? [] : ['--small'])]))
    await counted('what the command says', 'src/check.mjs', [out]);
  await counted('runs by the runner', 'src/runs.mjs', []);
}

const out = mkdtempSync(join(tmpdir(), 'tailrace-conformance-'));
const remove = () => rmSync(out, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    remove();
    process.exit(130);
  });

try {
  await checkTypes();
  await checkAiSdk();
  await checkRuns(out);
} catch (error) {
  fail(error.stack);
} finally {
  remove();
}
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed ? 1 : 0;
