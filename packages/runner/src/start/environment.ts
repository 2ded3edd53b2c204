// The environment of the agent: ours, without what is about us or about a session that we are part of (T-16). How the person
// signs in, and what leads to the network, is left as it is.

import type { AgentCommand } from '@tailrace/core';
import { markRun } from '../process/marker.ts';

/**
 * The variables for the agent's process. A name in `unset` that ends in an asterisk stands for all that begin so. The mark of the
 * run comes last: nobody else sets it.
 */
export function childEnvironment(
  env: NodeJS.ProcessEnv,
  command: Pick<AgentCommand, 'env' | 'unset'>,
  runId: string,
): Record<string, string> {
  return { ...inherit(env, command.unset), ...command.env, ...markRun(runId, env) };
}

/** Our own variables as any program may have them that we start. */
export function inherit(env: NodeJS.ProcessEnv, unset: readonly string[] = []): Record<string, string> {
  const isUnwanted = createFilter([...ALWAYS, ...(startedByNpm(env) ? NPM : []), ...unset]);
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || isUnwanted(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}

/** Ours, and what makes a program that is Node take itself for a part of this one. */
const ALWAYS = [
  'TAILRACE_*',
  'ELECTRON_RUN_AS_NODE',
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
  'NODE_UNIQUE_ID',
];

/** What npm tells the scripts it runs. Else it is the person's own: `npm_config_registry` may be set in a profile. */
const NPM = ['npm_*', 'INIT_CWD'];

function startedByNpm(env: NodeJS.ProcessEnv): boolean {
  return env['npm_lifecycle_event'] !== undefined || env['npm_execpath'] !== undefined;
}

/** Without regard to case, as Windows has it: nobody means two variables by names that differ in nothing else. */
function createFilter(names: readonly string[]): (name: string) => boolean {
  const upper = names.map((name) => name.toUpperCase());
  const whole = new Set(upper);
  const beginnings = upper.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => {
    const asked = name.toUpperCase();
    return whole.has(asked) || beginnings.some((beginning) => asked.startsWith(beginning));
  };
}
