/** How near a name is to what was typed: 0 is the same, 1 begins with it, 2 is anything else. Nothing typed is near to none. */
export function distance(name: string, words: string): 0 | 1 | 2 {
  const small = words.toLowerCase();
  if (small === '' || !name.toLowerCase().startsWith(small)) return 2;
  return name.length === small.length ? 0 : 1;
}

/** Whether a name has all of the words, each at the beginning of one of its own. */
export function fits(name: string, words: string): boolean {
  const own = name.toLowerCase().split(/\s+/);
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => own.some((one) => one.startsWith(word)));
}
