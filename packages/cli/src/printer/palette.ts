// The few styles the printer has. Colour only where somebody looks at it: a terminal, and no NO_COLOR.

export interface Palette {
  dim(text: string): string;
  bold(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  waiting(text: string): string;
}

export function createPalette(wanted?: boolean): Palette {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const isColoured =
    wanted ?? (NO_COLOR ? false : FORCE_COLOR ? FORCE_COLOR !== '0' : process.stdout.isTTY && TERM !== 'dumb');
  const style = (open: number, close: number) => (text: string) =>
    isColoured && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { dim: style(2, 22), bold: style(1, 22), good: style(32, 39), bad: style(31, 39), waiting: style(33, 39) };
}
