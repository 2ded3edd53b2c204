// What waits for an approval is shown whole and as it is: whatever cannot be seen is written out (T-19, T-20).

/** Controls, what turns the direction of writing, what takes no room, halves of characters, and the two odd line ends. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Surrogate}\p{Zl}\p{Zp}]/gu;

/** The text with a mark such as `\u{202e}` for each character that hides. Line feeds and tabs are what they seem. */
export function reveal(text: string): string {
  return text.replace(HIDDEN, (character) =>
    character === '\n' || character === '\t' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** An input for people: each field with its whole value, texts line by line. */
export function showInput(input: unknown): readonly string[] {
  if (typeof input === 'string') return reveal(input).split('\n');
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return jsonLines(input);
  return Object.entries(input).flatMap(([name, value]) => {
    const rows = typeof value === 'string' ? reveal(value).split('\n') : jsonLines(value);
    const label = `${reveal(name).replaceAll('\n', '\\n')}:`;
    return rows.length === 1 ? [`${label} ${rows[0]}`] : [label, ...rows.map((row) => `  ${row}`)];
  });
}

function jsonLines(value: unknown): readonly string[] {
  return reveal(JSON.stringify(value, null, 2) ?? '').split('\n');
}
