// The full proofs: every repeated test with its full count, the mutants of the folders that must be beyond doubt, and all
// scenarios of the real CLI. Writes what it found to docs/proof.md. Takes up to 45 minutes; `--no-conformance` leaves the
// last part out.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const rows = [];

/** What a step prints is shown while it runs, or at its end where it is `read`. */
function step(name, command, args, { env = {}, read = undefined } = {}) {
  console.log(`\n── ${name}`);
  const start = process.hrtime.bigint();
  const { status, stdout } = spawnSync(command, args, {
    cwd: root,
    stdio: ['inherit', read ? 'pipe' : 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (read) process.stdout.write(stdout);
  const seconds = Math.round(Number(process.hrtime.bigint() - start) / 1e9);
  rows.push({ name, seconds, holds: status === 0, detail: read?.(stdout) ?? '' });
  return rows.at(-1);
}

step('build and check', 'npm', ['run', 'check']);
const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=reports/tests.json'];
const tests = step(
  'all tests with their full counts',
  'npx',
  ['--no-install', 'vitest', 'run', '--coverage', ...reporters],
  { env: { TAILRACE_PROOF: '1' } },
);
Object.assign(tests, testCounts(tests));
const mutation = step('mutants in lines/ and accounting/ (85 % must die)', 'npx', ['--no-install', 'stryker', 'run']);
Object.assign(mutation, mutationScores());
if (!process.argv.includes('--no-conformance')) {
  const read = (printed) => printed.match(/^\d+ passed, \d+ failed$/gm)?.at(-1);
  step('all scenarios of the real CLI', 'npm', ['run', 'conformance', '--', '--all'], { read });
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const table = rows.map(
  ({ name, seconds, holds, detail }) => `| ${name} | ${holds ? 'holds' : '**fails**'} | ${seconds} s | ${detail} |`,
);
writeFileSync(
  `${root}docs/proof.md`,
  `# The latest proof

\`npm run proof\` at commit ${commit} on ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} cores.
The counts are those of \`proof/counts.ts\`.

| what | outcome | took | detail |
|---|---|---|---|
${table.join('\n')}
`,
);
console.log(
  `\n${rows.filter(({ holds }) => holds).length} passed, ${rows.filter(({ holds }) => !holds).length} failed`,
);
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;

/** What was skipped was not seen to hold. */
function testCounts({ holds }) {
  try {
    const report = JSON.parse(readFileSync(`${root}reports/tests.json`, 'utf8'));
    const { numPassedTests: passed, numTotalTests: all } = report;
    return { holds: holds && passed === all, detail: `${passed} of ${all}` };
  } catch (error) {
    return { holds: false, detail: `no report: ${error.message}` };
  }
}

/** Each folder must hold by itself: an average would hide a weak one. */
function mutationScores() {
  try {
    const { files } = JSON.parse(readFileSync(`${root}reports/mutation.json`, 'utf8'));
    const folders = {};
    for (const [path, { mutants }] of Object.entries(files)) {
      const folder = path.split('/').at(-2);
      folders[folder] ??= { killed: 0, all: 0 };
      for (const { status } of mutants) {
        if (status === 'Killed' || status === 'Timeout') folders[folder].killed++;
        if (status !== 'Ignored' && status !== 'CompileError') folders[folder].all++;
      }
    }
    const scores = Object.entries(folders).map(([folder, { killed, all }]) => [folder, (100 * killed) / all]);
    return {
      holds: scores.length > 0 && scores.every(([, score]) => score >= 85),
      detail: scores.map(([folder, score]) => `${folder}/ ${score.toFixed(1)} %`).join(', '),
    };
  } catch (error) {
    return { holds: false, detail: `no report: ${error.message}` };
  }
}
