// Starts the real program once, plays the steps and returns what came out. It ends by itself: a time limit stands over everything.
import { spawn } from 'node:child_process';
import { existsSync, watch, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Lines } from './lines.mjs';

const require = createRequire(import.meta.url);
const program = join(dirname(require.resolve('@anthropic-ai/claude-code/package.json')), 'bin', 'claude.exe');

const never = new Promise(() => {});

function fileThere(path) {
  if (existsSync(path)) return Promise.resolve();
  return new Promise((resolve) => {
    const watcher = watch(dirname(path), () => {
      if (!existsSync(path)) return;
      watcher.close();
      resolve();
    });
    if (existsSync(path)) {
      watcher.close();
      resolve();
    }
    watcher.unref?.();
  });
}

export async function runCli({ invocation, folders, environment, api, moments, timeLimit }) {
  const listens = Boolean(invocation.steps?.some((step) => step.send || step.close));
  const child = spawn(program, invocation.arguments, {
    cwd: folders.project,
    env: environment,
    detached: true,
    stdio: [listens ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  const lines = new Lines();
  const stderr = [];
  const written = [];
  const problems = [];
  child.stdout.on('data', (chunk) => lines.add(chunk));
  child.stderr.on('data', (chunk) => stderr.push(chunk));
  child.stdin?.on('error', () => {});

  const killGroup = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nobody of the group is left.
    }
  };
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup();
    child.stdout.resume();
  }, timeLimit);

  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
  });

  let done = 0;
  const steps = invocation.steps ?? [];
  const play = async () => {
    let next = 0;
    const remembered = new Map();
    for (const step of steps) {
      let line = null;
      if (step.when) {
        const found = await lines.find(step.when, next);
        line = found.line;
        next = found.next;
      }
      if (step.remember) remembered.set(step.remember, line);
      if (step.recall) line = remembered.get(step.recall);
      if (step.whenServer) await moments.find(step.whenServer);
      if (step.whenFile) await fileThere(join(folders.project, step.whenFile));
      if (step.create) writeFileSync(join(folders.project, step.create), '');
      if (step.pause) child.stdout.pause();
      if (step.open) api.open(step.open);
      if (step.send) {
        const message = typeof step.send === 'function' ? step.send(line) : step.send;
        const text = typeof message === 'string' ? message : `${JSON.stringify(message)}\n`;
        written.push(text);
        child.stdin.write(text);
      }
      if (step.signal) child.kill(step.signal);
      if (step.resume) child.stdout.resume();
      if (step.close) child.stdin.end();
      done += 1;
    }
    child.stdin?.end();
    return never;
  };

  let outcome;
  try {
    outcome = await Promise.race([ended, play()]);
  } finally {
    clearTimeout(timer);
    // Also when a step failed: nothing that was started here outlives the run.
    killGroup();
  }
  if (steps.slice(done).some((step) => !step.optional))
    problems.push(`step ${done + 1} of ${steps.length} was never reached`);
  if (timedOut) problems.push(`it did not end within ${timeLimit} ms`);
  return {
    ...outcome,
    timedOut,
    problems,
    stdout: lines.bytes,
    lines: lines.parsed.filter((line) => line.type !== 'not-json'),
    stderr: Buffer.concat(stderr).toString('utf8'),
    stdin: written.join(''),
  };
}
