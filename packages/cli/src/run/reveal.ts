// What waits for an approval is shown whole and as it is: whatever cannot be seen is written out (T-19, T-20).

/** Controls, what turns the direction of writing, what takes no room, halves of characters, and the two odd line ends. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Surrogate}\p{Zl}\p{Zp}]/gu;

/** The text with a mark such as `\u{202e}` for each character that hides. Line feeds and tabs are what they seem. */
export function reveal(text: string): string {
  return text.replace(HIDDEN, (character) =>
    character === '\n' || character === '\t' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** The same for what has to stay on one line: a name that goes on in the next could pass for a line of ours. */
export function revealLine(text: string): string {
  return reveal(text).replaceAll('\n', '\\n');
}

/** As many empty lines are shown as they are; more of them could push the beginning off the screen. */
const MOST_EMPTY = 3;

/** Line by line, with long gaps told in words. */
function linesOf(text: string): readonly string[] {
  const rows: string[] = [];
  let empty = 0;
  for (const row of [...reveal(text).split('\n'), undefined]) {
    if (row !== undefined && row.trim() === '') {
      empty++;
      continue;
    }
    if (empty > MOST_EMPTY) rows.push(`(${empty} empty lines)`);
    else rows.push(...Array.from({ length: empty }, () => ''));
    empty = 0;
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** An input for people: each field with its whole value, texts line by line. */
export function showInput(input: unknown): readonly string[] {
  if (typeof input === 'string') return linesOf(input);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return jsonLines(input);
  return Object.entries(input).flatMap(([name, value]) => {
    const rows = typeof value === 'string' ? linesOf(value) : jsonLines(value);
    const label = `${revealLine(name)}:`;
    return rows.length < 2 ? [`${label} ${rows[0] ?? ''}`] : [label, ...rows.map((row) => `  ${row}`)];
  });
}

function jsonLines(value: unknown): readonly string[] {
  return reveal(JSON.stringify(value, null, 2) ?? '').split('\n');
}
