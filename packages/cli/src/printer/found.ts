// What a call found, in a word or two for its card: how many files and matches, how many results, how large a page or an image is.
// A search tells it in lines that most agents write alike; of anything else nothing is said.

import type { ContentPart, ToolKind } from '@tailrace/core';

/** `src/a.ts:12:the line`, or only how many there are in the file. */
const MATCH = /^([^\s:][^:\n]{0,400}):(\d{1,7})(?:$|[:-])/;
const PATH = /^[^\s:*?"<>|{}][^:*?"<>|{}\n]{0,400}$/;
/** Words around what was found. */
const AROUND = /^(?:Found \d|\(|\[|--$)/;
const NOTHING = /^no (matches|files|results)\b/i;

/** More than that is not gone through. */
const LONGEST = 1_000_000;

export function foundText(kind: ToolKind, content: readonly ContentPart[]): string {
  const [first] = content;
  if (first === undefined) return '';
  if (kind === 'read') return imageText(content);
  if (kind !== 'search' && kind !== 'fetch') return '';
  if (content.every(({ type }) => type === 'resource')) return counted(content.length, 'result');
  if (first.type !== 'text' || first.text === '') return '';
  return kind === 'fetch' ? sizeText(Buffer.byteLength(first.text)) : searchText(first.text);
}

function searchText(text: string): string {
  if (text.length > LONGEST) return '';
  const nothing = NOTHING.exec(text)?.[1];
  if (nothing !== undefined) return `no ${nothing.toLowerCase()}`;
  const files = new Set<string>();
  let matches = 0;
  for (const row of text.split('\n')) {
    if (row.trim() === '' || AROUND.test(row)) continue;
    const [all, path, number] = MATCH.exec(row) ?? [];
    if (path !== undefined) {
      files.add(path);
      matches += all === row && row.endsWith(`:${number}`) ? Number(number) : 1;
    } else if (isPath(row)) files.add(row);
    else return '';
  }
  if (files.size === 0) return '';
  const places = counted(files.size, 'file');
  if (matches === 0) return places;
  const found = matches === 1 ? '1 match' : `${matches} matches`;
  return files.size === 1 ? found : `${found} in ${places}`;
}

/** A line of words is no file. */
function isPath(row: string): boolean {
  return PATH.test(row) && (row.includes('/') || /\.\w{1,10}$/.test(row)) && !/\s\w+\s/.test(row);
}

function imageText(content: readonly ContentPart[]): string {
  const image = content.find((part) => part.type === 'image');
  if (image?.type !== 'image') return '';
  const size = image.data === undefined ? '' : sizeText(Math.floor((image.data.length * 3) / 4));
  return [image.mediaType.replace('image/', ''), size].filter(Boolean).join(', ');
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
