// What Tailrace is compared with is installed into a scratch folder, in exact versions, never into the workspace.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './fixtures/write.mjs';

const PEERS = ['split2@4.2.0'];

/** The folder with the peers, or nothing when they cannot be had: then they are left out. */
export function installPeers() {
  const folder = join(scratch, `peers-${PEERS.join('-').replaceAll('@', '-')}`);
  if (existsSync(join(folder, 'node_modules', 'split2'))) return folder;
  mkdirSync(folder, { recursive: true });
  const flags = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  try {
    execFileSync('npm', ['install', ...flags, ...PEERS], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    return folder;
  } catch {
    console.error(`bench: ${PEERS.join(', ')} could not be installed and is left out`);
    return undefined;
  }
}
