// A large store, made through `append`: sessions as Claude's own files tell them, with words as people use them.
// `node bench/store/generate.mjs FILE [--sessions 10000] [--lines 100] [--seed 1]`; import `generate` to make one in a benchmark.

import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom } from '../fixtures/random.mjs';
import { createSessionLines } from './session-lines.mjs';

const entry = fileURLToPath(new URL('../../packages/store/dist/index.js', import.meta.url));

/** Fills a new store; gives what is in it. `onProgress` is told after each session. */
export async function generate({ file, sessions, lines = 100, seed = 1, store: path = entry, onProgress }) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const { openStore } = await import(pathToFileURL(path));
  const store = await openStore({ file });
  const random = createRandom(seed);
  const makeLines = createSessionLines(random);
  let [count, bytes] = [0, 0];
  const start = performance.now();
  const AT_ONCE = 100;
  for (let first = 0; first < sessions; first += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, sessions - first) }, (_, index) =>
      makeLines(first + index, lines),
    );
    // Calls made together are committed together.
    await Promise.all(
      some.map(async ({ id, path: transcript, at, texts }) => {
        const name = `transcript:claude:${transcript}`;
        const lease = await store.record.claim(name, {
          kind: 'transcript',
          agent: 'claude',
          sessionId: id,
          path: transcript,
        });
        const rows = texts.map((text, index) => ({ at: at + index, source: 'transcript', bytes: Buffer.from(text) }));
        await store.record.append(name, 1, rows, { cursor: String(rows.length) });
        await lease.release();
        count += rows.length;
        bytes += rows.reduce((sum, row) => sum + row.bytes.length, 0);
      }),
    );
    onProgress?.(first + some.length, sessions);
  }
  await store.close();
  return { file, sessions, lines: count, bytes, seconds: (performance.now() - start) / 1000 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sessions: { type: 'string' }, lines: { type: 'string' }, seed: { type: 'string' } },
  });
  const [file] = positionals;
  if (file === undefined) {
    console.error('generate: which file?');
    process.exit(2);
  }
  const made = await generate({
    file: resolve(file),
    sessions: Number(values.sessions ?? 10_000),
    lines: Number(values.lines ?? 100),
    seed: Number(values.seed ?? 1),
  });
  console.log(JSON.stringify(made));
}
