// The real command in a real terminal (that of `script`), driven by keys. What it writes is read by a headless terminal, so that what is
// measured is what is seen.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import xterm from '@xterm/headless';
import { LAST_WORDS } from '../page/lines.mjs';
import { storeOf } from '../page/store.mjs';

const { events, packages } = JSON.parse(process.argv[2]);
const [columns, rows] = [200, 60];
const command = fileURLToPath(new URL('../../packages/cli/dist/tailrace.js', import.meta.url));
/** The end of a frame. */
const FRAME_END = '\u001b[?2026l';
const KEYS = {
  'next row': ['j'],
  'previous row': ['k'],
  'a page up': ['\u001b[5~'],
  'a page down': ['\u001b[6~'],
  panels: ['1', '3'],
  'open and fold': ['\r'],
  'top and end': ['g', 'G'],
  'next hit': ['n'],
};
const TIMES = 40;
const NOTHING_MS = 1000;

const made = await storeOf(events, packages);
const [load] = loadavg();
// Nobody's own sessions are taken in.
const home = mkdtempSync(join(tmpdir(), 'tailrace-view-'));
const started = performance.now();
const child = spawn(
  'script',
  [
    '-qfc',
    `stty cols ${columns} rows ${rows}; exec "${process.execPath}" ${process.env.VIEW_FLAGS ?? ''} "${command}"`,
    '/dev/null',
  ],
  {
    env: { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: home, TAILRACE_HOME: made.folder, TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'inherit'],
  },
);
const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
const waiting = new Set();
let frames = 0;
child.stdout.setEncoding('utf8').on('data', (text) => {
  frames += text.split(FRAME_END).length - 1;
  terminal.write(text, () => {
    for (const look of [...waiting]) look();
  });
});

const screen = () =>
  Array.from({ length: rows }, (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '').join(
    '\n',
  );

function until(isSo) {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo()) return;
      waiting.delete(look);
      resolve(performance.now());
    };
    waiting.add(look);
    look();
  });
}

/** From the key until the first frame after it is on the screen; nothing for a key that changes nothing. */
async function press(key) {
  const before = frames;
  const at = performance.now();
  child.stdin.write(key);
  const nothing = new Promise((resolve) => setTimeout(resolve, NOTHING_MS));
  const drawn = await Promise.race([until(() => frames > before), nothing]);
  return drawn === undefined ? [] : [drawn - at];
}

try {
  const listed = (await until(() => screen().includes('EARLIER ('))) - started;
  const at = performance.now();
  child.stdin.write('\r');
  const opened = (await until(() => screen().includes(LAST_WORDS))) - at;
  const whole = (await until(() => screen().includes(LAST_WORDS) && !screen().includes('loading '))) - at;
  child.stdin.write('/reader\r');
  await until(() => / of \d+/.test(screen().split('\n').at(-1)));
  const keys = {};
  for (const [name, list] of Object.entries(KEYS)) {
    keys[name] = [];
    for (let count = 0; count < TIMES; count++) {
      // Half of them would do nothing at an end.
      if (name === 'next row' && count === 0) await press('g');
      if (name === 'a page up' && count === 0) await press('G');
      keys[name].push(...(await press(list[count % list.length])));
    }
  }
  const { events: count } = made;
  console.log(
    JSON.stringify({ events: count, columns, rows, load, startedMs: listed, openedMs: opened, wholeMs: whole, keys }),
  );
} finally {
  child.stdin.write('q');
  await once(child, 'close');
  rmSync(home, { recursive: true, force: true });
}
