// npm run examples: every example as a stranger would have it. The packages are packed as they would be published and installed into a
// copy outside of the workspace, with everything else from the registry; each example is type-checked there, started by the command in
// its README, and used against an agent that is replayed.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkAiSdk } from './examples/ai-sdk.mjs';
import { checkCiSummary } from './examples/ci-summary.mjs';
import { checkElectronChat } from './examples/electron-chat.mjs';
import { checkExpressSse } from './examples/express-sse.mjs';
import { checkPlainBrowser } from './examples/plain-browser.mjs';
import { createStage } from './examples/stage.mjs';

/** An example is added here. Without a check of its own it is only type-checked. */
const EXAMPLES = [
  { name: 'express-sse', check: checkExpressSse },
  { name: 'ci-summary', check: checkCiSummary },
  { name: 'plain-browser', check: checkPlainBrowser },
  { name: 'ai-sdk', check: checkAiSdk },
  { name: 'electron-chat', check: checkElectronChat },
];

const root = fileURLToPath(new URL('..', import.meta.url));
const only = process.argv.slice(2);
const examples = EXAMPLES.filter(({ name }) => existsSync(join(root, 'examples', name)));
const unknown = readdirSync(join(root, 'examples'), { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && !EXAMPLES.some(({ name }) => name === entry.name),
);
if (unknown.length) throw new Error(`not in the list of scripts/examples.mjs: ${unknown.map(({ name }) => name)}`);

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const packages = new Map(
  readdirSync(join(root, 'packages')).map((folder) => {
    const manifest = readJson(join(root, 'packages', folder, 'package.json'));
    return [manifest.name, { folder, manifest }];
  }),
);

/** The names with everything of ours that they need in turn. */
function withOurs(names, found = new Set()) {
  for (const name of names) {
    if (found.has(name) || !packages.has(name)) continue;
    found.add(name);
    withOurs(Object.keys(packages.get(name).manifest.dependencies ?? {}), found);
  }
  return found;
}

/** What all examples need together. The compiler is the workspace's. */
async function dependencies(stage) {
  const wanted = new Map();
  for (const { name } of examples) {
    const manifest = readJson(join(root, 'examples', name, 'package.json'));
    for (const [dependency, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      if ((wanted.get(dependency) ?? version) !== version)
        throw new Error(`${dependency}: two versions of it are asked for`);
      wanted.set(dependency, version);
    }
  }
  wanted.delete('typescript');
  for (const name of withOurs(wanted.keys())) {
    const folder = join(root, 'packages', packages.get(name).folder);
    const { stdout } = await stage.run('npm', ['pack', '--silent', '--pack-destination', stage.folder], {
      cwd: folder,
    });
    wanted.set(name, `file:${join(stage.folder, stdout.trim())}`);
  }
  return Object.fromEntries(wanted);
}

if (!existsSync(join(root, 'packages/cli/dist/tailrace.js'))) throw new Error('nothing is built: npm run build');
const stage = createStage(root, realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-examples-'))));
let failed = 0;
try {
  writeFileSync(
    join(stage.folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: await dependencies(stage) }),
  );
  // No script of a package is run: none of those that are used here needs one.
  await stage.run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: stage.folder,
  });
  for (const { name, check } of examples.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const folder = join(stage.folder, 'examples', name);
    mkdirSync(folder, { recursive: true });
    cpSync(join(root, 'examples', name), folder, {
      recursive: true,
      filter: (path) => !/[\\/](node_modules|dist)$/.test(path),
    });
    try {
      await stage.run('npx', ['--no-install', 'tsc', '-p', folder], { cwd: root });
      await check?.({ ...stage, example: folder });
      console.log(`ok  ${name}${check ? '' : ' (type-checked)'}`);
    } catch (error) {
      failed += 1;
      console.log(`${name}: ${error.stack}`);
    } finally {
      await stage.stopAll();
    }
  }
} finally {
  await stage.stopAll();
  rmSync(stage.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
process.exitCode = failed ? 1 : 0;
