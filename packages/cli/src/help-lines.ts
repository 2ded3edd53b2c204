// A page of help as wide as the terminal: what belongs together is joined, and broken between words. What is told of an option stays
// in its column, and a command of an example can still be copied.

/** Nobody likes to read longer lines. */
const WIDEST = 100;
const NARROWEST = 40;
/** A line that begins further in goes on with the one before. */
const CONTINUED = 8;
/** Behind the name of an option at least so much room is left. */
const LEAST_ROOM = 24;

interface Entry {
  text: string;
  /** Where its further lines begin. */
  readonly hang: number;
  readonly kind: 'prose' | 'entry' | 'command' | 'blank';
}

/** The page in lines of at most so many columns, unless a single word is longer. */
export function wrapHelp(page: string, columns: number): string {
  const most = Math.max(NARROWEST, Math.min(columns, WIDEST));
  return entriesOf(page)
    .flatMap((entry) => broken(entry, most))
    .join('\n');
}

function entriesOf(page: string): readonly Entry[] {
  const entries: Entry[] = [];
  let isExample = false;
  let isUsage = true; // the lines at the head tell how it is called
  for (const line of page.split('\n')) {
    const indent = line.length - line.trimStart().length;
    const last = entries.at(-1);
    if (line === '') {
      isUsage = false;
      entries.push({ text: '', hang: 0, kind: 'blank' });
    } else if (isExample && indent > 0) entries.push({ text: line, hang: 4, kind: 'command' });
    else if (last?.kind === 'entry' && indent >= CONTINUED) last.text += ` ${line.trim()}`;
    else if (isUsage || indent > 0) entries.push({ text: line, hang: isUsage ? 4 : columnOf(line), kind: 'entry' });
    else if (last?.kind === 'prose') last.text += ` ${line}`;
    else {
      isExample = line === 'Example' || line === 'Examples';
      entries.push({ text: line, hang: 0, kind: isExample ? 'entry' : 'prose' });
    }
  }
  return entries;
}

/** Where the second column of a line begins. */
function columnOf(line: string): number {
  const gap = line.indexOf('  ', 2);
  if (gap < 0) return 4;
  const rest = line.slice(gap);
  return gap + rest.length - rest.trimStart().length;
}

function broken({ text, hang, kind }: Entry, columns: number): readonly string[] {
  const rows: string[] = [];
  const further = columns - hang < LEAST_ROOM ? 4 : hang;
  // A shell reads on behind a backslash.
  const end = kind === 'command' ? ' \\' : '';
  let rest = text;
  while (rest.length > columns) {
    const from = rows.length === 0 ? firstColumn(text, hang) : further;
    const at = breakBefore(kind === 'command' ? quoted(rest) : rest, from, columns - end.length);
    if (at < 0) break;
    rows.push(rest.slice(0, at).trimEnd() + end);
    rest = ' '.repeat(further) + rest.slice(at).trimStart();
  }
  return [...rows, rest];
}

/** The name of an option is not broken, nor what stands before its second column. */
function firstColumn(text: string, hang: number): number {
  return text.slice(0, hang).trimEnd().length < hang ? hang : text.length - text.trimStart().length;
}

/** The same without blanks between quotation marks: a word of a shell is not broken. */
function quoted(text: string): string {
  let mark = '';
  let out = '';
  for (const character of text) {
    if (mark === '' && (character === '"' || character === "'")) mark = character;
    else if (character === mark) mark = '';
    out += mark !== '' && character === ' ' ? '_' : character;
  }
  return out;
}

/** The last blank up to that column, else the first one behind it; none: -1. */
function breakBefore(text: string, from: number, columns: number): number {
  const before = text.lastIndexOf(' ', columns);
  return before > from ? before : text.indexOf(' ', Math.max(from, columns));
}
