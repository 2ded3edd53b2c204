// Calls the built command as a user would: a process of its own, everything it prints kept.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../packages/cli/dist/tailrace.js', import.meta.url));
const timeLimit = 60_000;
const rebuildTime = 5_000;

// A build that runs at the same time takes the file away for a moment.
async function programThere() {
  if (existsSync(program)) return;
  await wait(rebuildTime);
  if (!existsSync(program)) throw new Error('the command is not built: npm run build');
}

function runOnce(words, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...words], { stdio: ['pipe', 'pipe', 'pipe'], timeout: timeLimit });
    const printed = { stdout: [], stderr: [] };
    child.stdout.on('data', (chunk) => printed.stdout.push(chunk));
    child.stderr.on('data', (chunk) => printed.stderr.push(chunk));
    child.once('error', reject);
    // A command that ends before it has read everything is judged by what it printed, not by the broken pipe.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('close', (exitCode, signal) =>
      resolve({
        exit: signal ?? exitCode,
        stdout: Buffer.concat(printed.stdout).toString('utf8'),
        stderr: Buffer.concat(printed.stderr).toString('utf8'),
      }),
    );
  });
}

export async function tailrace(words, input) {
  await programThere();
  const first = await runOnce(words, input);
  if (!/ERR_MODULE_NOT_FOUND|Cannot find module/.test(first.stderr)) return first;
  await wait(rebuildTime);
  return runOnce(words, input);
}
