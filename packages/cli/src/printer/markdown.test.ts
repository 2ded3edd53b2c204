import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { createMarkdown } from './markdown.ts';
import { createPalette } from './palette.ts';
import { widthOf } from './width.ts';

const plain = createMarkdown(createPalette(false));
const coloured = createMarkdown(createPalette(true));

const SAMPLE = `# The mill

Water comes through the **race** and turns the *wheel*; see [the plan](https://example.org/plan) or \`mill --help\`.
~~Nobody~~ Somebody looks after it.

- one
- two, which is longer than the others and has to go on in the next row
  - nested
    1. deep
    2. deeper
- [x] done

10. ten
11. eleven

> A quote
> - with a list

\`\`\`sh
npm test	# runs
\`\`\`

| part | what it does | since |
|---|---|---|
| wheel | turns, and with it everything else in the house | 1790 |
| **race** | brings \`water\` | 1790 |

---
<b>not read</b> &lt;but this&gt;
`;

describe('Markdown on a terminal', () => {
  test('without colours the marks stay', () => {
    expect(plain.render(SAMPLE, 50).join('\n')).toMatchInlineSnapshot(`
      "# The mill

      Water comes through the **race** and turns the
      *wheel*; see the plan (https://example.org/plan)
      or \`mill --help\`.
      ~~Nobody~~ Somebody looks after it.

      • one
      • two, which is longer than the others and has to
        go on in the next row
        • nested
          1. deep
          2. deeper
      • [x] done

      10. ten
      11. eleven

      │ A quote
      │
      │ • with a list

          (sh)
          npm test    # runs

      part     │ what it does                    │ since
      ─────────┼─────────────────────────────────┼──────
      wheel    │ turns, and with it everything   │ 1790
               │ else in the house               │
      **race** │ brings \`water\`                  │ 1790

      ────────────────────────────────────────

      <b>not read</b> <but this>"
    `);
  });

  test('with colours they go', () => {
    expect(coloured.render(SAMPLE, 50).join('\n').replaceAll('\u001b', '␛')).toMatchInlineSnapshot(`
      "␛[1;4mThe mill␛[22;24m

      Water comes through the ␛[1mrace␛[22m and turns the ␛[3mwheel␛[23m;
      see ␛[4mthe plan␛[24m␛[2m (https://example.org/plan)␛[22m or ␛[36mmill␛[39m
      ␛[36m--help␛[39m.
      ␛[9mNobody␛[29m Somebody looks after it.

      ␛[2m•␛[22m one
      ␛[2m•␛[22m two, which is longer than the others and has to
        go on in the next row
        ␛[2m•␛[22m nested
          ␛[2m1.␛[22m deep
          ␛[2m2.␛[22m deeper
      ␛[2m•␛[22m [x] done

      ␛[2m10.␛[22m ten
      ␛[2m11.␛[22m eleven

      ␛[2m│␛[22m A quote
      ␛[2m│␛[22m
      ␛[2m│␛[22m ␛[2m•␛[22m with a list

          ␛[36mnpm test    # runs␛[39m

      ␛[1mpart␛[22m  ␛[2m│␛[22m ␛[1mwhat it does␛[22m                       ␛[2m│␛[22m ␛[1msince␛[22m
      ␛[2m──────┼────────────────────────────────────┼──────␛[22m
      wheel ␛[2m│␛[22m turns, and with it everything else ␛[2m│␛[22m 1790
            ␛[2m│␛[22m in the house                       ␛[2m│␛[22m
      ␛[1mrace␛[22m  ␛[2m│␛[22m brings ␛[36mwater␛[39m                       ␛[2m│␛[22m 1790

      ␛[2m────────────────────────────────────────␛[22m

      <b>not read</b> <but this>"
    `);
  });

  test('a table that does not fit at all is told cell by cell', () => {
    const table = '| a | b | c | d |\n|-|-|-|-|\n| one | two | three | four is long |\n| 1 | 2 | 3 | 4 |';
    expect(plain.render(table, 20)).toEqual([
      'a: one',
      'b: two',
      'c: three',
      'd: four is long',
      '',
      'a: 1',
      'b: 2',
      'c: 3',
      'd: 4',
    ]);
  });

  test('a column stands where the table says: figures at the right', () => {
    const table = '| what | USD | so |\n|---|---:|:-:|\n| tests | 1.25 | ok |\n| docs | 12.50 | never |';
    expect(plain.render(table, 60)).toEqual([
      'what  │   USD │  so',
      '──────┼───────┼──────',
      'tests │  1.25 │  ok',
      'docs  │ 12.50 │ never',
    ]);
  });

  test.each(['note', 'more than one word', 'https://example.org/'])('a note at the foot is text: %s', (note) => {
    const rows = coloured.render(`It is so[^1].\n\n[^1]: ${note}`, 60).join('\n');
    expect(rows).toContain('so[^1].');
    expect(rows).toContain('[^1]: ');
    expect(rows).toContain(note);
  });

  const part = fc.constantFrom(
    '[^1] ',
    '\n\n[^1]: note\n\n',
    'word ',
    '**',
    '*',
    '_',
    '`',
    '```\n',
    '# ',
    '- ',
    '1. ',
    '> ',
    '| a | b |\n|-|-|\n',
    '[x](y)',
    '![',
    '](',
    '\n',
    '\n\n',
    '    ',
    '日本 ',
    '👍',
    '~~',
    '---\n',
    '<a>',
    '&amp;',
    'https://example.org/x ',
    '\\',
    'averylongwordthathasnoplacetobreakanywhere ',
  );

  test('the language of a code block is cut by columns, not by characters', () => {
    const [row = ''] = plain.render(`~~~${'a'.repeat(12)} 日本語日本語\ncode\n~~~\n`, 20);
    expect(widthOf(row)).toBeLessThanOrEqual(20);
  });

  test('no row is wider than it may be, whatever is written', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.integer({ min: 20, max: 120 }), (parts, columns) => {
        for (const row of [...plain.render(parts.join(''), columns), ...coloured.render(parts.join(''), columns)])
          expect(widthOf(row), row).toBeLessThanOrEqual(columns);
      }),
      { numRuns: counts.runs },
    );
  });

  test('[T-26] what is made to be slow, or to nest without end, is neither', () => {
    const worst = [
      '*a ',
      '[',
      '`',
      '![](',
      '> ',
      '- ',
      '**a_ ',
      '<a ',
      '|a',
      '\\*',
      '&#',
      '~~a',
      '_a_*',
      '[a](b',
      '# ',
    ].map((one) => one.repeat(8_192 / one.length));
    for (const text of worst) {
      const start = process.cpuUsage();
      plain.render(text, 80);
      const { user, system } = process.cpuUsage(start);
      // A hundred times what it takes: something that grows with the square would take minutes.
      expect((user + system) / 1_000, text.slice(0, 10)).toBeLessThan(5_000);
    }
  });
});
