import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Built by its own script. Electron's program is not there to start it; test/browser/electron.test.ts runs all but that. */
export async function checkElectronChat({ run, example }) {
  await run(process.execPath, ['build.mjs'], { cwd: example });
  for (const name of ['main.js', 'preload.cjs', 'renderer.js', 'index.html', 'style.css'])
    assert(existsSync(join(example, 'dist', name)), name);
  // What is in a sandbox can load nothing else.
  const preload = readFileSync(join(example, 'dist/preload.cjs'), 'utf8');
  assert.deepEqual(
    [...preload.matchAll(/require\(([^)]*)\)/g)].map(([, name]) => name),
    ['"electron"'],
  );
}
