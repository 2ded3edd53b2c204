// A store with one long run in it, made once: its folder is named by what makes it.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scratch } from '../fixtures/write.mjs';
import { runLines } from './lines.mjs';

const AT_ONCE = 500;
/** Between two lines. */
const PAUSE_MS = 400;

/** The folder of a store, and what is in it. */
export async function storeOf(events, packages) {
  const folder = join(scratch, `page-${events}-${sourceHash()}`);
  const countsPath = join(folder, 'counts.json');
  if (!existsSync(countsPath)) {
    const part = `${folder}.part`;
    rmSync(part, { recursive: true, force: true });
    const counts = await fill(part, events, packages);
    rmSync(folder, { recursive: true, force: true });
    renameSync(part, folder);
    writeFileSync(countsPath, JSON.stringify(counts));
  }
  return { folder, ...JSON.parse(readFileSync(countsPath, 'utf8')) };
}

async function fill(folder, wanted, packages) {
  const load = (path) => import(pathToFileURL(join(packages, path)).href);
  const { openStore } = await load('store/dist/index.js');
  const { createDecoder } = await load('core/dist/index.js');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const store = await openStore({ file: join(folder, 'tailrace.db') });
  const lease = await store.record.claim('run:page', { kind: 'run', agent: 'claude' });
  const decoder = createDecoder();
  const counts = { events: 0, lines: 0, bytes: 0 };
  let rows = [];
  let at = Date.parse('2026-11-01T09:00:00Z');
  const flush = async () => {
    await store.record.append('run:page', counts.lines - rows.length + 1, rows);
    rows = [];
  };
  for (const message of runLines(() => counts.events >= wanted)) {
    const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
    counts.events += decoder.feed(bytes).length;
    counts.lines++;
    counts.bytes += bytes.length;
    at += PAUSE_MS;
    rows.push({ at, source: 'stdout', bytes });
    if (rows.length >= AT_ONCE) await flush();
  }
  await flush();
  await lease.release();
  await store.history.catchUp();
  await store.close();
  return counts;
}

function sourceHash() {
  const hash = createHash('sha256');
  for (const file of ['lines.mjs', 'store.mjs', '../fixtures/random.mjs', '../fixtures/session.mjs'])
    hash.update(readFileSync(new URL(file, import.meta.url)));
  return hash.digest('hex').slice(0, 12);
}
