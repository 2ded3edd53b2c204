// A long session in a real browser, served by the real server: until its last row is seen, and how it scrolls.

import { fileURLToPath } from 'node:url';
import { median, runChild } from '../rounds.mjs';
import { findBrowser } from './browser.mjs';

const EVENTS = 100_000;
const FULL = 1_000_000;
const OPEN_MS = 2000;
const FRAME_MS = 32;
const NODES = 5000;

export async function page({ quick, full, log }) {
  if (findBrowser() === undefined)
    throw new Error('there is no Chromium: install one, or name it with PLAYWRIGHT_CHROMIUM');
  const packages = fileURLToPath(new URL('../../packages/', import.meta.url));
  const [rows, results] = [[], {}];
  for (const events of [quick ? EVENTS / 10 : EVENTS, ...(full ? [FULL] : [])]) {
    log(`page: ${events.toLocaleString('en')} events`);
    const result = runChild('page/child.mjs', { events, packages });
    results[events] = result;
    // A million is an aim, not a promise.
    rows.push(...rowsOf(result, events === FULL));
  }
  return { rows, results };
}

function rowsOf(result, isAim) {
  const axis = `page (one session of ${result.events.toLocaleString('en')} events, ${Math.round(result.bytes / 1e6)} MB, in Chromium)`;
  const opened = median(result.openedMs);
  const goals = (list) => (isAim ? [] : list);
  return [
    {
      axis,
      what: '**Tailrace**, from navigation until the last row is seen',
      figure: `${Math.round(opened)} ms, ${result.load.toFixed(1)} processes at work before it began`,
      milliseconds: opened,
      goals: goals([{ of: 'milliseconds', most: OPEN_MS }]),
    },
    {
      axis,
      what: '**Tailrace**, from navigation until all that came before it is there, too',
      figure: `${Math.round(median(result.wholeMs))} ms`,
      milliseconds: median(result.wholeMs),
      goals: [],
    },
    {
      axis,
      what: '**Tailrace**, frames while all of it is scrolled through with the wheel, p95',
      figure: `${result.frame95Ms.toFixed(1)} ms, ${(result.slowShare * 100).toFixed(1)} % take ${FRAME_MS} ms or more, the longest ${Math.round(result.frameMaxMs)} ms`,
      milliseconds: result.frame95Ms,
      goals: goals([{ of: 'milliseconds', most: FRAME_MS }]),
    },
    {
      axis,
      what: '**Tailrace**, nodes in the page, at most',
      figure: result.nodes.toLocaleString('en'),
      count: result.nodes,
      goals: goals([{ of: 'count', most: NODES }]),
    },
  ];
}
