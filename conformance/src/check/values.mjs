// Small words about values that all checks share.
import { createHash } from 'node:crypto';

/** A value as part of a sentence. */
export const show = (value) => (JSON.stringify(value) ?? 'nothing').slice(0, 100);

export const sameAmount = (left, right) => Math.abs((left ?? 0) - (right ?? 0)) <= 1e-9;

/** How often each item comes. */
export function countEach(items) {
  const counts = new Map();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** The ground truth tells a long text by its hash. */
export function sameText(text, wanted) {
  if (!wanted?.$long_string) return text === wanted;
  return (
    typeof text === 'string' &&
    createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex') === wanted.sha256_of_utf8
  );
}

export const parsed = (text) => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};
