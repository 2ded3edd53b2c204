// Who has a lease, and whether that process still lives. A process id alone is not enough: the system gives it to another one.

import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { UNSEEN_WRITER_MS } from '../limits.ts';

export interface Holder {
  readonly pid: number;
  /** When it started, as the system tells it. */
  readonly start: string;
  /** The boot and the process namespace in which the id means something; empty where there is but one. */
  readonly place: string;
  /** When it was last heard of. */
  readonly at: number;
}

/** How processes are looked at; a test brings its own. */
export interface Processes {
  readonly place: string;
  /** Nothing when there is no such process, or when it is dead and only not yet buried. */
  startTimeOf(pid: number): Promise<string | undefined>;
}

/** This process. */
export async function ourselves(processes: Processes, now: number): Promise<Holder> {
  return { pid: process.pid, start: (await processes.startTimeOf(process.pid)) ?? '', place: processes.place, at: now };
}

/** Whether the process that took the lease may still write. */
export async function isLiving(holder: Holder, processes: Processes, now: number): Promise<boolean> {
  if (holder.place === processes.place) return (await processes.startTimeOf(holder.pid)) === holder.start;
  // Nothing lives through a new start of the machine.
  if (bootOf(holder.place) !== bootOf(processes.place)) return false;
  // The same machine, another container: it cannot be seen from here, only heard. To take its lease is safe: it would be told
  // with its next line.
  return now - holder.at < UNSEEN_WRITER_MS;
}

/** The machine's own processes. */
export const systemProcesses: Processes =
  process.platform === 'linux'
    ? { place: linuxPlace(), startTimeOf: async (pid) => parseStartTime(readOrNothing(`/proc/${pid}/stat`)) }
    : { place: '', startTimeOf: process.platform === 'win32' ? startTimeOnWindows : startTimeByPs };

/** The start time in a line of /proc/<pid>/stat; see proc(5). The name in it may hold spaces, brackets and line ends. */
export function parseStartTime(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isDead = fields[0] === 'Z' || fields[0] === 'X' || fields[0] === 'x';
  return isDead ? undefined : fields[19];
}

function linuxPlace(): string {
  const boot = readOrNothing('/proc/sys/kernel/random/boot_id').trim();
  try {
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return `${boot} `;
  }
}

function bootOf(place: string): string | undefined {
  return place.split(' ')[0];
}

async function startTimeByPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    });
    const text = stdout.trim();
    return text === '' || text.startsWith('Z') ? undefined : text.slice(text.indexOf(' ') + 1).trim();
  } catch {
    return undefined;
  }
}

/** Only a shell tells start times there, and none is ever started: a process that got the id of a dead writer is taken for it. */
async function startTimeOnWindows(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0);
    return 'unknown';
  } catch (error) {
    // It lives, and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'unknown' : undefined;
  }
}

const run = promisify(execFile);

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
