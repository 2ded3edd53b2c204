// The program of the guard process. Bundled into `guard-text.ts`, which is what runs: see guard.ts for why.
// It reads lines from stdin: `agent PID STARTTIME`, and `release`. An end without a release means that the supervisor is dead.

import { followDescendants } from './follow.ts';
import type { ProcessName, Remembered } from './targets.ts';
import { sweep } from './terminate.ts';

/** How often it looks who descends from the agent, in milliseconds. */
const FOLLOW_EVERY = 1_000;

const runId = process.argv[1] ?? '';
const remembered: Remembered = new Map();
let agent: ProcessName | undefined;
let rest = '';
let isOver = false;

process.title = 'tailrace-guard';
// It outlives whatever ends the supervisor, and then ends by itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => {});
process.stdin.setEncoding('latin1');
process.stdin.on('data', (text: string) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) hear(line);
});
for (const end of ['end', 'error', 'close']) process.stdin.on(end, endRun);
setInterval(() => followDescendants(remembered), FOLLOW_EVERY).unref();

function hear(line: string): void {
  if (line === 'release') process.exit(0);
  const [, pid, startTime] = /^agent (\d+) (.+)$/.exec(line) ?? [];
  if (pid === undefined || startTime === undefined) return;
  agent = { pid: Number(pid), startTime };
  remembered.set(agent.pid, startTime);
}

function endRun(): void {
  if (isOver) return;
  isOver = true;
  // An agent that was being started when the supervisor died shows its mark only when it has become the agent: some time is
  // given to that. Those that cannot be ended are given up after a while, lest the guard itself stays for ever.
  void sweep({ runId, agent }, { patience: 0, atLeast: 500, limit: 10_000, remembered }).then(() => process.exit(0));
}
