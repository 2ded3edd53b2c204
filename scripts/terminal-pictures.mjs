// Makes the pictures of the terminal for the README, as vectors: `npm run screenshots`. What they show is what the command prints of a
// recorded session, and what its full-screen view draws in a real terminal (tmux).
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import headless from '@xterm/headless';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const command = path('packages/cli/dist/tailrace.js');
const recordings = path('fixtures/demo');
const images = path('docs/images');
const WIDTH = 96;
const VIEW = { columns: 110, rows: 30 };
/** A cell of the picture, in pixels. */
const CELL = { width: 8.4, height: 18 };
const PADDING = 16;
/** The sixteen colours of a terminal, and what it writes in and on. */
const COLOURS = ['#1e2330', '#e5646c', '#6cc08b', '#d6a24a', '#6aa5f2', '#b58af0', '#5cc0c7', '#d5d9e3'];
const BRIGHT = ['#8890a3', '#ff8088', '#8be0a8', '#f0bf68', '#8fc0ff', '#cfabff', '#7fe0e6', '#ffffff'];
const TITLES = { printer: 'What a pipe into tailrace prints', view: 'A session in the full-screen view' };
const [INK, PAPER] = ['#d5d9e3', '#12151d'];
/** A program that says nothing for so long has drawn what it has to draw. */
const QUIET_MS = 400;
const LONGEST_MS = 60_000;

mkdirSync(images, { recursive: true });
const home = mkdtempSync(join(tmpdir(), 'tailrace-pictures-'));
const env = {
  PATH: process.env.PATH,
  HOME: home,
  TAILRACE_HOME: join(home, 'data'),
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
};
const socket = join(home, 'tmux');
try {
  await save('printer', printed(), WIDTH);
  record();
  tmux('new-session', '-d', '-x', String(VIEW.columns), '-y', String(VIEW.rows), `'${process.execPath}' '${command}'`);
  await drawn(/EARLIER|Earlier/);
  tmux('send-keys', 'Enter');
  await drawn(/Output|output/);
  await save('view', screen(), VIEW.columns);
} finally {
  spawnSync('tmux', ['-S', socket, 'kill-server'], { env });
  rmSync(home, { recursive: true, force: true });
}

/** What a pipe prints, in colour. */
function printed() {
  return execFileSync(process.execPath, [command, 'view', join(recordings, `${longest()}.ndjson`)], {
    env: { ...env, FORCE_COLOR: '1', COLUMNS: String(WIDTH) },
    encoding: 'utf8',
  });
}

/** The recording with the most to see. */
function longest() {
  const names = readdirSync(recordings).filter((name) => name.endsWith('.ndjson') && !name.includes('.stdin.'));
  const sizes = names.map((name) => ({ name, size: readFileSync(join(recordings, name)).length }));
  return sizes.sort((a, b) => b.size - a.size)[0].name.replace(/\.ndjson$/, '');
}

function record() {
  for (const name of readdirSync(recordings).sort()) {
    if (!name.endsWith('.ndjson') || name.includes('.stdin.')) continue;
    spawnSync(process.execPath, [command, '--record', '--quiet'], { env, input: readFileSync(join(recordings, name)) });
  }
}

function tmux(...words) {
  return execFileSync('tmux', ['-S', socket, ...words], { env, encoding: 'utf8' });
}

function screen() {
  return tmux('capture-pane', '-e', '-p').replaceAll('\n', '\r\n');
}

/** Waits until these words are on the screen, and nothing changes any more. */
async function drawn(words) {
  const until = Date.now() + LONGEST_MS;
  for (let last = '', since = Date.now(); ; ) {
    const now = screen();
    if (now !== last) [last, since] = [now, Date.now()];
    if (words.test(now) && Date.now() - since > QUIET_MS) return;
    if (Date.now() > until) throw new Error(`it was never drawn:\n${now}`);
    await wait(50);
  }
}

/** Writes the picture of what a terminal shows of these bytes. */
async function save(name, bytes, columns) {
  const text = bytes.replaceAll(/\r?\n/g, '\r\n').replace(/(\r\n)+$/, '');
  const rows = text.split('\r\n').length;
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  await new Promise((done) => terminal.write(text, done));
  const file = `${images}/${name}.svg`;
  const picture = svgOf(TITLES[name], terminal.buffer.active, columns, rows);
  writeFileSync(file, picture);
  console.log(`${name}.svg ${Math.round(picture.length / 1000)} kB`);
}

function svgOf(title, buffer, columns, rows) {
  const [width, height] = [columns * CELL.width + 2 * PADDING, rows * CELL.height + 2 * PADDING];
  const lines = Array.from({ length: rows }, (_, row) => lineOf(buffer.getLine(row), row, columns)).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${height}" width="${round(width)}" height="${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>
${lines}</svg>
`;
}

/** Cells that look alike are one stretch. */
function lineOf(line, row, columns) {
  const y = PADDING + row * CELL.height;
  let out = '';
  for (let at = 0; at < columns; ) {
    const look = lookOf(line.getCell(at));
    let [text, end] = ['', at];
    for (; end < columns && lookOf(line.getCell(end)) === look; end++)
      text += line.getCell(end).getWidth() === 0 ? '' : line.getCell(end).getChars() || ' ';
    const { ink, paper, style } = JSON.parse(look);
    const [x, wide] = [round(PADDING + at * CELL.width), round((end - at) * CELL.width)];
    if (paper) out += `<rect x="${x}" y="${y}" width="${wide}" height="${CELL.height}" fill="${paper}"/>\n`;
    if (text.trim() !== '')
      out += `<text x="${x}" y="${y + 13}" textLength="${wide}" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="${ink}"${style}>${escaped(text)}</text>\n`;
    at = end;
  }
  return out;
}

function lookOf(cell) {
  let [ink, paper] = [colourOf(cell, 'Fg') ?? INK, colourOf(cell, 'Bg')];
  if (cell.isInverse()) [ink, paper] = [paper ?? PAPER, ink];
  const style = `${cell.isBold() ? ' font-weight="700"' : ''}${cell.isItalic() ? ' font-style="italic"' : ''}${cell.isUnderline() ? ' text-decoration="underline"' : ''}${cell.isDim() ? ' opacity="0.62"' : ''}`;
  return JSON.stringify({ ink, paper, style });
}

function colourOf(cell, which) {
  if (cell[`is${which}Default`]()) return undefined;
  const colour = cell[`get${which}Color`]();
  if (cell[`is${which}RGB`]()) return `#${colour.toString(16).padStart(6, '0')}`;
  if (colour < 8) return COLOURS[colour];
  if (colour < 16) return BRIGHT[colour - 8];
  if (colour >= 232) return `#${(8 + (colour - 232) * 10).toString(16).padStart(2, '0').repeat(3)}`;
  const level = (value) => (value === 0 ? 0 : 55 + value * 40).toString(16).padStart(2, '0');
  const cube = colour - 16;
  return `#${level(Math.floor(cube / 36))}${level(Math.floor(cube / 6) % 6)}${level(cube % 6)}`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function round(number) {
  return Math.round(number * 10) / 10;
}
