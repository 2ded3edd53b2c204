// Where the agents keep their session files on this machine.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { countedTranscripts } from '@tailrace/core';

/** The folders with session files that can be counted. The agent's own variable counts before its usual places. */
export function transcriptFolders(
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
): readonly string[] {
  return countedTranscripts.flatMap(({ root, folder }) => {
    const chosen = env[root.variable];
    const usual = join(home, root.folder);
    return (chosen ? listed(chosen) : [usual]).map((place) => join(place, folder));
  });
}

/** One folder; several with commas between them, where there is no folder of that name. */
function listed(text: string): readonly string[] {
  if (!text.includes(',') || existsSync(text)) return [text];
  return text.split(',').flatMap((one) => one.trim() || []);
}
