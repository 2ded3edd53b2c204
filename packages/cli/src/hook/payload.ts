// A payload as a line of the spool. What is JSON stays as it came, byte for byte: numbers keep all their digits.

/** Of what is no payload, or too long for one, this much is kept. */
const PREVIEW_BYTES = 200;

/** The longest payload that is kept whole: as long as the longest line that is read anywhere. */
export const LONGEST_PAYLOAD: number = 64 * 1024 * 1024;

/** What came on stdin. */
export interface Received {
  /** Nothing beyond {@link LONGEST_PAYLOAD}. */
  readonly bytes: Buffer;
  /** How much there was in all, as far as anybody waited. */
  readonly size: number;
  readonly isWhole: boolean;
}

/** The line for the spool, or nothing when nothing came. */
export function lineOf({ bytes, size, isWhole }: Received, at: number): Buffer | undefined {
  if (size === 0) return undefined;
  const text = size > bytes.length ? undefined : bytes.toString('utf8').replace(/^\uFEFF/, '');
  // What can be read as JSON is whole, though nobody may have closed the pipe; but a number could go on.
  const isPayload = text !== undefined && (isWhole || /^\s*\{/.test(text)) && isJson(text);
  if (text === undefined || (!isWhole && !isPayload)) {
    const beginning = bytes.toString('utf8', 0, PREVIEW_BYTES);
    return Buffer.from(`${JSON.stringify({ at, bytes: size, text: beginning })}\n`);
  }
  if (!isPayload) return Buffer.from(`${JSON.stringify({ at, text })}\n`);
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return Buffer.concat([Buffer.from(`{"at":${at},"payload":`), onOneLine(bytes.subarray(start)), Buffer.from('}\n')]);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Line ends stand only between the words of JSON, never within a string: a space says the same. */
function onOneLine(json: Buffer): Buffer {
  const line = Buffer.from(json);
  for (const end of [0x0a, 0x0d])
    for (let place = line.indexOf(end); place >= 0; place = line.indexOf(end, place + 1)) line[place] = 0x20;
  return line;
}
