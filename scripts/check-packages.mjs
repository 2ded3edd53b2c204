// What a stranger would get from the registry: publint and are-the-types-wrong look at each package as it would be packed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tailrace-pack-'));
const run = (command, args) => execFileSync('npx', ['--no-install', command, ...args], { cwd: root, stdio: 'inherit' });

try {
  for (const name of readdirSync(join(root, 'packages'))) {
    const path = join(root, 'packages', name);
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    // The page is published as a part of the command.
    if (manifest.private) continue;
    run('publint', [path, '--strict']);
    // The command has no types to get wrong.
    if (!manifest.exports) continue;
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: path,
      encoding: 'utf8',
    });
    run('attw', [join(folder, packed.trim()), '--profile', 'esm-only', '--quiet']);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
