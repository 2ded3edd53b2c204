// An agent that is older than the names of its hooks may skip all its settings for them, rules of what it may not do included.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Agent } from '@tailrace/core';
import { locate } from '@tailrace/runner';

/** Throws when the agent is on this machine and older than `since`. One that cannot be found or asked is left to the person. */
export async function checkVersion(
  { agent, title }: { readonly agent: Agent; readonly title: string },
  since: string,
): Promise<void> {
  const told = await versionOf(agent);
  if (told === undefined || !isOlder(told, since)) return;
  throw new Error(
    `${title} here is ${told}; before ${since} it may skip all its settings when they name hooks it does not know. Update it first`,
  );
}

async function versionOf(agent: Agent): Promise<string | undefined> {
  const program = agent.command?.({ prompt: '' }).program;
  if (program === undefined) return undefined;
  try {
    const { file } = await locate({ program, agent: agent.name });
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 10_000 });
    // The first line alone, and no number is longer than this.
    return /\b\d{1,6}\.\d{1,6}\.\d{1,6}\b/.exec(stdout.slice(0, 1_000))?.[0];
  } catch {
    return undefined;
  }
}

export function isOlder(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split('.').map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (one?.[index] ?? 0) - (other?.[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
