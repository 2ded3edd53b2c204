// How every capture looks, kept in fixtures/screens and read through once by a person. `node scripts/screens.mjs` writes them anew.

import { describe, expect, test } from 'vitest';
import { widthOf } from '../src/printer/width.ts';
import { capturesOf, fixturesFolder, readCapture, screenOf } from './screen.ts';

const WIDTHS = [60, 100, 200];
const OTHERS = ['codex', 'copilot', 'gemini', 'goose', 'grok', 'kimi', 'opencode', 'pi', 'qwen'];

const claude = capturesOf('claude');

describe('golden screens', () => {
  test('there are captures of all agents', () => {
    expect(claude.length).toBeGreaterThan(100);
    for (const agent of OTHERS) expect(capturesOf(agent).length, agent).toBeGreaterThan(4);
  });

  test.each(claude)('claude, $name: at 60, 100 and 200 columns, and in colour', async ({ name, path }) => {
    const bytes = readCapture(path);
    const plain = WIDTHS.map((columns) => `──── ${columns} columns\n${screenOf(bytes, { columns })}`);
    // An escape that can be seen, so that the file can be read.
    const coloured = screenOf(bytes, { columns: 100, isColoured: true }).replaceAll('\u001b', '␛');
    const all = [...plain, `──── 100 columns, in colour\n${coloured}`].join('\n');
    // Halves of characters are written as what they are: none.
    await expect(Buffer.from(all).toString()).toMatchFileSnapshot(`${fixturesFolder}screens/claude/${name}.txt`);
  });

  test.each(OTHERS)('%s: all captures at 80 columns', async (agent) => {
    const all = capturesOf(agent).map(
      ({ name, path }) => `──── ${name}\n${screenOf(readCapture(path), { columns: 80 })}`,
    );
    await expect(all.join('\n')).toMatchFileSnapshot(`${fixturesFolder}screens/${agent}.txt`);
  });
});

describe('every capture', () => {
  const all = [...claude, ...OTHERS.flatMap((agent) => capturesOf(agent))].map(({ path }) => path);

  test.each([40, 60, 100, 200])('stays within %d columns, but for the lines at its end', (columns) => {
    for (const path of all) {
      const screen = screenOf(readCapture(path), { columns });
      const [body = ''] = screen.split(/\n\n[✓✖] /);
      for (const row of body.split('\n')) expect(widthOf(row), `${path}: ${row}`).toBeLessThanOrEqual(columns);
    }
  });

  test('can be printed in any width, however narrow', () => {
    for (const path of all) for (const columns of [1, 10, 25]) screenOf(readCapture(path), { columns });
  });

  test('is printed the same in whatever pieces it comes', () => {
    for (const path of all) {
      const bytes = readCapture(path);
      if (bytes.length > 40_000) continue;
      expect(screenOf(bytes, { columns: 80, chunk: 97 }), path).toBe(screenOf(bytes, { columns: 80 }));
    }
  });

  test.each(WIDTHS)(
    'has at %d columns the same words in colour as without, where no marks stand for colours',
    (columns) => {
      for (const path of all) {
        const bytes = readCapture(path);
        const strip = (text: string): string =>
          // biome-ignore lint/suspicious/noControlCharactersInRegex: our own styles
          text.replaceAll(/\u001b\[[\d;]*m/g, '').replaceAll(/[*`#~_\s]|\(\w+\)$/gm, '');
        expect(strip(screenOf(bytes, { columns, isColoured: true })), path).toBe(strip(screenOf(bytes, { columns })));
      }
    },
  );
});
