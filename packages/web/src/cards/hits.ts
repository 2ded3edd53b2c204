// What a search has found, by file, where its output can be read so.

interface Hit {
  readonly line?: number;
  readonly text: string;
}

export interface FileHits {
  readonly path: string;
  readonly hits: readonly Hit[];
}

const WITH_LINE = /^([^\s:][^:\n]{0,400}):(\d{1,7})[:-](.*)$/;
const PATH = /^(?:\.{0,2}\/)?[^\s:*?"<>|][^:*?"<>|\n]{0,400}$/;

/** Nothing where the output has another form. */
export function groupHits(output: string): readonly FileHits[] | undefined {
  const files = new Map<string, Hit[]>();
  for (const row of output.split('\n')) {
    if (row.trim() === '' || row === '--') continue;
    const found = WITH_LINE.exec(row);
    if (found) {
      const [, path = '', line, text = ''] = found;
      const hits = files.get(path) ?? [];
      hits.push({ line: Number(line), text });
      files.set(path, hits);
      continue;
    }
    // A line of words before or after is no file.
    if (PATH.test(row) && (row.includes('/') || /\.\w{1,10}$/.test(row)) && !/\s\w+\s/.test(row)) {
      if (!files.has(row)) files.set(row, []);
    } else if (!/^(?:Found \d+ |\(|\[)/.test(row)) return undefined;
  }
  return files.size === 0 ? undefined : [...files].map(([path, hits]) => ({ path, hits }));
}
