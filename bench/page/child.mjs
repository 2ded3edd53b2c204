// One long session in a real browser: when its last row is there, how smoothly it scrolls, how many nodes it takes.

import { loadavg } from 'node:os';
import { openSignedIn, startServer } from './browser.mjs';
import { LAST_WORDS } from './lines.mjs';
import { storeOf } from './store.mjs';

const { events, packages } = JSON.parse(process.argv[2]);
/** What a wheel moves at a time. */
const WHEEL_PX = 1200;
/** The median counts: the first one warms the browser and the server up. */
const OPENINGS = 3;

const made = await storeOf(events, packages);
// What others do at the same time tells how far the figures can be trusted.
const [load] = loadavg();
const server = await startServer(made.folder);
try {
  const { browser, page } = await openSignedIn(server);
  await page.addInitScript(watchFor, LAST_WORDS);
  const [id] = await page.evaluate(sessionIds);
  const [opened, whole] = [[], []];
  for (let count = 0; count < OPENINGS; count++) {
    await page.goto('about:blank');
    await page.goto(`${server.url}/sessions/${encodeURIComponent(id)}`, { waitUntil: 'commit' });
    opened.push(
      await page.waitForFunction(() => window.shownAt, null, { timeout: 600_000 }).then((at) => at.jsonValue()),
    );
    whole.push(
      await page.waitForFunction(() => window.wholeAt, null, { timeout: 600_000 }).then((at) => at.jsonValue()),
    );
  }
  await page.getByRole('feed').hover();
  const up = await scroll(page, -WHEEL_PX);
  const down = await scroll(page, WHEEL_PX);
  const frames = [...up.frames, ...down.frames].sort((a, b) => a - b);
  console.log(
    JSON.stringify({
      ...made,
      openedMs: opened,
      wholeMs: whole,
      load,
      frames: frames.length,
      frame95Ms: frames[Math.floor(frames.length * 0.95)],
      frameMaxMs: frames.at(-1),
      slowShare: frames.filter((ms) => ms >= 32).length / frames.length,
      scrolledPx: up.px + down.px,
      nodes: Math.max(up.nodes, down.nodes),
    }),
  );
  await browser.close();
} finally {
  server.stop();
}

/** In the page: remembers when the last words stand in what is seen of the timeline, and when all that came before is there, too. */
function watchFor(words) {
  const isSeen = (feed) => {
    const row = [...feed.querySelectorAll('article')].find((one) => one.textContent.includes(words));
    const box = row?.getBoundingClientRect();
    return box !== undefined && box.top < feed.getBoundingClientRect().bottom;
  };
  const look = () => {
    const feed = document.querySelector('[role=feed]');
    if (feed && isSeen(feed)) {
      window.shownAt ??= performance.now();
      if (feed.ariaBusy === 'false') {
        window.wholeAt = performance.now();
        return;
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** In the page. */
async function sessionIds() {
  const headers = { 'x-tailrace-key': localStorage.getItem('tailrace-key') ?? '' };
  const { items } = await (await fetch('/api/sessions', { headers })).json();
  return items.map((session) => session.id);
}

/** Turns the wheel until nothing moves any more. */
async function scroll(page, by) {
  await page.evaluate(() => {
    window.frames_ = [];
    window.nodes_ = 0;
    let before;
    const note = (now) => {
      if (before !== undefined) window.frames_.push(now - before);
      before = now;
      window.noting = requestAnimationFrame(note);
    };
    window.noting = requestAnimationFrame(note);
  });
  let px = 0;
  for (let last = -1, still = 0, nodes = 0; still < 3; nodes++) {
    await page.mouse.wheel(0, by);
    if (nodes % 20 === 0)
      await page.evaluate(() => {
        window.nodes_ = Math.max(window.nodes_, document.getElementsByTagName('*').length);
      });
    const top = await page.evaluate(() => document.querySelector('[role=feed]').scrollTop);
    still = top === last ? still + 1 : 0;
    px += last < 0 ? 0 : Math.abs(top - last);
    last = top;
  }
  return page
    .evaluate(() => {
      cancelAnimationFrame(window.noting);
      return { frames: window.frames_, nodes: window.nodes_ };
    })
    .then((seen) => ({ ...seen, px }));
}
