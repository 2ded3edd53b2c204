import headless from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { createRegion, type Region } from './region.ts';

const dim = (text: string): string => text;

function onScreen(act: (region: Region) => void, isLive = true): string {
  let out = '';
  act(createRegion({ columns: 20, rows: 10, write: (text) => (out += text) }, isLive, dim));
  return out;
}

/** A terminal that is written to as a region would. */
function createStage(columns: number, rows: number) {
  const terminal = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    allowProposedApi: true,
    convertEol: true,
  });
  let pending = Promise.resolve();
  const output = {
    columns,
    rows,
    write(text: string): void {
      pending = pending.then(() => new Promise<void>((resolve) => terminal.write(text, resolve)));
    },
  };
  return {
    output,
    region: createRegion(output, true, dim),
    async resize(width: number): Promise<void> {
      await pending;
      terminal.resize(width, rows);
      output.columns = width;
    },
    /** All rows that have text, rows that the terminal broke joined. */
    async lines(): Promise<readonly string[]> {
      await pending;
      const { active } = terminal.buffer;
      const lines: string[] = [];
      for (let at = 0; at < active.length; at++) {
        const line = active.getLine(at);
        const text = line?.translateToString(true) ?? '';
        if (line?.isWrapped) lines[lines.length - 1] += text;
        else lines.push(text);
      }
      while (lines.at(-1) === '') lines.pop();
      return lines;
    },
  };
}

test('a text that has no end yet is not wiped out by a question', () => {
  const out = onScreen((region) => {
    region.write('half a sentence');
    region.hold();
  });
  expect(out).toBe('half a sentence\n');
});

test('what comes while somebody is asked comes out afterwards, in its order', () => {
  const out = onScreen((region) => {
    region.hold();
    region.write('one\n');
    region.write('two\n');
    region.release();
    region.write('three\n');
  });
  expect(out).toBe('one\ntwo\nthree\n');
});

test('the last line is dim, unless it is painted otherwise', () => {
  const out = onScreen((region) => {
    region.status('working');
    region.status('waiting for you', '', (text) => `<${text}>`);
    region.status('working');
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what goes back to the beginning of the line
  expect(out.split(/\r\u001b\[K/)).toEqual(['working', '<waiting for you>', 'working']);
});

test('a pipe gets nothing that is drawn anew', () => {
  const out = onScreen((region) => {
    region.live(['running']);
    region.status('working');
    region.write('text\n');
    region.close();
  }, false);
  expect(out).toBe('text\n');
});

describe('on a terminal', () => {
  test('what is below follows what is printed, and is gone at the end', async () => {
    const { region, lines } = createStage(30, 10);
    region.live(['… Bash  npm test', '… Read  a.txt']);
    region.status('working');
    expect(await lines()).toEqual(['… Bash  npm test', '… Read  a.txt', 'working']);
    region.live(['… Bash  npm test']);
    region.write('✓ Read  a.txt\n');
    expect(await lines()).toEqual(['✓ Read  a.txt', '… Bash  npm test', 'working']);
    region.close();
    expect(await lines()).toEqual(['✓ Read  a.txt']);
  });

  test('the last line is never wider than the terminal', async () => {
    const { region, lines } = createStage(20, 10);
    region.status('working: a tool with a very long name');
    region.write('text\n');
    expect(await lines()).toEqual(['text', 'working: a tool wi…']);
  });

  test('more rows than there is room for: the newest are shown, and what was printed stands', async () => {
    const { region, lines } = createStage(30, 6);
    region.write('first\nsecond\n');
    region.live(Array.from({ length: 20 }, (_, at) => `row ${at}`));
    region.status('working');
    expect(await lines()).toEqual(['first', 'second', 'row 17', 'row 18', 'row 19', 'working']);
    region.close();
    expect(await lines()).toEqual(['first', 'second']);
  });

  test('a window that becomes narrower and wider again keeps what was printed', async () => {
    const { region, lines, resize } = createStage(40, 12);
    region.write('a line that stands for good\n');
    region.live(['a row that is nearly as wide as this']);
    region.status('working');
    await resize(20);
    region.live(['a narrow row']);
    region.status('working');
    expect(await lines()).toEqual(['a line that stands for good', 'a narrow row', 'working']);
    await resize(60);
    region.write('more\n');
    expect(await lines()).toEqual(['a line that stands for good', 'more', 'a narrow row', 'working']);
  });

  const step = fc.oneof(
    fc.record({
      write: fc.array(fc.string({ minLength: 1, maxLength: 25 }).map(plain), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ live: fc.array(fc.string({ minLength: 1, maxLength: 25 }).map(plain), { maxLength: 12 }) }),
    fc.record({ status: fc.string({ maxLength: 40 }).map((text) => plain(text)) }),
  );

  test('whatever is drawn, what was printed stands in its order and once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.integer({ min: 3, max: 12 }), async (steps, rows) => {
        const { region, lines } = createStage(26, rows);
        const printed: string[] = [];
        for (const one of steps) {
          if ('write' in one) {
            printed.push(...one.write);
            region.write(one.write.map((line) => `${line}\n`).join(''));
          } else if ('live' in one) region.live(one.live);
          else region.status(one.status);
        }
        region.close();
        expect(await lines()).toEqual(printed);
      }),
      { numRuns: Math.ceil(counts.runs / 3) },
    );
  });
});

/** Letters that a row can be told by. */
function plain(text: string): string {
  return `x${text.replaceAll(/[^a-z]/gi, '_').slice(0, 24)}`;
}
