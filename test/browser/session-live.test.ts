// A session while it goes on, when the server comes again, when it is told again, and when one line of it is huge.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, WebSocketRoute } from 'playwright-core';
import { expect } from 'vitest';
import { start } from '../../packages/cli/test/command.ts';
import { createPlace, type Place, type Served, type Step, serve, until } from '../../packages/cli/test/serve/served.ts';
import { browserTest, openBrowser } from './chromium.ts';
import { goToSession, openCall, openRecorded, rowWith, timeline } from './open-session.ts';
import { serveRecorded } from './recorded.ts';
import { connected, signInPage, typeCode } from './signed-in.ts';

/** As the fake agent calls it. */
const SESSION = '11111111-2222-4333-8444-555555555555';

const texts = (from: number, to: number): readonly Step[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ['text', `Sentence ${from + index}.`]);

interface Scene {
  readonly page: Page;
  readonly served: Served;
  /** What the agent waits for. */
  open(gate: string): void;
  /** Breaks the connection. */
  cut(): Promise<void>;
}

/** A run that says sixty things, and waits at gates. */
async function liveSession(later: (gate: (name: string) => Step) => readonly Step[]): Promise<Scene> {
  const place = createPlace();
  const gate = (name: string): string => join(place.folder, `gate-${name}`);
  place.script([['init'], ['prompt'], ...texts(1, 60), ...later((name) => ['await-file', gate(name)]), ['result']]);
  const served = await serve(place);
  const context = await openBrowser();
  const sockets: WebSocketRoute[] = [];
  await context.routeWebSocket(/\/ws$/, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  const page = await signInPage(context, served);
  begin(place);
  await until(() => page.getByRole('link', { name: 'Say it' }).first().isVisible());
  await goToSession(page, served, SESSION);
  await rowWith(page, 'Sentence 60.').waitFor();
  return {
    page,
    served,
    open: (name) => writeFileSync(gate(name), ''),
    cut: async () => sockets.at(-1)?.close({ code: 4000 }),
  };
}

/** In a terminal of its own: it goes on when the server does not. */
function begin({ project, env }: Place): void {
  start(['run', '--cwd', project, 'Say it'], { env });
}

browserTest(
  'the timeline follows; whoever scrolls up keeps their place, is told how much is new, and is brought back',
  async () => {
    const { page, open } = await liveSession((gate) => [
      gate('a'),
      ...texts(61, 63),
      gate('b'),
      ...texts(64, 69),
      gate('c'),
    ]);
    open('a');
    await rowWith(page, 'Sentence 63.').waitFor();
    expect(await isAtEnd(page)).toBe(true);

    await timeline(page).hover();
    await page.mouse.wheel(0, -900);
    await until(async () => !(await isAtEnd(page)));
    const reading = await page.evaluate(readingKey);
    const before = await topOf(page, reading);
    open('b');
    const button = page.getByRole('button', { name: /6 new/ });
    await button.waitFor();
    expect(await topOf(page, reading)).toBe(before);
    await button.click();
    await rowWith(page, 'Sentence 69.').waitFor();
    await until(() => isAtEnd(page));
    await button.waitFor({ state: 'detached' });
    open('c');
  },
);

browserTest('a pause holds the timeline: nothing is added until it goes on', async () => {
  const { page, open } = await liveSession((gate) => [gate('a'), ...texts(61, 64), gate('b')]);
  await timeline(page).focus();
  await page.keyboard.press(' ');
  await page.getByRole('button', { name: /paused/ }).waitFor();
  open('a');
  await page.getByRole('button', { name: /paused.*4 new/ }).waitFor();
  expect(await rowWith(page, 'Sentence 61.').count()).toBe(0);
  await page.getByRole('button', { name: /paused.*4 new/ }).click();
  await rowWith(page, 'Sentence 64.').waitFor();
  open('b');
});

browserTest('when the server comes again, nothing is doubled and nothing is missing', async () => {
  const { page, served, open } = await liveSession((gate) => [
    gate('a'),
    ...texts(61, 66),
    gate('b'),
    ...texts(67, 68),
    gate('c'),
  ]);
  served.child.kill('SIGTERM');
  await served.ended;
  await page
    .getByRole('banner')
    .getByRole('status')
    .getByText(/not connected/)
    .waitFor();
  open('a');
  const again = await serve(served, { words: ['--port', String(served.port)] });
  // Sign-ins end with their server.
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await typeCode(page, again.codes()[0] ?? '');
  await connected(page);
  await rowWith(page, 'Sentence 66.').waitFor();
  open('b');
  await rowWith(page, 'Sentence 68.').waitFor();
  expect(await saidInOrder(page)).toEqual(Array.from({ length: 68 }, (_, index) => `Sentence ${index + 1}.`));
  open('c');
});

browserTest('when the connection breaks again and again, nothing is doubled and nothing is missing', async () => {
  const { page, open, cut } = await liveSession((gate) => [
    gate('a'),
    ...texts(61, 63),
    gate('b'),
    ...texts(64, 66),
    gate('c'),
    ...texts(67, 68),
    gate('d'),
  ]);
  for (const [gate, last] of [
    ['a', 63],
    ['b', 66],
    ['c', 68],
  ] as const) {
    await cut();
    open(gate);
    await rowWith(page, `Sentence ${last}.`).waitFor();
  }
  expect(await saidInOrder(page)).toEqual(Array.from({ length: 68 }, (_, index) => `Sentence ${index + 1}.`));
  open('d');
});

browserTest('a finished session is told again: fast, and from any place in it', async () => {
  const { page } = await openRecorded('demo');
  await rowWith(page, 'The test passes now.').first().waitFor();
  await page.getByRole('button', { name: 'Replay' }).click();
  const player = page.getByRole('group', { name: 'Replay' });
  await player.getByRole('combobox', { name: 'Speed' }).selectOption('20');
  // It comes to its end by itself, and goes on only when it is told to: while it plays it may be over before anybody looks.
  const play = player.getByRole('button', { name: 'Play the replay' });
  await play.waitFor();
  const place = player.getByRole('slider', { name: 'Place in the replay' });
  await place.focus();
  await page.keyboard.press('Home');
  await until(async () => (await rowWith(page, 'The test passes now.').count()) === 0);
  await play.click();
  await rowWith(page, 'The test passes now.').first().waitFor();
  await play.waitFor();
  await place.focus();
  await page.keyboard.press('Home');
  await until(async () => (await rowWith(page, 'The test passes now.').count()) === 0);
  await page.keyboard.press('End');
  await rowWith(page, 'The test passes now.').first().waitFor();
  await player.getByRole('button', { name: 'End the replay' }).click();
  await player.waitFor({ state: 'detached' });
});

browserTest('a line of 60 MiB is shown cut, and whole when somebody wants it; the page stays quick', async () => {
  const size = 60 * 1024 * 1024;
  const tail = { session_id: SESSION, parent_tool_use_id: null };
  const output = `${'x'.repeat(99)}\n`.repeat(size / 100);
  const lines = [
    { type: 'system', subtype: 'init', cwd: '/work', model: 'fake-1', tools: ['Bash'], ...tail },
    {
      type: 'assistant',
      message: {
        id: 'm',
        role: 'assistant',
        model: 'fake-1',
        content: [{ type: 'tool_use', id: 'huge', name: 'Bash', input: { command: 'cat everything' } }],
        usage: { input_tokens: 1 },
      },
      ...tail,
    },
    {
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'huge', content: output }] },
      ...tail,
    },
    { type: 'result', subtype: 'success', is_error: false, result: 'Read.', num_turns: 1, usage: {}, ...tail },
  ];
  const served = await serveRecorded(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
  const page = await signInPage(await openBrowser(), served);
  await goToSession(page, served, SESSION);
  const row = await openCall(page, 'cat everything');
  const all = row.getByRole('button', { name: /show all \(6\d/ });
  await all.waitFor();
  await page.evaluate(watchFrames);
  await all.click();
  await row
    .getByText(/more lines/)
    .last()
    .waitFor({ timeout: 120_000 });
  await all.waitFor({ state: 'detached' });
  expect(await page.evaluate("document.getElementsByTagName('*').length")).toBeLessThan(5000);
  // It may take a moment to read sixty megabytes, but nothing hangs.
  expect(await page.evaluate('window.longestFrame')).toBeLessThan(5000);
});

// ── In the page ───────────────────────────────────────────────────────────────────────────────────

function isAtEnd(page: Page): Promise<boolean> {
  return page.evaluate(
    "(() => { const feed = document.querySelector('[role=feed]'); return feed.scrollHeight - feed.scrollTop - feed.clientHeight < 50; })()",
  );
}

/** The row in the middle of what is seen. */
const readingKey = `(() => {
  const feed = document.querySelector('[role=feed]').getBoundingClientRect();
  const rows = [...document.querySelectorAll('[role=feed] article')];
  return rows.find((row) => row.getBoundingClientRect().top > feed.top + feed.height / 2)?.dataset.key;
})()`;

function topOf(page: Page, key: unknown): Promise<number> {
  return page.evaluate(
    `Math.round(document.querySelector('[data-key=' + JSON.stringify(${JSON.stringify(key)}) + ']').getBoundingClientRect().top)`,
  );
}

/** Everything that was said, read from the start to the end. */
async function saidInOrder(page: Page): Promise<unknown> {
  return page.evaluate(`(async () => {
    const feed = document.querySelector('[role=feed]');
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const said = new Map();
    feed.scrollTop = 0;
    for (let still = 0; still < 3; ) {
      await frame();
      for (const row of feed.querySelectorAll('article')) {
        const words = /Sentence \\d+\\./.exec(row.textContent)?.[0];
        if (words) said.set(row.dataset.key, { at: Number(row.dataset.index), words });
      }
      const before = feed.scrollTop;
      feed.scrollTop += feed.clientHeight / 2;
      still = feed.scrollTop === before ? still + 1 : 0;
    }
    return [...said.values()].sort((a, b) => a.at - b.at).map(({ words }) => words);
  })()`);
}

const watchFrames = `(() => {
  let before = performance.now();
  window.longestFrame = 0;
  const note = () => {
    const now = performance.now();
    window.longestFrame = Math.max(window.longestFrame, now - before);
    before = now;
    requestAnimationFrame(note);
  };
  note();
})()`;
