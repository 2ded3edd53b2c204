// Agents that play a script, started by the server as the page would start them.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { createPlace, type Place, type Step, until } from '../../packages/cli/test/serve/served.ts';

export interface AgentsPlace extends Place {
  /** Makes a project; `work` is there already. */
  addProject(name: string): string;
  /** A file that a script can wait for. */
  file(name: string): string;
  /** The lines that the last agent got on its standard input, when that has ended. */
  heard(): Promise<readonly HeardLine[]>;
}

export interface HeardLine {
  readonly type: string;
  readonly message?: { readonly content: unknown };
  readonly response?: { readonly response?: Readonly<Record<string, unknown>> };
  readonly request?: { readonly subtype: string };
}

/** A place whose agents each have a session of their own. */
export function createAgentsPlace(): AgentsPlace {
  const place = createPlace();
  // Beside it: an agent that outlives its server writes this one while the place is taken away.
  const beside = mkdtempSync(join(tmpdir(), 'tailrace-heard-'));
  onTestFinished(() => rmSync(beside, { recursive: true, force: true }));
  const stdin = join(beside, 'stdin');
  return {
    ...place,
    env: { ...place.env, FAKE_SESSION: 'own', FAKE_STDIN: stdin },
    addProject(name) {
      const folder = join(place.folder, 'root', name);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    file: (name) => join(place.folder, name),
    async heard() {
      await until(() => existsSync(stdin) && readFileSync(stdin, 'utf8').endsWith('\n'));
      const text = readFileSync(stdin, 'utf8');
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
  };
}

export interface RunWish {
  readonly prompt: string;
  readonly steps: readonly Step[];
  /** The folder's name. */
  readonly project?: string;
  readonly isConversation?: boolean;
}

/** Starts a run for whoever is signed in on the page, and waits until its agent has read its script. */
export async function startRun(page: Page, place: Place, wish: RunWish): Promise<{ readonly runId: string }> {
  const { prompt, steps, project = 'work', isConversation = false } = wish;
  place.script(steps);
  const told = place.env['FAKE_TOLD'] ?? '';
  rmSync(told, { force: true });
  const projects = await ask<{ items: { id: string; folder: string }[] }>(page, '/api/projects');
  const id = projects.items.find(({ folder }) => folder.endsWith(`/${project}`))?.id;
  const run = await ask<{ runId: string }>(page, '/api/runs', { project: id, prompt, isConversation });
  await until(() => existsSync(told));
  return run;
}

/** What the server answers to the person on the page. */
async function ask<T>(page: Page, path: string, body?: object): Promise<T> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const { status, text } = await page.evaluate<{ status: number; text: string }>(
    `fetch(${JSON.stringify(path)}, { ...${JSON.stringify(sent)}, headers: { 'content-type': 'application/json', 'x-tailrace-key': localStorage.getItem('tailrace-key') ?? '' } })
      .then(async (reply) => ({ status: reply.status, text: await reply.text() }))`,
  );
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  // What it says is what its protocol promises.
  return JSON.parse(text) as T;
}

/** The answer that an agent got to what it asked. */
export function answerIn(lines: readonly HeardLine[]): Readonly<Record<string, unknown>> | undefined {
  const answers = lines.filter(({ type }) => type === 'control_response');
  if (answers.length > 1) throw new Error(`it was answered ${answers.length} times`);
  return answers[0]?.response?.response;
}

/**
 * Presses a button that answers. Nothing counts in the first half second, and a button that allows takes no press before the end of what it
 * allows was seen: so it is pressed until it has gone, or can no longer be pressed.
 */
export async function press(button: Locator): Promise<void> {
  await button.waitFor();
  let isPressed = false;
  await until(async () => {
    if ((await button.count()) === 0) return isPressed;
    const isEnabled = await button.isEnabled({ timeout: 1000 }).catch(() => undefined);
    if (isEnabled === false) return isPressed;
    isPressed =
      (await button.click({ timeout: 1000 }).then(
        () => true,
        () => false,
      )) || isPressed;
    return false;
  });
}
