// Bundles the command: one small door and one file per sub-command, each loaded when it is asked for.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { inkInBundle } from './ink-in-bundle.mjs';
import { lateSegmenter } from './late-segmenter.mjs';
import { licencesInBundle } from './licences-in-bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = `${root}packages/cli/`;
const { version } = JSON.parse(readFileSync(`${cli}package.json`, 'utf8'));

for (const file of ['tailrace.js', 'licences.txt', 'chunks', 'assets', 'page'])
  rmSync(`${cli}dist/${file}`, { recursive: true, force: true });
const STREAM =
  /packages\/(core\/dist\/(decoder|create-decoder|writer|(lines|event|host|agents(?!\/claude\/(replay|recording|retell))|accounting|summary|redact)\/)|cli\/src\/(commands\/view|printer\/(flat|gate|kinds|line-count|opening|report|tokens)\.|input\/(options|session|read)))/;
/** What prints everything after the first line: widths and cards. */
const PRINTER =
  /packages\/cli\/(src\/printer\/(?!live|region|signals|status|prices|markdown|table-rows)|node_modules\/(?!marked\/))|node_modules\/(get-east-asian-width|ansi-regex)\//;
/** What lays texts out, which not everybody wants: whoever prints without it does not load it. */
const MARKDOWN = /node_modules\/marked\/|packages\/cli\/src\/printer\/(markdown|table-rows)\./;
/** What nearly every command needs, and counting needs nothing more: the pipe's file is large. */
const BASICS =
  /rolldown\/runtime|packages\/(core\/dist\/(event\/json|summary\/(show|hidden)|agents\/(time|counted|claude\/(layout|usage-lines|statusline)|dialects\/claude\/usage)\.)|cli\/src\/(failure|home|history\/(config|filters|open)|printer\/(clean|hidden|palette|screen|short-id)|input\/write)\.)/;
/** What the bill needs, also where it is its own worker. */
const BILL = /packages\/(store\/dist\/(json\.|usage\/(?!fold-totals))|cli\/src\/usage\/)/;
const bundle = await rolldown({
  input: `${cli}src/tailrace.ts`,
  platform: 'node',
  // Native, or a large table: installed beside the command and loaded when it is needed.
  external: ['better-sqlite3', '@pydantic/genai-prices'],
  transform: { define: { TAILRACE_VERSION: JSON.stringify(version), 'process.env.NODE_ENV': '"production"' } },
  plugins: [inkInBundle(), lateSegmenter(), licencesInBundle()],
});
await bundle.write({
  dir: `${cli}dist`,
  // Node starts a CommonJS file about a sixth sooner than a module, and a worker too.
  format: 'cjs',
  dynamicImportInCjs: false,
  entryFileNames: 'tailrace.js',
  chunkFileNames: 'chunks/[name].js',
  // What every pipe needs is one file: each file more costs a start about a millisecond.
  codeSplitting: {
    groups: [
      // What several need goes with the first of them that is loaded.
      { name: 'basics', test: BASICS, priority: 4 },
      { name: 'bill', test: BILL, priority: 4 },
      { name: 'stream', test: STREAM, priority: 3 },
      { name: 'printer', test: PRINTER, priority: 2 },
      { name: 'markdown', test: MARKDOWN, priority: 1 },
    ],
  },
  // Half the bytes to read at each start; the names of functions stay, so that an error can still be understood.
  minify: {
    compress: true,
    mangle: { toplevel: false, keepNames: { function: true, class: true } },
    codegen: { removeWhitespace: true },
  },
  banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
});
await bundle.close();
// Without it Node would take the files for modules, as those of the package around them are.
writeFileSync(`${cli}dist/package.json`, '{ "type": "commonjs" }\n');
// The sessions that `tailrace demo` plays.
cpSync(`${root}fixtures/demo`, `${cli}dist/assets/demo`, { recursive: true });
// The page that `tailrace serve` shows.
if (existsSync(`${root}packages/web/dist`)) cpSync(`${root}packages/web/dist`, `${cli}dist/page`, { recursive: true });
