import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { createBlockCutter, LONGEST_BLOCK } from './blocks.ts';

function cut(pieces: readonly string[]): readonly string[] {
  const cutter = createBlockCutter();
  return [...pieces.flatMap((piece) => [...cutter.push(piece)]), ...cutter.flush()];
}

const line = fc.constantFrom(
  '',
  '',
  'Some words.',
  'more *words*',
  '# A heading',
  '- an item',
  '  going on',
  '    deeper',
  '1. first',
  '2. second',
  '```',
  '```ts',
  '~~~',
  '| a | b |',
  '|---|---|',
  '> a quote',
  '---',
  '   ',
  '\tx',
);

const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));

describe('blocks of a text that is still written', () => {
  test.each<[string, string, readonly string[]]>([
    ['paragraphs', 'a\nb\n\nc', ['a\nb\n', 'c\n']],
    ['a heading by itself', 'a\n# b\nc', ['a\n', '# b\n', 'c\n']],
    ['a list over empty lines', '- a\n\n  more\n\n- b\n\nc', ['- a\n\n  more\n\n- b\n\n', 'c\n']],
    ['a fence with empty lines', 'a\n```\nx\n\n# y\n```\nb', ['a\n', '```\nx\n\n# y\n```\n', 'b\n']],
    ['a fence in a list', '- a\n  ```\n  x\n\n  y\n  ```\n- b\n', ['- a\n  ```\n  x\n\n  y\n  ```\n- b\n']],
    ['a fence that nobody ends', '```\nx\n\ny', ['```\nx\n\ny\n']],
    ['nothing but empty lines', '\n\n  \n', []],
  ])('%s', (_name, whole, expected) => {
    expect(cut([whole])).toEqual(expected);
  });

  test('are the same in whatever pieces the text comes', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(20), { minLength: 1 }), (whole, sizes) => {
        const pieces: string[] = [];
        for (let at = 0, next = 0; at < whole.length; next++) {
          const size = (sizes[next % sizes.length] ?? 0) + 1;
          pieces.push(whole.slice(at, at + size));
          at += size;
        }
        expect(cut(pieces)).toEqual(cut([whole]));
      }),
      { numRuns: counts.runs },
    );
  });

  test('have every line that is not empty, in its order', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const lines = (some: string): readonly string[] => some.split('\n').filter((one) => one.trim() !== '');
        expect(cut([whole]).flatMap(lines)).toEqual(lines(whole));
      }),
      { numRuns: counts.runs },
    );
  });

  test('are cut when they become too long, a fence so that it goes on', () => {
    const long = 'word '.repeat(10_000);
    const blocks = cut([long]);
    expect(blocks.length).toBeGreaterThan(5);
    for (const block of blocks) expect(block.length).toBeLessThanOrEqual(LONGEST_BLOCK + 1);
    expect(blocks.join('').replaceAll('\n', '')).toBe(long);
    const fenced = cut([`\`\`\`ts\n${'const a = 1;\n'.repeat(3_000)}\`\`\`\nafter`]);
    expect(fenced.slice(0, -1).every((block) => block.startsWith('```ts\n'))).toBe(true);
    expect(fenced.join('').match(/const a = 1;/g)).toHaveLength(3_000);
    expect(fenced.at(-1)).toBe('after\n');
  });
});
