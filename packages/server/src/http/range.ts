// `Range: bytes=…`, as far as it is used: one range. Of several, or of what is not understood, the whole is sent, as RFC 9110 allows.

export interface ByteRange {
  readonly start: number;
  /** Behind the last byte. */
  readonly end: number;
}

/** The bytes that are asked for; nothing for all of them; `none` when there are none there. */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') return last === '0' || size === 0 ? 'none' : { start: Math.max(0, size - Number(last)), end: size };
  const start = Number(first);
  const end = last === '' ? size : Math.min(size, Number(last) + 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'none' : { start, end };
}
