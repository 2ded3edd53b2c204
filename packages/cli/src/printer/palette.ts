// The few styles the printer has. Colour only where somebody looks at it: a terminal, and no NO_COLOR. Amber means that somebody
// is waited for, and nothing else.

/** Styles can be put together: `Style.bold | Style.code`. */
export const Style = {
  none: 0,
  bold: 1,
  dim: 2,
  italic: 4,
  underline: 8,
  strike: 16,
  good: 32,
  bad: 64,
  waiting: 128,
  code: 256,
} as const;

export interface Palette {
  /** Whether there are colours; without them, marks have to do. */
  readonly isColoured: boolean;
  /** A text in all styles of a sum of them. Never around a text that has styles of its own. */
  paint(style: number, text: string): string;
  dim(text: string): string;
  bold(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  waiting(text: string): string;
}

/** What switches each style on and off, in the order of their numbers. */
const CODES: readonly (readonly [on: number, off: number])[] = [
  [1, 22],
  [2, 22],
  [3, 23],
  [4, 24],
  [9, 29],
  [32, 39],
  [31, 39],
  [33, 39],
  [36, 39],
];

export function createPalette(wanted?: boolean): Palette {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const isColoured =
    wanted ?? (NO_COLOR ? false : FORCE_COLOR ? FORCE_COLOR !== '0' : process.stdout.isTTY === true && TERM !== 'dumb');
  const marks: [on: string, off: string][] = [];

  function marksOf(style: number): readonly [on: string, off: string] {
    const known = marks[style];
    if (known) return known;
    const codes = CODES.filter((_, at) => style & (1 << at));
    const off = [...new Set(codes.map(([, code]) => code))];
    const made: [string, string] = [`\u001b[${codes.map(([on]) => on).join(';')}m`, `\u001b[${off.join(';')}m`];
    marks[style] = made;
    return made;
  }

  function paint(style: number, text: string): string {
    if (!isColoured || style === Style.none || text === '') return text;
    const [on, off] = marksOf(style);
    return on + text + off;
  }

  const style = (one: number) => (text: string) => paint(one, text);
  return {
    isColoured,
    paint,
    dim: style(Style.dim),
    bold: style(Style.bold),
    good: style(Style.good),
    bad: style(Style.bad),
    waiting: style(Style.waiting),
  };
}
