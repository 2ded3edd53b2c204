/** Words as a person may paste them into a POSIX shell: each stays one word and means nothing else. Only for showing; nothing here runs a shell. */
export function quoteWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
