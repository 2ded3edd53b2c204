// Makes the pictures of the README from the demo: `npm run screenshots`. What they show is what the demo plays, so they change only
// when the page or a recording does; the times in them are those of the day they were made.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const images = path('docs/images');
/** So many bytes a picture may have: a README is to open at once. */
const MOST_BYTES = 300_000;
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

mkdirSync(images, { recursive: true });
const program = [process.env.PLAYWRIGHT_CHROMIUM, '/usr/bin/chromium', chromium.executablePath()].find(
  (one) => one && existsSync(one),
);
const browser = await chromium.launch({
  executablePath: program,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const demo = spawn(
  process.execPath,
  [path('packages/cli/dist/tailrace.js'), 'demo', '--no-open', '--port', '0', '--speed', '4'],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);

try {
  const { url, code } = await listening();
  const context = await browser.newContext({
    viewport: WIDE,
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
    colorScheme: 'light',
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('textbox', { name: 'Type the code' }).fill(code);

  // Two wait, and those at work have something to show.
  await page.getByRole('heading', { name: 'Waiting for you (2)' }).waitFor();
  const working = page.getByRole('region', { name: /^Working/ });
  await working
    .getByText(/^[3-9]\/\d$/)
    .first()
    .waitFor();
  await shoot(page, 'home');

  await page.getByRole('article').filter({ hasText: 'Clean the build folder' }).waitFor();
  await page.getByRole('button', { name: 'Answer…' }).click();
  await page.getByRole('radio').first().waitFor();
  await shoot(page, 'inbox');

  await page.setViewportSize(PHONE);
  await page.goto(url);
  await page.getByRole('heading', { name: 'Waiting for you (2)' }).waitFor();
  await shoot(page, 'phone');
  await page.setViewportSize(WIDE);

  // A session with a sub-agent and a change, both open.
  await page.goto(url);
  await page.getByRole('link', { name: 'Fix the flaky checkout test' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor({ timeout: 120_000 });
  const timeline = page.locator('article[data-index]');
  /** Only what is near the screen is there, so it is looked for from the end. */
  const unfold = async (name, opened) => {
    const button = timeline.getByRole('button', { name }).first();
    await page.mouse.move(400, 400);
    for (let count = 0; count < 60 && !(await opened.isVisible()); count++) {
      if (await button.isVisible()) await button.click({ timeout: 2000 }).catch(() => undefined);
      else await page.mouse.wheel(0, -120);
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
  };
  await unfold(/^Edit/, timeline.getByRole('table', { name: /^changes in/ }));
  const thread = timeline.getByRole('button', { name: 'Fold its timeline' });
  await unfold(/^Show its timeline/, thread);
  // The line of the sub-agent is near the top.
  await page.mouse.move(400, 400);
  await page.mouse.wheel(0, ((await thread.boundingBox())?.y ?? 0) - 180);
  await thread.hover();
  await page.mouse.move(0, 0);
  await shoot(page, 'session');
  // Further down, in the dark.
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.mouse.move(400, 400);
  await page.mouse.wheel(0, 400);
  await timeline.getByRole('button', { name: /^Bash npm test ok/ }).hover();
  await page.mouse.move(0, 0);
  await shoot(page, 'dark');
  await page.emulateMedia({ colorScheme: 'light' });

  await page.goto(`${url}/usage?span=month`);
  await page.getByRole('img', { name: /^Cost by day and model/ }).waitFor();
  await page.getByRole('img', { name: /^Cost of each day/ }).waitFor();
  await shoot(page, 'usage');

  await page.goto(`${url}/search?words=test`);
  await page.getByRole('list', { name: 'Places' }).getByRole('listitem').nth(3).waitFor();
  await shoot(page, 'search');

  await page.goto(`${url}/start`);
  await page.getByRole('textbox', { name: 'What is to be done' }).fill('Fix the flaky checkout test');
  await shoot(page, 'start');

  const [first, second] = await page.evaluate(twoLargest);
  await page.goto(`${url}/compare?a=${first}&b=${second}`);
  await page
    .getByRole('row', { name: /^Calls/ })
    .first()
    .waitFor();
  await shoot(page, 'compare');
} finally {
  await browser.close();
  demo.kill('SIGTERM');
}

/** In the page: the two sessions that cost the most. */
async function twoLargest() {
  const headers = { 'x-tailrace-key': localStorage.getItem('tailrace-key') ?? '' };
  const { items } = await (await fetch('/api/sessions', { headers })).json();
  const costs = items.filter(({ costUsd }) => costUsd > 0).sort((a, b) => b.costUsd - a.costUsd);
  return costs.slice(0, 2).map(({ id }) => encodeURIComponent(id));
}

/** Where the demo listens, and its code. */
function listening() {
  return new Promise((resolve, reject) => {
    let text = '';
    demo.stdout.on('data', (bytes) => {
      text += bytes;
      const [, url, code] = /^listening on (\S+)\n(\w{8})\n/.exec(text) ?? [];
      if (code) resolve({ url, code });
    });
    demo.once('exit', () => reject(new Error('the demo ended')));
  });
}

async function shoot(page, name) {
  const file = `${images}/${name}.png`;
  await page.evaluate('document.fonts.ready');
  writeFileSync(file, packed(await page.screenshot()));
  const { size } = statSync(file);
  console.log(`${name}.png ${Math.round(size / 1000)} kB`);
  if (size > MOST_BYTES) throw new Error(`${name}.png has ${size} bytes, and may have ${MOST_BYTES}`);
}

/** The same picture in fewer bytes: the filters that browsers choose are made for photographs, and not for flat colours and letters. */
function packed(png) {
  const chunks = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const size = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + size) });
  }
  const [header] = chunks;
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data));
  const rows = unfiltered(inflateSync(data), header.data.readUInt32BE(0), header.data[9] === 6 ? 4 : 3);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header.data),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Rows of pixels without the filters of the format (https://www.w3.org/TR/png-3/#9Filters), each behind a 0 that says so. */
function unfiltered(rows, width, bytesPerPixel) {
  const length = width * bytesPerPixel + 1;
  const plain = Buffer.alloc(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const column = at % length;
    if (column === 0) continue;
    const left = column > bytesPerPixel ? plain[at - bytesPerPixel] : 0;
    const above = at > length ? plain[at - length] : 0;
    const corner = at > length && column > bytesPerPixel ? plain[at - length - bytesPerPixel] : 0;
    plain[at] = rows[at] + [0, left, above, (left + above) >> 1, nearest(left, above, corner)][rows[at - column]];
  }
  return plain;
}

function nearest(left, above, corner) {
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}
