// What waits for an approval is shown whole and as it is: whatever cannot be seen is written out.

const HIDDEN =
  // Controls but the line feed and the tab; what turns the direction of writing; what takes no room; tags; the empty Hangul letters.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

/** The text with a mark such as `\u{202e}` for each character that hides. */
export function reveal(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** An input for people: each field with its whole value, texts line by line. */
export function showInput(input: unknown): readonly string[] {
  if (typeof input === 'string') return reveal(input).split('\n');
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return jsonLines(input);
  const fields = Object.entries(input);
  return fields.flatMap(([name, value]) => {
    const rows = typeof value === 'string' ? reveal(value).split('\n') : jsonLines(value);
    const label = `${reveal(name)}: `;
    return rows.length === 1 ? [`${label}${rows[0]}`] : [label.trimEnd(), ...rows.map((row) => `  ${row}`)];
  });
}

function jsonLines(value: unknown): readonly string[] {
  return reveal(JSON.stringify(value, null, 2) ?? '').split('\n');
}
