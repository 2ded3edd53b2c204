// npm run packed: every package as a stranger would have it. All are packed as they would be published and installed into an empty
// project outside of the workspace; what is in them is looked at, and each is used there as its README says: programs are compiled and
// run, commands are typed into a shell, against agents that are replayed.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStage } from './examples/stage.mjs';
import { checkAbsent } from './packed/absent.mjs';
import { programsOf } from './packed/blocks.mjs';
import { checkContents, checkTree } from './packed/contents.mjs';
import { checkLines, typeLines } from './packed/lines.mjs';
import { createPlace } from './packed/place.mjs';
import { adapt, PAGES, runPrograms } from './packed/programs.mjs';
import { checkEntries, compilePrograms } from './packed/types.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const manifests = readdirSync(join(root, 'packages'))
  .map((folder) => readJson(join(root, 'packages', folder, 'package.json')))
  .filter((manifest) => !manifest.private);

/** Everything of ours, and what the READMEs ask for beside it, in the versions of the workspace. */
async function install(stage) {
  const words = manifests.flatMap(({ name }) => ['-w', name]);
  const packed = await stage.run('npm', ['pack', '--json', '--pack-destination', stage.folder, ...words], {
    cwd: root,
  });
  const dependencies = Object.fromEntries(
    Object.values(JSON.parse(packed.stdout)).map(({ name, filename }) => [
      name,
      `file:${join(stage.folder, filename)}`,
    ]),
  );
  for (const name of ['react', 'react-dom', 'ws'])
    dependencies[name] = readJson(join(root, 'package.json')).devDependencies[name];
  writeFileSync(
    join(stage.folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies, allowScripts: { 'better-sqlite3': true } }),
  );
  await stage.run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']);
}

if (!existsSync(join(root, 'packages/cli/dist/tailrace.js'))) throw new Error('nothing is built: npm run build');
const stage = {
  ...createStage(root, realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-packed-')))),
  /** Says how it went; the others are tried all the same. */
  async attempt(name, act) {
    try {
      await act();
      console.log(`ok  ${name}`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${name}: ${error.stack}`);
    }
  },
};
try {
  await install(stage);
  for (const { name } of manifests) checkContents(join(stage.folder, 'node_modules', name), root);
  checkTree(stage.folder);
  const place = createPlace(stage);
  checkLines(
    stage,
    PAGES.filter((page) => page.startsWith('packages/') && page !== 'packages/cli/README.md'),
  );
  console.log('ok  what is packed, and what comes with it');

  // Without better-sqlite3, or without its native part, the command says why and what to type, and whatever needs no history works.
  await stage.attempt('better-sqlite3 is left out', () => checkAbsent(stage, place));
  const doctor = await stage.run('tailrace', ['doctor'], { cwd: place.work, env: place.env, code: 1 });
  assert.match(doctor.stdout, /^✖ store .*better-sqlite3.*does not load[\s\S]*`npm rebuild -g better-sqlite3`/m);
  // Building it takes most of a minute where none is to be fetched. What needs it comes last.
  const native = stage.run('npm', ['rebuild', 'better-sqlite3'], { env: { JOBS: 'max' } });
  native.catch(() => {});

  await checkEntries(stage, manifests);
  const programs = PAGES.flatMap((page) => programsOf(root, page)).map((program) => adapt(program, place));
  const files = await compilePrograms(stage, programs);
  console.log(`ok  ${programs.length} programs are compiled`);
  await runPrograms(stage, place, files, false);
  await typeLines(stage, place, false);
  await native;
  await runPrograms(stage, place, files, true);
  await typeLines(stage, place, true);
} finally {
  await stage.stopAll();
  rmSync(stage.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
