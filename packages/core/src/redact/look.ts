import { cutEscape, readEscapes } from './escapes.ts';
import { type Scan, scan } from './scan.ts';

/**
 * Finds what is secret in a text, with its escaped characters taken for what they mean. Places are those of the text as it is written.
 * What begins at `upTo` or behind it may be left out.
 */
export function look(text: string, isWhole: boolean, upTo?: number): Scan {
  const end = isWhole ? text.length : cutEscape(text);
  const written = end === text.length ? text : text.slice(0, end);
  const meant = readEscapes(written);
  if (!meant) return scan(written, isWhole, upTo);
  const { found, open } = scan(meant.text, isWhole);
  return {
    found: found.map(({ kind, start, length }) => {
      const place = meant.place(start);
      return { kind, start: place, length: meant.place(start + length) - place };
    }),
    open: meant.place(open),
  };
}
