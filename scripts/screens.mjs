// Writes the golden screens in fixtures/screens anew: `node scripts/screens.mjs`. Read what has changed before it is committed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { status } = spawnSync(
  'npx',
  ['--no-install', 'vitest', 'run', '--project', 'command', 'test/screens.test.ts', '-u'],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
