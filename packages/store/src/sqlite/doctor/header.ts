// The first 100 bytes of a database: without them SQLite does not even begin. They are nearly the same in every store.

import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

const HEADER_BYTES = 100;
const PAGE_COUNT = 28;
const FREE_PAGES = 32;

/** Gives a copy whose header is damaged that of another store, so that what lies behind it can be looked at. */
export function mendHeader(copy: string, whole: string): void {
  const target = openSync(copy, 'r+');
  const source = openSync(whole, 'r');
  try {
    const [own, header] = [Buffer.alloc(HEADER_BYTES), Buffer.alloc(HEADER_BYTES)];
    readSync(target, own, 0, HEADER_BYTES, 0);
    readSync(source, header, 0, HEADER_BYTES, 0);
    if (own.subarray(0, 18).equals(header.subarray(0, 18))) return;
    const pageBytes = header.readUInt16BE(16);
    header.writeUInt32BE(Math.ceil(fstatSync(target).size / pageBytes), PAGE_COUNT);
    // Where free pages lie is not known, and nothing will be written.
    header.fill(0, FREE_PAGES, FREE_PAGES + 8);
    writeSync(target, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(target);
    closeSync(source);
  }
}
