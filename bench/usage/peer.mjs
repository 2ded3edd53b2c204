// ccusage, the tool that people use for this, in an exact version and in a folder of its own.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from '../fixtures/write.mjs';

const VERSION = '20.0.24';
const native = `@ccusage/ccusage-${process.platform}-${process.arch}`;

/** The command as npm installs it, and the program that it starts; nothing when it cannot be had. */
export function installCcusage() {
  const folder = join(scratch, `peers-ccusage-${VERSION}`);
  const program = join(folder, 'node_modules', ...native.split('/'), 'bin', 'ccusage');
  const command = join(folder, 'node_modules', 'ccusage', 'src', 'cli.js');
  if (existsSync(program)) return { command, program };
  mkdirSync(folder, { recursive: true });
  const flags = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  try {
    execFileSync('npm', ['install', ...flags, `ccusage@${VERSION}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch {
    // Told below.
  }
  if (existsSync(program)) {
    // It comes without the right to be run; the command would give it.
    chmodSync(program, 0o755);
    return { command, program };
  }
  console.error(`bench: ccusage@${VERSION} could not be installed and is left out`);
  return undefined;
}
