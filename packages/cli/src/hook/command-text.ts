// A program with its arguments as one text, for those who will give it to a shell: an agent starts its hooks so.

/** The words, each quoted so that a shell takes it for one word and nothing else. */
export function commandText(words: readonly string[], platform: NodeJS.Platform): string {
  const quote = platform === 'win32' ? quoteForWindows : quoteForPosix;
  return words.map((word) => (/^[a-z]+$/.test(word) ? word : quote(word))).join(' ');
}

function quoteForPosix(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** It may be cmd, PowerShell or a bash that reads it there: slashes and double quotes mean the same to all of them. */
function quoteForWindows(word: string): string {
  if (/["%$`!]/.test(word)) throw new Error(`a path with one of " % $ \` ! cannot be hooked: ${word}`);
  return `"${word.replaceAll('\\', '/')}"`;
}
