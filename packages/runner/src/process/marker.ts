// The mark that each process of a run bears in its environment. A random id: it opens nothing.

/** The run that a process belongs to. */
export const RUN_ID_VARIABLE = 'TAILRACE_RUN_ID';
/** The runs that this one is inside of, with colons between: who ends one of them ends this too. */
export const OUTER_RUNS_VARIABLE = 'TAILRACE_OUTER_RUNS';

/** The variables that mark a process of this run, which is started by a process with the environment `env`. */
export function markRun(runId: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const outer = [env[OUTER_RUNS_VARIABLE], env[RUN_ID_VARIABLE]].filter((value) => value !== undefined && value !== '');
  return { [RUN_ID_VARIABLE]: runId, ...(outer.length > 0 && { [OUTER_RUNS_VARIABLE]: outer.join(':') }) };
}

/** Whether an environment, its variables with NUL between, is of this run. */
export function isMarked(environment: string, runId: string): boolean {
  const framed = `\0${environment}\0`;
  if (framed.includes(`\0${RUN_ID_VARIABLE}=${runId}\0`)) return true;
  const from = framed.indexOf(`\0${OUTER_RUNS_VARIABLE}=`);
  if (from < 0) return false;
  const value = framed.slice(from + OUTER_RUNS_VARIABLE.length + 2, framed.indexOf('\0', from + 1));
  return value.split(':').includes(runId);
}
