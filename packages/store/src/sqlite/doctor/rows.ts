// Rows out of the leaf pages of tables, whatever tree they hang on. https://sqlite.org/fileformat2.html#b_tree_pages

import type { Pages } from './pages.ts';

type Value = null | number | string | Buffer;

export interface FoundRow {
  readonly rowid: number;
  readonly values: readonly Value[];
}

/** The rows of a page that can be read; none of a page that is not the leaf of a table. */
export function* rowsOf(pages: Pages, number: number): Generator<FoundRow> {
  const page = pages.page(number);
  // The first page begins with the header of the file.
  const start = number === 1 ? 100 : 0;
  if (page === undefined || page[start] !== LEAF_OF_TABLE) return;
  const cells = page.readUInt16BE(start + 3);
  for (let cell = 0; cell < cells; cell++) {
    const pointer = start + 8 + cell * 2;
    if (pointer + 2 > page.length) return;
    const row = readCell(pages, page, page.readUInt16BE(pointer));
    if (row !== undefined) yield row;
  }
}

const LEAF_OF_TABLE = 13;

function readCell(pages: Pages, page: Buffer, offset: number): FoundRow | undefined {
  const size = readVarint(page, offset);
  const rowid = size && readVarint(page, size.end);
  if (size === undefined || rowid === undefined || size.value > MOST_BYTES) return undefined;
  const payload = readPayload(pages, page, rowid.end, size.value);
  const values = payload && readRecord(payload);
  return values && { rowid: rowid.value, values };
}

/** More than SQLite itself allows: such a number is no size. */
const MOST_BYTES = 1_000_000_000;

/** What does not fit a page goes on in a chain of others. A chain of the wrong length is damaged. */
function readPayload(pages: Pages, page: Buffer, start: number, size: number): Buffer | undefined {
  const usable = pages.pageBytes;
  const most = usable - 35;
  if (size <= most) return start + size <= page.length ? page.subarray(start, start + size) : undefined;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  const local = fitting <= most ? fitting : least;
  if (start + local + 4 > page.length || size > pages.count * usable) return undefined;
  const pieces = [page.subarray(start, start + local)];
  let next = page.readUInt32BE(start + local);
  for (let left = size - local; left > 0; left -= usable - 4) {
    const more = next === 0 || next > pages.count ? undefined : pages.page(next);
    if (more === undefined) return undefined;
    pieces.push(more.subarray(4, 4 + Math.min(left, usable - 4)));
    next = more.readUInt32BE(0);
  }
  return next === 0 ? Buffer.concat(pieces, size) : undefined;
}

function readRecord(payload: Buffer): readonly Value[] | undefined {
  const header = readVarint(payload, 0);
  if (header === undefined || header.value > payload.length) return undefined;
  const values: Value[] = [];
  let at = header.end;
  let body = header.value;
  while (at < header.value) {
    const type = readVarint(payload, at);
    if (type === undefined) return undefined;
    const size = sizeOf(type.value);
    if (size === undefined || body + size > payload.length) return undefined;
    values.push(readValue(payload.subarray(body, body + size), type.value));
    at = type.end;
    body += size;
  }
  return at === header.value && body === payload.length ? values : undefined;
}

const FIXED_SIZES: readonly (number | undefined)[] = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function sizeOf(type: number): number | undefined {
  return type < 12 ? FIXED_SIZES[type] : Math.floor((type - 12) / 2);
}

function readValue(bytes: Buffer, type: number): Value {
  if (type === 0) return null;
  if (type <= 4) return bytes.readIntBE(0, bytes.length);
  if (type === 5) return bytes.readIntBE(0, 6);
  if (type === 6) return Number(bytes.readBigInt64BE(0));
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 8 || type === 9) return type - 8;
  return type % 2 === 0 ? bytes : bytes.toString('utf8');
}

/** A number of one to nine bytes, seven bits in each but the last. */
function readVarint(bytes: Buffer, start: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0n;
  for (let index = 0; index < 9; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) return undefined;
    if (index === 8) value = (value << 8n) | BigInt(byte);
    else value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80 || index === 8) {
      return value > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : { value: Number(value), end: start + index + 1 };
    }
  }
  return undefined;
}
