// Text → prose and code. Fences as CommonMark has them: three or more backticks or tildes, up to three blanks before them, closed
// by at least as many of the same. A fence that nobody has closed holds the rest: that is how code streams in.

/** A piece of a text. */
export type Segment =
  | { readonly type: 'prose'; readonly text: string }
  | { readonly type: 'code'; readonly language: string; readonly code: string; readonly isClosed: boolean };

interface Fence {
  readonly indent: number;
  readonly mark: string;
  readonly length: number;
  /** What follows the marks on their line. */
  readonly info: string;
}

/** The pieces of a text in order. Blank prose between fences is left out. Takes time in proportion to the text. */
export function segmentsOf(text: string): readonly Segment[] {
  const segments: Segment[] = [];
  let open: Fence | undefined;
  /** Where the piece that is being read begins. */
  let start = 0;
  // The line break before a fence belongs to the fence.
  const pieceUntil = (end: number): string => text.slice(start, Math.max(start, end));

  function addProse(prose: string): void {
    if (prose.trim() !== '') segments.push({ type: 'prose', text: prose });
  }

  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf('\n', at);
    const end = feed < 0 ? text.length : feed;
    const fence = fenceIn(text, at, end);
    if (fence && open && closes(fence, open)) {
      segments.push(codeOf(pieceUntil(at - 1), open, true));
      open = undefined;
      start = end + 1;
    } else if (fence && !open && opens(fence)) {
      addProse(pieceUntil(at - 1));
      open = fence;
      start = end + 1;
    }
    at = end + 1;
  }
  if (open) segments.push(codeOf(pieceUntil(text.length), open, false));
  else addProse(pieceUntil(text.length));
  return segments;
}

function codeOf(piece: string, fence: Fence, isClosed: boolean): Segment {
  const code = fence.indent === 0 ? piece : outdented(piece, fence.indent);
  return { type: 'code', language: fence.info.split(' ', 1)[0] ?? '', code, isClosed };
}

/** As many blanks are not part of the code as stand before the fence. */
function outdented(code: string, indent: number): string {
  const blanks = (line: string): number => {
    let count = 0;
    while (count < indent && line[count] === ' ') count++;
    return count;
  };
  return code
    .split('\n')
    .map((line) => line.slice(blanks(line)))
    .join('\n');
}

/** The fence on a line, if it begins with one. */
function fenceIn(text: string, from: number, end: number): Fence | undefined {
  let at = from;
  while (at < end && at - from < 3 && text[at] === ' ') at++;
  const indent = at - from;
  const mark = text[at];
  if (mark !== '`' && mark !== '~') return undefined;
  const first = at;
  while (at < end && text[at] === mark) at++;
  if (at - first < 3) return undefined;
  return { indent, mark, length: at - first, info: text.slice(at, end).trim() };
}

/** After backticks there may be no other: it would be code within a line. */
function opens(fence: Fence): boolean {
  return fence.mark === '~' || !fence.info.includes('`');
}

function closes(fence: Fence, open: Fence): boolean {
  return fence.mark === open.mark && fence.length >= open.length && fence.info === '';
}
