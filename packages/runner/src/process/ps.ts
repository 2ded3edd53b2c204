// The processes as `ps` prints them, for systems without /proc.

import { spawnSync } from 'node:child_process';
import type { ProcessEntry, ProcessTable } from './entry.ts';
import { isMarked, OUTER_RUNS_VARIABLE, RUN_ID_VARIABLE } from './marker.ts';

/** The arguments with which `ps` prints what {@link parsePs} reads: everybody's environment behind their command. */
export function psArguments(platform: NodeJS.Platform, pid?: number): string[] {
  const whom = pid === undefined ? ['-A'] : ['-p', String(pid)];
  // A heading that is left out has to be the last thing of its argument, hence one argument for each column.
  const columns = ['pid=', 'ppid=', 'pgid=', 'stat=', 'lstart=', 'command='].flatMap((column) => ['-o', column]);
  // What shows the environment is a letter of its own on macOS; elsewhere one without a dash, which must come first.
  return platform === 'darwin' ? [...whom, '-E', '-ww', ...columns] : ['eww', ...whom, ...columns];
}

/** Reads what `ps` printed. A line that is none of it is passed over. */
export function parsePs(text: string): ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    // Three numbers, the state, and a time of five words: Sun Nov 15 17:57:38 2026.
    const [pid, parent, group, state = '', weekday, month, day, time, year, ...command] = line.trim().split(/\s+/);
    const numbers = [pid, parent, group].map(Number);
    if (year === undefined || !numbers.every(Number.isSafeInteger)) return [];
    // The words of the command and of its environment cannot be told apart; only ours matter.
    const marks = command.filter((word) => MARKS.some((name) => word.startsWith(name)));
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      startTime: [weekday, month, day, time, year].join(' '),
      isZombie: state.startsWith('Z'),
      hasMarker: (runId: string) => marks.some((mark) => isMarked(mark, runId)),
    };
  });
}

/** The processes of a machine that has to ask `ps`. */
export function psTable(platform: NodeJS.Platform): ProcessTable {
  const ask = (pid?: number): ProcessEntry[] => {
    // In its plainest language: the time is written in words.
    const { stdout } = spawnSync('/bin/ps', psArguments(platform, pid), {
      encoding: 'latin1',
      env: { LC_ALL: 'C' },
      maxBuffer: MAX_TEXT,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: LIMIT,
    });
    return parsePs(stdout ?? '');
  };
  return {
    list: () => ask(),
    startTimeOf(pid) {
      const entry = ask(pid).find((one) => one.pid === pid);
      return entry === undefined || entry.isZombie ? undefined : entry.startTime;
    },
  };
}

const MARKS = [`${RUN_ID_VARIABLE}=`, `${OUTER_RUNS_VARIABLE}=`];
const LIMIT = 2_000;
const MAX_TEXT = 64 * 1024 * 1024;
