// Cuts a text that is still being written into whole blocks of Markdown, so that each is laid out once. A block is whole when the
// next one begins: a list goes on over empty lines, a fence up to its end. What never ends is cut where it becomes too long.

export interface BlockCutter {
  /** The blocks that are whole by now. */
  push(piece: string): readonly string[];
  /** What is not whole yet. */
  open(): string;
  /** The rest, as a block or nothing. */
  flush(): readonly string[];
}

/** A block that is longer is cut. Laying one out takes more than linear time when somebody wants it to. */
export const LONGEST_BLOCK = 8_192;

const BLANK = /^[ \t]*$/;
const FENCE = /^( *(?:[-*+] +|\d{1,9}[.)] +)?)(`{3,}|~{3,})/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?: |$)/;
const HEADING = /^ {0,3}#{1,6}(?: |$)/;
const INDENTED = /^(?: {2}|\t)/;

export function createBlockCutter(): BlockCutter {
  /** The lines of the block so far, and the beginning of the next line. */
  let block = '';
  let line = '';
  let isList = false;
  let wasBlank = false;
  let fence: { readonly opener: string; readonly mark: string } | undefined;
  let blocks: string[] = [];

  function endBlock(): void {
    if (!BLANK.test(block.replaceAll('\n', ''))) blocks.push(block);
    block = '';
    isList = false;
    wasBlank = false;
  }

  function addLine(text: string): void {
    if (fence) {
      block += `${text}\n`;
      const rest = text.trimStart();
      if (!rest.startsWith(fence.mark) || !BLANK.test(rest.replaceAll(fence.mark.charAt(0), ''))) return;
      fence = undefined;
      if (!isList) endBlock();
      return;
    }
    if (BLANK.test(text)) {
      if (isList) wasBlank = true;
      else endBlock();
      if (isList) block += '\n';
      return;
    }
    const isItem = ITEM.test(text);
    if (isList && wasBlank && !isItem && !INDENTED.test(text)) endBlock();
    wasBlank = false;
    const [, before = '', mark] = FENCE.exec(text) ?? [];
    const isHeading = HEADING.test(text);
    if ((mark !== undefined || isHeading || isItem) && !isList) endBlock();
    if (isHeading && isList && !INDENTED.test(text)) endBlock();
    if (block === '') isList = isItem;
    block += `${text}\n`;
    if (mark !== undefined) fence = { opener: `${isList ? '' : before}${text.slice(before.length)}`, mark };
    else if (isHeading && !isList) endBlock();
  }

  /** Too long to wait for its end. A fence goes on in the next block. */
  function cutLong(): void {
    if (block.length + line.length <= LONGEST_BLOCK) return;
    const goesOn = fence;
    if (block === '' || line.length > LONGEST_BLOCK) {
      // One line without an end: a word is not cut, unless it is all there is.
      const at = line.lastIndexOf(' ', LONGEST_BLOCK) + 1 || LONGEST_BLOCK;
      block += line.slice(0, at);
      line = line.slice(at);
    }
    const wasList = isList;
    endBlock();
    if (!goesOn) return;
    fence = goesOn;
    block = `${goesOn.opener}\n`;
    isList = wasList && goesOn.opener.startsWith(' ');
  }

  function take(): readonly string[] {
    const taken = blocks;
    blocks = [];
    return taken;
  }

  return {
    push(piece) {
      let from = 0;
      for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', from)) {
        addLine(line + piece.slice(from, end));
        line = '';
        cutLong();
        from = end + 1;
      }
      line += from === 0 ? piece : piece.slice(from);
      while (block.length + line.length > LONGEST_BLOCK && line.length > 0) cutLong();
      return blocks.length === 0 ? blocks : take();
    },
    open: () => block + line,
    flush() {
      if (line !== '') addLine(line);
      line = '';
      fence = undefined;
      if (block !== '') endBlock();
      return take();
    },
  };
}
