// Output of a command as a terminal would leave it: without colours, and of a line that was written over, what was written last.

/** What begins with an escape (a control sequence, a string, a short one), or with the one character that stands for `ESC [`. */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g;

export function withoutAnsi(output: string): string {
  const text = output.replace(SEQUENCE, '').replaceAll('\r\n', '\n');
  return text.includes('\r') ? text.split('\n').map(lastWritten).join('\n') : text;
}

/** Of `10 %\r20 %\r` the last that has anything in it. */
function lastWritten(line: string): string {
  const writings = line.split('\r').filter((writing) => writing !== '');
  return writings.at(-1) ?? '';
}
