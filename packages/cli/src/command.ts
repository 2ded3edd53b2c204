/** A sub-command: takes the words after its name, gives the exit code. */
export type Command = (words: readonly string[]) => Promise<number>;
