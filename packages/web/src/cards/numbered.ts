// Files are often given to a model with the number before each line. People get the lines, and are told the numbers once.

export interface NumberedText {
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

const NUMBERED = /^\s{0,8}(\d{1,7})(?:\t|→|: |\| )/;

/** The text without its line numbers; nothing where it has none, or where they do not count on by one. */
export function withoutNumbers(text: string): NumberedText | undefined {
  const lines = text.replace(/\n$/, '').split('\n');
  const rows: string[] = [];
  let [first, last]: [number | undefined, number] = [undefined, 0];
  for (const line of lines) {
    const match = NUMBERED.exec(line);
    const number = Number(match?.[1]);
    if (!match || (first !== undefined && number !== last + 1)) return undefined;
    first ??= number;
    last = number;
    rows.push(line.slice(match[0].length));
  }
  return first === undefined ? undefined : { text: rows.join('\n'), first, last };
}
