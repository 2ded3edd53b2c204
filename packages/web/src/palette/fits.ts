/** Whether a name has all of the words, each at the beginning of one of its own. */
export function fits(name: string, words: string): boolean {
  const own = name.toLowerCase().split(/\s+/);
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => own.some((one) => one.startsWith(word)));
}
