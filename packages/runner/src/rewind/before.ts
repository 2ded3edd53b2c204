// What stands before a prompt, as the agent's own file of the session tells: there the conversation is cut.

import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Agent } from '@tailrace/core';
import { ownFolders } from '../run/start.ts';
import { TailraceError } from '../start/errors.ts';

export interface Asked {
  readonly agent: Agent;
  readonly sessionId: string;
  /** The folder in which the session was begun. */
  readonly cwd: string;
  readonly checkpoint: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The id of the message before the prompt; null when nothing is before it; undefined when the file has no such prompt. */
export async function findBefore(asked: Asked): Promise<string | null | undefined> {
  const { agent, checkpoint } = asked;
  const file = await fileOf(asked);
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const line of lines) {
      // Most lines are about something else, and some are long.
      if (!line.includes(checkpoint)) continue;
      const found = agent.rewind?.before(parsed(line), checkpoint);
      if (found !== undefined) return found;
    }
  } finally {
    lines.close();
  }
  return undefined;
}

/**
 * The session's file, in the place that belongs to the folder. It is not looked for elsewhere: from another folder the agent
 * would find the session and then write the files there.
 */
async function fileOf({ agent, sessionId, cwd, env }: Asked): Promise<string> {
  const { transcripts } = agent;
  const wanted = transcripts?.isSessionId(sessionId) ? transcripts.fileOf(sessionId, cwd) : undefined;
  for (const root of wanted === undefined ? [] : ownFolders(agent, env)) {
    const [folder, name] = [join(root, dirname(wanted ?? '')), basename(wanted ?? '')];
    for (const one of [folder, ...(await longerNames(folder))])
      if ((await readdir(one).catch((): string[] => [])).includes(name)) return join(one, name);
  }
  throw new TailraceError(
    'no-session',
    `${agent.title ?? agent.name} keeps no session ${sessionId} for ${cwd} (any more), so it cannot go back in it`,
  );
}

/** A long folder's name is cut, and something is added that only the agent can work out. */
async function longerNames(folder: string): Promise<readonly string[]> {
  const name = basename(folder);
  if (name.length < LONG_NAME) return [];
  const names = await readdir(dirname(folder)).catch((): string[] => []);
  return names.filter((one) => one.startsWith(name) && one !== name).map((one) => join(dirname(folder), one));
}

const LONG_NAME = 200;

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
