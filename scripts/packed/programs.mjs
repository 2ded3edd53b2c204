// The programs of the pages, run as they stand there: each says what it must, against an agent that is replayed.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Pages whose programs are compiled; all but some are run. */
export const PAGES = [
  'README.md',
  'docs/ai-sdk.md',
  ...['core', 'protocol', 'runner', 'store', 'server', 'client', 'electron', 'cli'].map(
    (name) => `packages/${name}/README.md`,
  ),
];

/** Where `tailrace serve` listens when nobody says otherwise. */
const USUAL = 'http://127.0.0.1:7317';

/** What stands in for a value that is everybody's own. */
export function adapt(program, { home }) {
  return { ...program, text: program.text.replaceAll('/home/me/', `${home}/`) };
}

/** By the name of the program: what it prints, what it is given to read, whether it needs the native part; or that it is only compiled, and why. */
const PROGRAMS = {
  'README.md 1': { says: /Edit success[\s\S]*The test passes now[\s\S]*0\.08/ },
  'README.md 2': { says: /^session-start$[\s\S]*^turn-end$[\s\S]*^done$/m },
  'README.md 3': { reads: 'run.ndjson', says: /^call$[\s\S]*percentage: 100/m },
  'README.md 4': { check: checkResponse },
  'README.md 5': { only: 'run beside the program of the client' },
  'docs/ai-sdk.md 1': { check: checkMissingAgent },
  'docs/ai-sdk.md 2': { only: 'a part of another program' },
  'packages/core/README.md 1': { says: /^success The test passes now[\s\S]* 0\.08\d*$/m },
  'packages/protocol/README.md 1': { reads: 'run.ndjson', says: /^Read \{ file_path: 'n\.txt' \}\n100 % done$/m },
  'packages/runner/README.md 1': { says: /done\n$/ },
  'packages/store/README.md 1': { isHistory: true, leaves: 'data/tailrace.db' },
  'packages/server/README.md 1': {
    isHistory: true,
    says: /^type this into the page: \S+$[\s\S]*^http:\/\/127\.0\.0\.1:\d+$/m,
  },
  'packages/client/README.md 1': { only: 'a page; examples/plain-browser has it' },
  'packages/client/README.md 2': { isHistory: true, check: checkClient },
  'packages/client/README.md 3': { only: 'a page; the command has it' },
  'packages/electron/README.md 1': { only: 'Electron is not there' },
  'packages/electron/README.md 2': { only: 'Electron is not there' },
  'packages/electron/README.md 3': { only: 'Electron is not there' },
};

/** Those that need no history are run while its native part is built. */
export async function runPrograms(stage, place, files, isHistory) {
  const unknown = [...files.keys()].filter((name) => !PROGRAMS[name]);
  const gone = Object.keys(PROGRAMS).filter((name) => !files.has(name));
  assert.deepEqual({ unknown, gone }, { unknown: [], gone: [] }, 'the list in scripts/packed/programs.mjs');
  for (const [name, program] of Object.entries(PROGRAMS)) {
    if (program.only || Boolean(program.isHistory) !== isHistory) continue;
    const file = files.get(name);
    await stage.attempt(name, () =>
      program.check ? program.check(stage, place, files, file) : runProgram(stage, place, file, program, name),
    );
  }
}

async function runProgram(stage, { work, env }, file, { says, reads, leaves }, name) {
  const input = reads && readFileSync(join(work, reads));
  const { stdout } = await stage.run(process.execPath, [file], { cwd: work, env, input });
  if (says) assert.match(stdout, says, name);
  if (leaves) assert(existsSync(join(work, leaves)), `${name} leaves no ${leaves}`);
}

/** A route whose agent is not there: the message ends with an error, and the server goes on. */
async function checkMissingAgent(stage, { work, env }, _files, file) {
  const body = JSON.stringify({ messages: [{ parts: [{ type: 'text', text: 'Hello' }] }] });
  const program = `
    const { POST } = await import(${JSON.stringify(pathToFileURL(file).href)});
    const request = new Request('http://localhost/', { method: 'POST', body: ${JSON.stringify(body)} });
    console.log(await (await POST(request)).text());
    console.log('still here');`;
  const words = ['--input-type=module', '--eval', program];
  const { stdout } = await stage.run(process.execPath, words, { cwd: work, env: { ...env, PATH: '' } });
  assert.match(stdout, /"type":"error"[\s\S]*still here/);
}

/** What a route of a server gives back. */
async function checkResponse(_stage, { work }, _files, file) {
  const { answerWith } = await import(pathToFileURL(file).href);
  const capture = readFileSync(join(work, 'run.ndjson'));
  const response = answerWith(new Blob([capture]).stream());
  assert.match(response.headers.get('content-type'), /^text\/event-stream/);
  const text = await response.text();
  assert.match(text, /"type":"text-delta"/);
  assert.match(text, /"finishReason":"stop"/);
}

/** Two programs at a `tailrace serve`, with tokens: one starts a run and follows it, the other sees everything. */
async function checkClient(stage, { home, work, env }, files, file) {
  const { createPrograms, openProgramFile } = await import(
    pathToFileURL(join(stage.folder, 'node_modules/@tailrace/server/dist/index.js')).href
  );
  const data = join(home, 'served');
  mkdirSync(data, { mode: 0o700 });
  const { token } = createPrograms(openProgramFile(join(data, 'programs.json'))).add('readme', ['read', 'run']);
  const words = ['serve', '--port', '0', '--no-open', '--no-watch', '--root', join(home, 'projects')];
  mkdirSync(join(home, 'projects/shop/.git'), { recursive: true });
  const { url } = await stage.serve('tailrace', words, { cwd: work, env: { ...env, TAILRACE_HOME: data } });
  const at = { cwd: work, env: { ...env, TAILRACE_TOKEN: token } };
  const watching = stage.until(process.execPath, [speakTo(url, files.get('README.md 5'))], /agent_tool_result/, at);
  await stage.until(process.execPath, [speakTo(url, file)], /agent_tool_call[\s\S]*agent_tool_result/, at);
  await watching;
}

/** The program with the address of this server in the place of the usual one. */
function speakTo(url, file) {
  const text = readFileSync(file, 'utf8');
  assert(text.includes(USUAL), `${file} speaks to no server at ${USUAL}`);
  writeFileSync(file, text.replaceAll(USUAL, url));
  return file;
}
