// What most scenarios share: how the program is called.
const output = ['--output-format', 'stream-json', '--verbose'];

/** One prompt on the command line. */
export const once = (prompt, ...more) => ['-p', prompt, ...output, ...more];

/** Prompts and answers over stdin. */
export const listening = (...more) => ['-p', ...output, '--input-format', 'stream-json', ...more];

export const partial = '--include-partial-messages';
export const asking = ['--permission-prompt-tool', 'stdio'];
export const editing = ['--permission-mode', 'acceptEdits'];
export const shell = ['--allowedTools', 'Bash'];

// A shell command that says that it runs and waits for the file `go`. It ends by itself when its folder is gone, or after half a minute.
export const waiting =
  'touch begun; for n in $(seq 300); do [ -e begun ] && [ ! -e go ] || break; sleep 0.1; done; echo over';
