// The recorded session files, laid out as the agent lays them out in its own folder.

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fixtures } from './command.ts';

export interface Meta {
  readonly transcripts: readonly { readonly file: string; readonly kind: string; readonly original_path: string }[];
  readonly expected: {
    readonly session_id: string;
    readonly total_cost_usd: number | null;
    readonly tokens_served_total: Readonly<Record<string, number>>;
  };
}

export function metaOf(name: string): Meta {
  return JSON.parse(readFileSync(`${fixtures}${name}.meta.json`, 'utf8'));
}

/** Every recording that has session files. */
export function recordings(): readonly string[] {
  return readdirSync(fixtures)
    .filter((file) => file.endsWith('.meta.json'))
    .map((file) => file.slice(0, -'.meta.json'.length))
    .filter((name) => (metaOf(name).transcripts?.length ?? 0) > 0);
}

/** Puts the files of recordings where the agent would have put them, below `home`. Gives their paths. */
export function layOut(home: string, names: readonly string[]): readonly string[] {
  return names.flatMap((name) =>
    metaOf(name).transcripts.flatMap(({ file, original_path }) => {
      if (!existsSync(`${fixtures}${file}`)) return [];
      const path = join(home, original_path.replace('~/', ''));
      mkdirSync(dirname(path), { recursive: true });
      copyFileSync(`${fixtures}${file}`, path);
      return path;
    }),
  );
}
