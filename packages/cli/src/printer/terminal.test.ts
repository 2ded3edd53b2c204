// Nothing that came from an agent steers the terminal (T-18) or hides in it (T-19): seen through a headless one.

import headless from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { eventsOf, names, prose } from '../../test/fields.ts';
import { anySequence, knownSequences } from '../../test/sequences.ts';
import { createMarkdown } from './markdown.ts';
import { createPalette } from './palette.ts';
import { createPrinter } from './printer.ts';
import { createRegion } from './region.ts';
import { createSignals } from './signals.ts';

const ways = { ...prose, ...names };
const COLUMNS = 80;

/** Only our own styles, and line feeds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const STYLES = /\u001b\[(?:1|2|3|4|9|22|23|24|29|31|32|33|36|39)(?:;(?:1|2|3|4|9|22|23|24|29|31|32|33|36|39))*m/g;
/** Back to where the rows begin that are drawn anew. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const REDRAWN = /\r(?:\u001b\[K|(?:\u001b\[\d+A)?\u001b\[J\u001b\[A\u001b\[K)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

function shown(way: (text: string) => Parameters<typeof eventsOf>[0], text: string, isColoured = true): string {
  const palette = createPalette(isColoured);
  const printer = createPrinter(palette, {
    markdown: createMarkdown(palette),
    columns: COLUMNS,
    full: text.length % 2 === 0,
  });
  return (
    eventsOf(way(text))
      .map((event) => printer.print(event))
      .join('') + printer.close()
  );
}

/** A terminal that takes note of whatever is not text, a line feed or a style. */
function createWitness() {
  const terminal = new headless.Terminal({
    cols: COLUMNS,
    rows: 24,
    scrollback: 200_000,
    allowProposedApi: true,
    convertEol: true,
  });
  const seen: string[] = [];
  const note = (what: string) => (): boolean => {
    seen.push(what);
    return true;
  };
  for (const prefix of ['', '?', '>', '=']) {
    for (let code = 0x40; code <= 0x7e; code++) {
      const final = String.fromCharCode(code);
      if (prefix === '' && final === 'm') continue;
      terminal.parser.registerCsiHandler({ ...(prefix && { prefix }), final }, note(`CSI ${prefix}${final}`));
    }
  }
  for (const id of [0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 52, 104, 133, 777, 1337])
    terminal.parser.registerOscHandler(id, note(`OSC ${id}`));
  for (const final of 'cDEHM78=>NOZ') terminal.parser.registerEscHandler({ final }, note(`ESC ${final}`));
  for (const intermediates of '()*+#% ')
    for (const final of '0B8@GF3')
      terminal.parser.registerEscHandler({ intermediates, final }, note(`ESC ${intermediates}${final}`));
  terminal.onTitleChange(note('a title'));
  terminal.onBell(note('a bell'));
  return {
    terminal,
    seen,
    write: (text: string): Promise<void> => new Promise((resolve) => terminal.write(text, resolve)),
  };
}

type Witness = ReturnType<typeof createWitness>;

/** Modes, buffer, region and charset are as in a new terminal: seen by what a few letters do. */
async function expectUntouched({ terminal, seen, write }: Witness): Promise<void> {
  expect(seen).toEqual([]);
  expect(terminal.buffer.active.type).toBe('normal');
  expect(terminal.modes).toEqual(createWitness().terminal.modes);
  const { baseY, cursorY } = terminal.buffer.active;
  expect(terminal.buffer.active.cursorX).toBe(0);
  await write('lqk\nxyz\n');
  expect(terminal.buffer.active.baseY + terminal.buffer.active.cursorY).toBe(baseY + cursorY + 2);
  expect(terminal.buffer.active.getLine(baseY + cursorY)?.translateToString(true)).toBe('lqk');
}

describe('[T-18] what an agent prints does not steer the terminal', () => {
  test('[T-18] there are more than 100 known sequences', () => {
    expect(new Set(knownSequences).size).toBeGreaterThan(100);
  });

  test.each(Object.entries(ways))('[T-18] known sequences in %s', async (_name, way) => {
    const witness = createWitness();
    const outs: string[] = [];
    for (const sequence of knownSequences) {
      for (const text of [sequence, `a${sequence}b **${sequence}x** \`${sequence}\`\n\n${sequence}`]) {
        const out = shown(way, text);
        expect(out.replaceAll(STYLES, '')).not.toMatch(CONTROLS);
        outs.push(out);
      }
    }
    await witness.write(outs.join(''));
    await expectUntouched(witness);
  });

  test(`[T-18] random sequences, cut over pieces, in any field`, async () => {
    const outs: string[] = [];
    fc.assert(
      fc.property(anySequence, fc.constantFrom(...Object.values(ways)), (text, way) => {
        const out = shown(way, text);
        expect(out.replaceAll(STYLES, '')).not.toMatch(CONTROLS);
        outs.push(out);
      }),
      { numRuns: counts.terminalSequences },
    );
    const witness = createWitness();
    await witness.write(outs.join(''));
    await expectUntouched(witness);
  });

  test('[T-18] [T-28] no character that is written as a number becomes one', () => {
    const way = prose['an answer'] ?? (() => []);
    for (const written of [
      '&#27;',
      '&#x1b;',
      '&#155;',
      '&#8238;',
      '[a&#27;](b&#27; "c&#27;")',
      '![&#27;](&#27;)',
      '# &#27;',
      '|&#27;|\n|-|\n|&#27;|',
    ])
      expect(shown(way, written, false)).toContain('&#');
  });

  test('[T-18] what is drawn below has nothing of it either', () => {
    let out = '';
    const output = { columns: COLUMNS, rows: 24, write: (text: string) => (out += text) };
    const palette = createPalette(true);
    for (const way of Object.values(ways)) {
      for (const sequence of knownSequences) {
        const printer = createPrinter(palette, { markdown: createMarkdown(palette), columns: COLUMNS, now: () => 0 });
        const region = createRegion(output, true, palette.dim);
        for (const event of eventsOf(way(sequence)).slice(0, -1)) {
          const text = printer.print(event) + printer.flush();
          region.live(printer.live());
          region.status('working', text);
        }
        region.close();
      }
    }
    // Up, clear below, and our own styles.
    expect(out.replaceAll(STYLES, '').replaceAll(REDRAWN, '')).not.toMatch(CONTROLS);
  });

  test('[T-18] a title, a progress and a call say what we say, and are taken back', async () => {
    for (const sequence of knownSequences) {
      const terminal = new headless.Terminal({
        allowProposedApi: true,
        windowOptions: { pushTitle: true, popTitle: true },
      });
      const titles: string[] = [];
      terminal.onTitleChange((title) => titles.push(title));
      let out = '\u001b]2;before\u001b\\';
      const signals = createSignals((text) => (out += text), { TERM: 'xterm-256color', TERM_PROGRAM: 'ghostty' });
      signals.title(`a${sequence}b\nc`);
      signals.progress({ phase: 'waiting', percentage: 40, basis: 'measured', toolCalls: 0 });
      signals.call(`x${sequence}y`);
      signals.close();
      await new Promise<void>((resolve) => terminal.write(out, resolve));
      expect([titles[0], titles.at(-1)]).toEqual(['before', 'before']);
      expect(titles[1]?.startsWith('a')).toBe(true);
      // What we write ourselves: two for titles, two of progress, one call with its bell, and the stack.
      const strings = out.split('\u001b]').length - 1;
      expect([strings, terminal.buffer.active.cursorX, terminal.buffer.active.cursorY]).toEqual([5, 0, 0]);
      terminal.dispose();
    }
  });
});

describe('[T-19] what hides in a name is written out', () => {
  const hidden = [
    ...range(0x00, 0x08),
    ...range(0x0b, 0x1f),
    ...range(0x7f, 0x9f),
    0xad,
    0x034f,
    0x061c,
    0x115f,
    0x1160,
    0x17b4,
    0x17b5,
    0x180e,
    ...range(0x200b, 0x200f),
    ...range(0x2028, 0x202e),
    ...range(0x2060, 0x206f),
    0x3164,
    0xfe00,
    0xfe0f,
    0xfeff,
    0xffa0,
    ...range(0xfff9, 0xfffb),
    0xe0001,
    ...range(0xe0020, 0xe007f),
    0xe0100,
  ];

  test.each([
    'a tool',
    'a command',
    'a path',
    'a path that changed',
    'a new file',
    'a patch',
    'a todo',
    'a permission',
    'a question',
  ])('[T-19] each code point in %s', (name) => {
    const way = names[name];
    if (!way) throw new Error(`no way "${name}"`);
    for (const code of hidden) {
      const character = String.fromCodePoint(code);
      const out = shown(way, `x${character}y`, false);
      // What belongs to the line is not hidden in it.
      if (name.startsWith('a patch') && code === 0x0d) continue;
      expect(out, code.toString(16)).toContain(`\\u{${code.toString(16)}}`);
      expect(out.includes(character), code.toString(16)).toBe(false);
    }
  });

  test('[T-19] in prose, what turns the text is written out, and what joins letters and emoji is not', () => {
    const way = prose['an answer'];
    if (!way) throw new Error('no answer');
    for (const code of [...range(0x202a, 0x202e), ...range(0x2066, 0x2069), 0x2028, 0x2029, 0xe0041])
      expect(shown(way, `x${String.fromCodePoint(code)}y`, false)).toContain(`\\u{${code.toString(16)}}`);
    for (const text of ['👩‍👩‍👧', 'می‌خواهم', '❤️', '‏שלום‎']) expect(shown(way, text, false)).toContain(text);
  });
});

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
