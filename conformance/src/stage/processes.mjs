// Who bears the mark of a run, as the system tells it: nothing of the runner is asked.
import { readdirSync, readFileSync } from 'node:fs';

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It is gone, or another user's.
    return '';
  }
}

const isDead = (pid) => / Z /.test(read(`/proc/${pid}/stat`).replace(/\(.*\)/s, ''));

/** The processes of a run that live, with their command lines. */
export function processesOf(runId) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(`TAILRACE_RUN_ID=${runId}`) && !isDead(pid))
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim() }));
}
