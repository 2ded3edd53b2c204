// The command alone, where better-sqlite3 was left out: npm does so without a word when its native part cannot be built.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { typeLines } from './lines.mjs';

/** In a project of its own: from a folder inside the stage's, the stage's own copy would be found. */
export async function checkAbsent(stage, place) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-absent-')));
  try {
    const { tailrace } = JSON.parse(readFileSync(join(stage.folder, 'package.json'), 'utf8')).dependencies;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { tailrace } }));
    await stage.run('npm', ['install', '--omit=optional', '--no-audit', '--no-fund', '--prefer-offline'], {
      cwd: folder,
    });
    assert(!existsSync(join(folder, 'node_modules/better-sqlite3')));
    const path = [join(folder, 'node_modules/.bin'), place.env.PATH].join(delimiter);
    const there = { ...place, env: { ...place.env, PATH: path } };
    const at = { cwd: there.work, env: there.env, code: 1 };
    const doctor = await stage.run('tailrace', ['doctor'], at);
    assert.match(doctor.stdout, /^✖ store .*better-sqlite3, which is not there[\s\S]*`npm install -g tailrace`/m);
    for (const word of ['sessions', 'import', 'demo']) {
      const { stderr } = await stage.run('tailrace', [word], at);
      assert.match(stderr, /^tailrace: history needs better-sqlite3, which is not installed here.*\n$/);
    }
    await typeLines(stage, there, false);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
