// What is kept from the last time saves reading, and never changes what is counted.

import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { tree } from '../../test/usage/generated.ts';
import { comparable, withTree } from '../../test/usage/trees.ts';
import { type ScannedUsage, scanUsage } from './scan.ts';

const answer = (id: string, output: number, time = '2026-11-15T10:00:00.000Z'): string =>
  `${JSON.stringify({
    type: 'assistant',
    isSidechain: false,
    message: {
      id,
      role: 'assistant',
      model: 'claude-opus-4-5',
      content: [],
      usage: { input_tokens: 1, output_tokens: output },
    },
    timestamp: time,
    sessionId: 's',
    cwd: '/p',
  })}\n`;

async function withAnswers<T>(
  lines: readonly string[],
  use: (at: { readonly file: string; readonly cache: string; scan(): Promise<ScannedUsage> }) => Promise<T>,
): Promise<T> {
  return await withTree(new Map([['projects/p/s.jsonl', lines.join('')]]), async (folder) => {
    const cache = join(folder, 'data', 'usage-cache');
    const dirs = [join(folder, 'projects')];
    return await use({
      file: join(folder, 'projects/p/s.jsonl'),
      cache,
      scan: () => scanUsage({ dirs, cache, workers: 0 }),
    });
  });
}

/** The same number of bytes with another text. */
const replaced = (bytes: Buffer, text: string, other: string): Buffer =>
  Buffer.from(bytes.toString('latin1').replace(text, other), 'latin1');

const outputs = ({ entries }: ScannedUsage): number[] => Array.from(entries, ({ outputTokens }) => outputTokens);

describe('a file that has not changed', () => {
  test('is not read again', async () => {
    await withAnswers([answer('a', 5)], async ({ scan }) => {
      expect((await scan()).readBytes).toBeGreaterThan(0);
      const again = await scan();
      expect([outputs(again), again.readBytes]).toEqual([[5], 0]);
    });
  });

  test('that has grown is read from where it ended', async () => {
    await withAnswers([answer('a', 5)], async ({ file, scan }) => {
      await scan();
      const more = answer('b', 7);
      appendFileSync(file, more);
      const grown = await scan();
      expect([outputs(grown), grown.readBytes]).toEqual([[5, 7], more.length]);
    });
  });

  test('whose last line was cut is read on when the line is whole', async () => {
    const line = answer('b', 7);
    await withAnswers([answer('a', 5), line.slice(0, 60)], async ({ file, scan }) => {
      expect(outputs(await scan())).toEqual([5]);
      appendFileSync(file, line.slice(60));
      expect(outputs(await scan())).toEqual([5, 7]);
    });
  });

  test.each([
    ['its beginning', (text: string) => `${answer('c', 9)}${text.slice(answer('c', 9).length)}${answer('d', 11)}`],
    [
      'the bytes before the end',
      (text: string) => `${text.slice(0, -answer('b', 2).length)}${answer('c', 4)}${answer('d', 11)}`,
    ],
  ])('is read anew when %s is another', async (_, change) => {
    const long = Array.from({ length: 20 }, (_unused, index) => answer(`x${index + 10}`, 1));
    await withAnswers([answer('a', 5), ...long, answer('b', 2)], async ({ file, scan }) => {
      await scan();
      const changed = change(readFileSync(file, 'utf8'));
      writeFileSync(file, changed);
      const ids = Array.from((await scan()).entries, ({ id }) => id);
      expect(ids).toContain('c');
      expect(ids).toContain('d');
      expect(ids.length).toBe(changed.split('\n').length - 1);
    });
  });

  test('is read anew when it was changed in its middle and has the same size', async () => {
    const long = Array.from({ length: 40 }, (_unused, index) => answer(`x${index + 10}`, 1));
    await withAnswers(long, async ({ file, scan }) => {
      await scan();
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace(answer('x30', 1), answer('x30', 9)));
      // However coarse the clock of the file system is.
      utimesSync(file, 2_000_000_000, 2_000_000_000);
      expect(Math.max(...outputs(await scan()))).toBe(9);
    });
  });

  test('cannot be kept where no folder can be made, and that is all', async () => {
    await withAnswers([answer('a', 5)], async ({ file }) => {
      const dirs = [join(file, '../..')];
      const cache = process.platform === 'linux' ? '/proc/nope/usage-cache' : join(file, 'usage-cache');
      expect(outputs(await scanUsage({ dirs, cache, workers: 0 }))).toEqual([5]);
    });
  });

  test('that is gone is not counted, and not kept', async () => {
    await withAnswers([answer('a', 5)], async ({ file, cache, scan }) => {
      await scan();
      rmSync(file);
      expect(outputs(await scan())).toEqual([]);
      writeFileSync(`${file}.jsonl`, answer('b', 1));
      await scan();
      expect(readFileSync(cache, 'utf8')).not.toContain('"a"');
    });
  });
});

describe('what is kept', () => {
  test.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, -20)],
    ['too long', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(8)])],
    ['of another version', (bytes: Buffer) => replaced(bytes, '"version":3', '"version":4')],
    ['of another kind of machine', (bytes: Buffer) => replaced(bytes, '"probe":3', '"probe":4')],
    ['something else', () => Buffer.from('[]\n')],
    ['nothing', () => Buffer.alloc(0)],
    ['short of a name', (bytes: Buffer) => replaced(bytes, '"totals":[]', '"totals":77')],
  ])('is no cache when it is %s', async (_, spoil) => {
    await withAnswers([answer('a', 5)], async ({ cache, scan }) => {
      await scan();
      const whole = readFileSync(cache);
      expect(spoil(whole).equals(whole)).toBe(false);
      writeFileSync(cache, spoil(whole));
      const again = await scan();
      expect(outputs(again)).toEqual([5]);
      expect(again.readBytes).toBeGreaterThan(0);
    });
  });

  test('[T-24] is private, whatever the mask says, and replaces what was there in one step', async () => {
    const mask = process.umask(0);
    try {
      await withAnswers([answer('a', 5)], async ({ file, cache, scan }) => {
        await scan();
        expect(statSync(cache).mode & 0o777).toBe(0o600);
        expect(statSync(join(cache, '..')).mode & 0o777).toBe(0o700);
        const victim = `${cache}.victim`;
        writeFileSync(victim, 'not ours');
        rmSync(cache);
        symlinkSync(victim, cache);
        appendFileSync(file, answer('b', 1));
        await scan();
        expect(readFileSync(victim, 'utf8')).toBe('not ours');
        expect(readdirSync(join(cache, '..')).sort()).toEqual(['usage-cache', 'usage-cache.victim']);
      });
    } finally {
      process.umask(mask);
    }
  });

  test('is not believed when others could have written it', async () => {
    await withAnswers([answer('a', 5)], async ({ cache, scan }) => {
      await scan();
      const bytes = readFileSync(cache);
      // The second last number is the output.
      bytes.writeDoubleLE(500, bytes.length - 16);
      writeFileSync(cache, bytes);
      expect(outputs(await scan())).toEqual([500]);
      chmodSync(cache, 0o666);
      expect(outputs(await scan())).toEqual([5]);
    });
  });

  test('and cannot be written is no failure', async () => {
    await withAnswers([answer('a', 5)], async ({ file }) => {
      const found = await scanUsage({ dirs: [file], cache: join(file, 'no', 'folder'), workers: 0 });
      expect(outputs(found)).toEqual([5]);
    });
  });
});

test('any schedule of writes, cuts and replacements is counted as if nothing were kept', async () => {
  const change = fc.record({
    kind: fc.constantFrom('append', 'cut', 'replace', 'touch', 'remove'),
    at: fc.nat(),
    file: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(tree, fc.array(change, { maxLength: 8 }), async (files, changes) => {
      await withTree(new Map(), async (folder) => {
        const cache = join(folder, 'cache.json');
        const dirs = [join(folder, 'p')];
        const contents = [...files];
        for (const { kind, at, file } of [{ kind: 'append', at: 1_000, file: 0 }, ...changes]) {
          const [path = '', text = ''] = contents[file % contents.length] ?? [];
          const target = join(folder, path);
          await withTreeFile(target, text, kind, at);
          const fresh = await scanUsage({ dirs, workers: 0 });
          const kept = await scanUsage({ dirs, workers: 0, cache });
          expect(comparable(kept.entries)).toEqual(comparable(fresh.entries));
        }
      });
    }),
    { numRuns: counts.usageSchedules },
  );
});

async function withTreeFile(target: string, text: string, kind: string, at: number): Promise<void> {
  const { mkdirSync } = await import('node:fs');
  mkdirSync(join(target, '..'), { recursive: true });
  const size = existsSync(target) ? statSync(target).size : 0;
  const bytes = Buffer.from(text);
  if (kind === 'append') appendFileSync(target, bytes.subarray(size, size + 1 + (at % 4_000)));
  else if (kind === 'cut' && size > 0) truncateSync(target, at % size);
  else if (kind === 'replace') {
    writeFileSync(`${target}.new`, bytes.subarray(0, at % (bytes.length + 1)));
    renameSync(`${target}.new`, target);
  } else if (kind === 'touch' && size > 0) utimesSync(target, 1, 1 + (at % 1_000));
  else if (kind === 'remove') rmSync(target, { force: true });
}

test('a worker that cannot be started is none: everything is read here', async () => {
  await withAnswers([answer('a', 5)], async ({ file }) => {
    // The source of this package is no module that a worker could load.
    const found = await scanUsage({ dirs: [file], workers: 2 });
    expect([outputs(found), found.threads]).toEqual([[5], 1]);
  });
});

test('whoever wants to stop it is heard', async () => {
  await withAnswers([answer('a', 5)], async ({ file }) => {
    await expect(scanUsage({ dirs: [file], workers: 0, signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });
});
