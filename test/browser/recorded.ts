// Sessions that a server has from the start: recorded lines, or such as they could be.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { call, fixtures } from '../../packages/cli/test/command.ts';
import { createPlace, type Place, type Served, serve } from '../../packages/cli/test/serve/served.ts';

/** Keeps lines in a person's store, as a pipe does. */
export async function record(place: Place, lines: Uint8Array): Promise<void> {
  const { code, stderr } = await call(['--record'], { input: [lines], env: place.env });
  // The exit code is that of the session; whether it was kept is told.
  if (stderr.includes('not kept') || code === null) throw new Error(`it was not kept: ${stderr}`);
}

/** Lines of a recorded session. */
export function fixtureLines(name: string): Buffer {
  return readFileSync(`${fixtures}${name}.ndjson`);
}

/** A server whose store has these sessions. */
export async function serveRecorded(...sessions: readonly (string | Uint8Array)[]): Promise<Served> {
  const place = createPlace();
  for (const one of sessions) await record(place, typeof one === 'string' ? fixtureLines(one) : one);
  return serve(place);
}

/** The ids of all sessions, the newest first; of whoever is signed in. */
export async function sessionIds(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(async () => {
    const headers = { 'x-tailrace-key': localStorage.getItem('tailrace-key') ?? '' };
    const { items } = await (await fetch('/api/sessions', { headers })).json();
    return items.map(({ id }) => id);
  })()`)) as readonly string[];
}
