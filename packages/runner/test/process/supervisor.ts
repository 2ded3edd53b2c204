// A supervisor for the tests to kill: starts an agent in the folder it is given, guarded or not, and waits to be killed.
// node supervisor.js FOLDER RUN_ID guarded|alone

import { spawn } from 'node:child_process';
import { startGuard } from '../../src/process/guard.ts';
import { markRun } from '../../src/process/marker.ts';
import { nameProcess } from '../../src/process/terminate.ts';

const [folder = '', runId = '', mode] = process.argv.slice(2);
const guard = mode === 'guarded' ? startGuard(runId) : undefined;
console.log('guard');
const agent = spawn('/bin/sh', [`${folder}/agent.sh`], {
  cwd: folder,
  detached: true,
  env: { ...process.env, ...markRun(runId, {}) },
  stdio: ['pipe', 'ignore', 'ignore'],
});
console.log(`agent ${agent.pid} ${guard?.pid}`);
const name = agent.pid === undefined ? undefined : nameProcess(agent.pid);
if (name) guard?.tell(name);
console.log('told');
process.stdin.on('data', () => {
  guard?.release();
  agent.kill('SIGKILL');
  process.exit(0);
});
setInterval(() => {}, 1_000);
