// A folder of its own for a test: a real store in it, and trees of transcripts as the agent lays them out.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LineRecord } from '../../src/contract.ts';
import { settleEpoch } from '../../src/sqlite/epoch.ts';
import { openConnection } from '../../src/sqlite/open.ts';
import { createRecord } from '../../src/sqlite/record.ts';

export const fixtures: string = fileURLToPath(new URL('../../../../fixtures/claude/2.1.325/', import.meta.url));

export interface Scratch {
  readonly folder: string;
  /** Opens the store of this folder; as often as several processes would. */
  open(): Promise<OpenStore>;
  /** Closes what is open and takes everything away. */
  remove(): Promise<void>;
}

interface OpenStore {
  readonly record: LineRecord;
  close(): Promise<void>;
}

export function createScratch(): Scratch {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-transcripts-')));
  const opened = new Set<OpenStore>();
  return {
    folder,
    async open() {
      const connection = await openConnection({ file: join(folder, 'data', 'tailrace.db') });
      await settleEpoch(connection);
      const record = createRecord(connection);
      const store: OpenStore = {
        record,
        async close() {
          if (!opened.delete(store)) return;
          await record.close();
          connection.close();
        },
      };
      opened.add(store);
      return store;
    },
    async remove() {
      for (const store of [...opened]) await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Meta {
  readonly transcripts: readonly { readonly file: string; readonly original_path: string }[];
}

/** Lays the files of a recorded run out below a home folder; gives their paths. */
export function layOut(home: string, name: string): readonly string[] {
  const meta: Meta = JSON.parse(readFileSync(`${fixtures}${name}.meta.json`, 'utf8'));
  return meta.transcripts.map(({ file, original_path }) => {
    const path = original_path.replace('~', home);
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(`${fixtures}${file}`, path);
    return path;
  });
}

/** Everything that a stream has, joined. */
export async function bytesOf(record: LineRecord, stream: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const lines of record.read(stream)) for (const { bytes } of lines) pieces.push(bytes);
  return Buffer.concat(pieces);
}

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>, milliseconds = 60_000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
