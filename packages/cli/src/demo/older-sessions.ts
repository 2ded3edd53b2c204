// Sessions of days before, as the agent keeps them: recorded ones, with times that are not long ago.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agents, createDecoder, retell } from '@tailrace/core';
import { olderSessions } from './assets.ts';

/** The folder that every recorded session was in. */
const RECORDED_FOLDER = '/home/dev/project';

const HOUR_MS = 3_600_000;

/** How long ago they ended, one after the other. */
const AGES_MS: readonly number[] = [2, 27, 50, 75, 140].map((hours) => hours * HOUR_MS);

/** Puts them where the agent would, below its own folder. */
export function writeOlderSessions(agentFolder: string, projects: string, now: number = Date.now()): void {
  const transcripts = agents.find(({ name }) => name === 'claude')?.transcripts;
  const files = readdirSync(olderSessions, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ndjson'),
  );
  for (const [number, file] of files.sort().entries()) {
    const text = readFileSync(join(olderSessions, file), 'utf8');
    const cwd = join(projects, dirname(file));
    const sessionId = sessionIn(text);
    if (!transcripts || sessionId === undefined) continue;
    const path = join(agentFolder, transcripts.fileOf(sessionId, cwd));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, moved(text, now - (AGES_MS[number % AGES_MS.length] ?? 0), cwd));
  }
}

function sessionIn(text: string): string | undefined {
  const events = createDecoder({ agent: 'claude' }).feed(Buffer.from(text));
  return events.find(({ sessionId }) => sessionId !== undefined)?.sessionId;
}

function moved(text: string, endedAt: number, cwd: string): string {
  let last = 0;
  retell(text, {
    timeOf(time) {
      last = Math.max(last, Date.parse(time));
      return time;
    },
  });
  return retell(text, {
    timeOf: (time) => new Date(Date.parse(time) - last + endedAt).toISOString(),
    texts: new Map([[RECORDED_FOLDER, cwd]]),
  });
}
