// A long session while it is loaded: its end is there before the rest is, and stays where it is when the rest comes.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserTest, openBrowser } from './chromium.ts';
import { rowWith, timeline } from './open-session.ts';
import { serveRecorded } from './recorded.ts';
import { signInPage } from './signed-in.ts';

const SESSION = '5b4a2d1e-7c3f-4e8a-9b60-1f2d3c4b5a69';
const SENTENCES = 2000;

browserTest('the end of a session is seen before the rest has come, and the rest comes above it', async () => {
  const { page, release } = await openHeld();
  await rowWith(page, `Sentence ${SENTENCES}.`).waitFor();
  await page.getByText('Loading what came before').waitFor();
  expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(0);

  // Whoever reads something stays with it.
  await timeline(page).hover();
  await page.mouse.wheel(0, -3000);
  await expect.poll(() => rowWith(page, `Sentence ${SENTENCES}.`).count()).toBe(0);
  const reading = await middleRow(page);
  release();
  await page.getByText('Loading what came before').waitFor({ state: 'detached' });
  await expect.poll(async () => Math.abs((await topOf(page, reading.key)) - reading.top)).toBeLessThanOrEqual(1);
  // Nothing of what came is new.
  expect(await page.getByRole('button', { name: /\d+ new/ }).count()).toBe(0);

  await timeline(page).focus();
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await rowWith(page, 'Sentence 1.').first().waitFor();
  await page.keyboard.press('Shift+G');
  await rowWith(page, `Sentence ${SENTENCES}.`).waitFor();
});

browserTest('a link into what has not come yet is followed when it is there', async () => {
  const { page, release } = await openHeld('?part=block:m7%3A0');
  await page.getByText('Loading the session').waitFor();
  release();
  await rowWith(page, 'Sentence 7.').first().waitFor();
});

/** A page of a long session; what comes over the socket is held back. */
async function openHeld(more = ''): Promise<{ readonly page: Page; readonly release: () => void }> {
  const served = await serveRecorded(Buffer.from(sentences()));
  const page = await signInPage(await openBrowser(), served);
  const held: (() => void)[] = [];
  let isHeld = true;
  await page.routeWebSocket(/\/ws/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (isHeld && String(message).includes('"event"')) held.push(() => socket.send(message));
      else if (held.length > 0) held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await page.goto(`${served.url}/sessions/${SESSION}${more}`);
  return {
    page,
    release() {
      isHeld = false;
      for (let next = held.shift(); next; next = held.shift()) next();
    },
  };
}

function sentences(): string {
  const tail = { session_id: SESSION, parent_tool_use_id: null };
  const lines: unknown[] = [{ type: 'system', subtype: 'init', cwd: '/project', model: 'fake-1', tools: [], ...tail }];
  for (let at = 1; at <= SENTENCES; at++)
    lines.push({
      type: 'assistant',
      message: {
        id: `m${at}`,
        role: 'assistant',
        model: 'fake-1',
        content: [{ type: 'text', text: `Sentence ${at}.` }],
        usage: { input_tokens: 1 },
      },
      ...tail,
    });
  lines.push({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'Done.',
    num_turns: 1,
    usage: {},
    ...tail,
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The row in the middle of what is seen, and where it stands. */
async function middleRow(page: Page): Promise<{ readonly key: string; readonly top: number }> {
  const key = (await page.evaluate(`(() => {
    const feed = document.querySelector('[role=feed]').getBoundingClientRect();
    const rows = [...document.querySelectorAll('[role=feed] article')];
    return rows.find((row) => row.getBoundingClientRect().top > feed.top + feed.height / 2)?.dataset.key;
  })()`)) as string;
  return { key, top: await topOf(page, key) };
}

function topOf(page: Page, key: string): Promise<number> {
  return page.evaluate(
    `Math.round(document.querySelector('[data-key=' + JSON.stringify(${JSON.stringify(key)}) + ']')?.getBoundingClientRect().top ?? -1e6)`,
  );
}
