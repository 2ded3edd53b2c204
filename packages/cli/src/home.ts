// Where Tailrace keeps its data. On the way of every hook, so it imports next to nothing.

import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** What decides about the data directory. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's own folder. */
  readonly home: string;
}

/** The data directory: `TAILRACE_HOME`, else the platform's place for data. Nobody has made it yet. */
export function dataFolder(around: Surroundings = here()): string {
  const { platform, env, home } = around;
  const path = platform === 'win32' ? win32 : posix;
  const chosen = env['TAILRACE_HOME'];
  if (chosen) return path.resolve(chosen);
  if (platform === 'win32') return path.join(env['LOCALAPPDATA'] || path.join(home, 'AppData', 'Local'), 'tailrace');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'tailrace');
  const data = env['XDG_DATA_HOME'];
  // The rules for this variable say that a relative path is to be ignored.
  return path.join(data && path.isAbsolute(data) ? data : path.join(home, '.local', 'share'), 'tailrace');
}

/** The folder of the spool, and its file: one line for each payload that a hook was given. */
export function spoolOf(folder: string): { readonly folder: string; readonly file: string } {
  const spool = `${folder}/spool`;
  return { folder: spool, file: `${spool}/hooks.ndjson` };
}

function here(): Surroundings {
  return { platform: process.platform, env: process.env, home: homedir() };
}
