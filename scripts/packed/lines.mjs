// What the pages tell to type into a shell, typed into one, with the installed command on the path.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, shellLinesOf } from './blocks.mjs';

const PAGES = ['README.md', 'packages/cli/README.md'];

/** The printer's last line. */
const DONE = /^✓ done in .* · \$0\.08\d* · /m;
const RAN = /^✓ done in .* · \$0\.\d+ · /m;

/**
 * By the line: what it prints on stdout or into a file. In this order, whatever the pages have: a session is kept before it is
 * looked for. `until`: it goes on, and is ended when it has said that.
 */
const LINES = {
  'claude -p "fix the flaky test" --output-format stream-json --verbose | tailrace': { says: DONE },
  'claude -p "fix the test" --output-format stream-json --verbose | tailrace': { says: DONE },
  'codex exec --json "fix the flaky test" | tailrace': { says: /^✓ done/m },
  'gemini --output-format stream-json -p "fix the flaky test" | tailrace': { says: /^✓ done/m },
  'tailrace summary run.ndjson --json': { says: /"outcome":"success".*"costUsd":0\.00738/ },
  'tailrace events run.ndjson': { says: /^\{.*"type":"turn-end"/m },
  'tailrace events run.ndjson | jq -c \'select(.type == "turn-end") | {outcome, cost: .cost.amount}\'': {
    says: /^\{"outcome":"success","cost":0\.00738\d*\}\n$/,
  },
  'tailrace view ~/.claude/projects/-home-me-app/1c3d….jsonl': { says: /Stream it[\s\S]*The number in the file is 42/ },
  'tailrace summary run.ndjson --transcript ~/.claude/projects/-home-me-app/1c3d….jsonl': {
    says: /^cost +\$0\.00738$/m,
  },
  'tailrace replay run.ndjson --speed 5 | tailrace': { says: /^✓ done in .* · \$0\.00738 · /m },
  'tailrace run "fix the flaky test"': { isHistory: true, says: RAN },
  'tailrace run "fix the test"': { isHistory: true, says: RAN },
  'tailrace run --allow "Bash(npm test:*)" --max-budget 2 --json "run the tests and fix them" > events.ndjson': {
    isHistory: true,
    writes: { 'events.ndjson': /^\{.*"type":"session-end"/m },
  },
  'tailrace run --allow "Bash(npm test:*)" --json "fix the test" > events.ndjson': {
    isHistory: true,
    writes: { 'events.ndjson': /^\{.*"type":"session-end"/m },
  },
  'tailrace hook install': { isHistory: true, says: /settings\.json/ },
  'tailrace import': { isHistory: true, says: /^\d+ new lines .* of 1 file$/m },
  'tailrace sessions': { isHistory: true, says: /shop/ },
  'tailrace sessions --project shop --since 7d': { isHistory: true, says: /shop/ },
  'tailrace search "migration rollback"': { isHistory: true, says: /migration/ },
  'tailrace search "cart"': { isHistory: true, says: /cart/ },
  'tailrace show last': { isHistory: true, says: /\S/ },
  'tailrace usage --by project': { isHistory: true, says: /\$0\.\d+/ },
  'tailrace export last --html -o session.html': { isHistory: true, writes: { 'session.html': /^<!doctype html>/i } },
  'tailrace checkpoints last': { isHistory: true, says: /\S/ },
  'tailrace demo': { isHistory: true, until: /listening on http:\/\/127\.0\.0\.1:\d+\n\S+\n/ },
  'tailrace serve': { isHistory: true, until: /listening on http:\/\/127\.0\.0\.1:\d+\n\S+\n/ },
};

/** Of a clone: CI has run them. */
const OF_A_CLONE = new Set(['npm ci && npm start', 'npm ci && npm test']);

/** Every line of the pages is known here; what is named for an installation was installed. */
export function checkLines(stage, libraries) {
  const found = PAGES.flatMap((page) => shellLinesOf(stage.root, page));
  const installs = libraries.flatMap((page) => shellLinesOf(stage.root, page));
  const isInstall = (line) => /^npm install /.test(line);
  for (const line of [...found, ...installs].filter(isInstall))
    for (const name of line.split(' ').slice(2))
      if (!name.startsWith('-')) assert(existsSync(join(stage.folder, 'node_modules', name)), `${line}: no ${name}`);
  assert.deepEqual(
    installs.filter((line) => !isInstall(line)),
    [],
    'lines of a library that nobody types here',
  );
  const lines = new Set(found.filter((line) => !isInstall(line) && !OF_A_CLONE.has(line)));
  const unknown = [...lines].filter((line) => !LINES[line]);
  const gone = Object.keys(LINES).filter((line) => !lines.has(line));
  assert.deepEqual({ unknown, gone }, { unknown: [], gone: [] }, 'the list in scripts/packed/lines.mjs');
}

/** Those that need no history are typed while its native part is built. */
export async function typeLines(stage, place, isHistory) {
  for (const [line, told] of Object.entries(LINES))
    if (Boolean(told.isHistory) === isHistory) await stage.attempt(line, () => typeLine(stage, place, line, told));
}

async function typeLine(stage, { work, env }, line, { says, writes = {}, until }) {
  const shell = ['-c', `set -o pipefail\n${until ? 'exec ' : ''}${line}`];
  if (until) {
    const { child, ended } = await stage.until('bash', shell, until, { cwd: work, env });
    child.kill('SIGINT');
    await ended;
    return;
  }
  const { stdout } = await stage.run('bash', shell, { cwd: work, env });
  if (says) assert.match(stdout, says);
  for (const [name, pattern] of Object.entries(writes)) assert.match(readFileSync(join(work, name), 'utf8'), pattern);
  if (says === DONE) checkShown(stage, stdout);
}

/** What the command's page shows of its output is in it, line by line, in this order. */
function checkShown({ root }, stdout) {
  const plain = (line) => line.trim().replaceAll(/ +/g, ' ');
  const printed = stdout.split('\n').map(plain);
  const shown = blocksOf(root, 'packages/cli/README.md').filter(({ language }) => language === 'text');
  let at = -1;
  for (const line of shown.flatMap(({ text }) => text.trimEnd().split('\n')).map(plain)) {
    at = printed.indexOf(line, at + 1);
    assert(at >= 0, `packages/cli/README.md shows what is not printed: ${line}`);
  }
}
