import { createHash } from 'node:crypto';

const limit = 4000;

/** Long strings are told by length and hash, so that the ground truth stays readable. */
export function shortened(value) {
  if (typeof value === 'string') {
    if (value.length <= limit) return value;
    const bytes = Buffer.from(value, 'utf8');
    return {
      $long_string: true,
      utf16_length: value.length,
      utf8_bytes: bytes.length,
      sha256_of_utf8: createHash('sha256').update(bytes).digest('hex'),
      head: value.slice(0, 60),
    };
  }
  if (Array.isArray(value)) return value.map(shortened);
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
  return value;
}
