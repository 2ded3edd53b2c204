// Starts the runs of the demo as any program would: over HTTP, with a token that may read and run, and no more.

import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPrograms, openProgramFile } from '@tailrace/server';
import { dataFolder } from '../home.ts';
import type { Play } from './plays.ts';

/** Lets the demo in; the server that is started after this knows it. */
export function createToken(): string {
  const programs = createPrograms(openProgramFile(join(dataFolder(), 'programs.json')));
  return programs.add('demo', ['read', 'run']).token;
}

export interface StartOptions {
  readonly url: string;
  readonly token: string;
  readonly speed: number;
  readonly signal: AbortSignal;
}

/** Starts one after the other. Ends early, without a word, when the signal comes. */
export async function startRuns(plays: readonly Play[], { url, token, speed, signal }: StartOptions): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const how = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const reply = await fetch(url + path, { headers, signal, ...how });
    if (!reply.ok) throw new Error(`${path} was answered with ${reply.status}: ${await reply.text()}`);
    return reply.json();
  };
  try {
    // What the server says of its own projects is what its protocol promises.
    const { items } = (await ask('/api/projects')) as { items: readonly { id: string; folder: string }[] };
    let begun = 0;
    for (const { project, prompt, afterMs, isConversation } of plays) {
      await sleep(speed > 0 ? (afterMs - begun) / speed : 0, undefined, { signal });
      begun = afterMs;
      const { id } = items.find(({ folder }) => basename(folder) === project) ?? {};
      await ask('/api/runs', { project: id, prompt, isConversation });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
