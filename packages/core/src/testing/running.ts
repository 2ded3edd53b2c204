// What an agent says about its process: how it is started, and how its end is read.

import type { Agent, Ending, Exit, Seen } from '../agents/agent.ts';

/** What a person might ask for: nothing of it may be taken for a flag. */
const HOSTILE = { prompt: '--help me; rm -rf $HOME', model: '-x tailrace', resume: '--tailrace' } as const;

/**
 * Starts it with values that look like flags. Each may only stand on stdin, behind `--`, or joined to a flag by `=`; or behind its
 * flag, for an agent whose flags take whatever comes next.
 */
export function tryCommand(agent: Agent, takesNext: boolean): string[] {
  return [false, true].flatMap((approveAll) => {
    const command = agent.command?.({ ...HOSTILE, approveAll });
    if (!command) return [];
    const { program, args, stdin = '' } = command;
    const border = args.includes('--') ? args.indexOf('--') : args.length;
    const flags = args.slice(0, border);
    const broken = program === '' ? ['the command has no program'] : [];
    for (const [name, value] of Object.entries(HOSTILE))
      if (
        flags.some((arg, index) => arg.includes(value) && !isSafe(arg, value, takesNext ? flags[index - 1] : undefined))
      )
        broken.push(`the ${name} stands where it can be taken for a flag`);
    const isAsked =
      stdin.includes(HOSTILE.prompt) ||
      args.includes(HOSTILE.prompt) ||
      flags.some((arg) => arg.endsWith(`=${HOSTILE.prompt}`));
    if (!isAsked) broken.push('the command does not tell the prompt');
    return broken;
  });
}

function isSafe(arg: string, value: string, before: string | undefined): boolean {
  return arg.endsWith(`=${value}`) || (arg === value && before?.startsWith('--') === true);
}

const SUCCESS: Ending = { outcome: 'success' };

/** Ends it in the ways that mean the same for every agent. */
export function tryExit(agent: Agent): string[] {
  const { readExit } = agent;
  if (!readExit) return [];
  const cases: readonly (readonly [string, Exit, Seen, readonly string[]])[] = [
    ['SIGTERM', { code: null, signal: 'SIGTERM' }, {}, ['cancelled']],
    ['SIGINT', { code: null, signal: 'SIGINT' }, { isOpen: true }, ['cancelled']],
    ['a stream that told its success', { code: 0 }, { ending: SUCCESS }, ['success']],
    ['a stream that told its failure', { code: 0 }, { ending: { outcome: 'error' } }, ['error']],
    ['a turn that was left open and nothing known of the process', {}, {}, ['unknown']],
    ['a turn that was left open and exit code 1', { code: 1 }, {}, ['error', 'cancelled']],
    ['silence and exit code 0', { code: 0 }, {}, ['unknown', 'cancelled']],
  ];
  return cases.flatMap(([name, exit, seen, may]) => {
    const { outcome, error } = readExit(exit, seen);
    if (!may.includes(outcome)) return [`${name} is read as ${outcome}`];
    return outcome === 'success' && error ? [`${name} is read as a success with an error`] : [];
  });
}
