import type { Command } from '../command.ts';
import { completionScript, type Shell } from '../completion/scripts.ts';
import { commandWords } from '../completion/words.ts';
import { UsageError } from '../failure.ts';
import { settings } from '../history/config.ts';
import { writeOut } from '../input/write.ts';

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

/** `tailrace completion SHELL`: a script that lets the shell complete what is typed. */
export const command: Command = async (words) => {
  const shell = SHELLS.find((one) => one === words[0]);
  if (!shell || words.length > 1) throw new UsageError(`for which shell? tailrace completion ${SHELLS.join('|')}`);
  await writeOut(completionScript(shell, commandWords(Object.keys(settings))));
  return 0;
};
