import type { Command } from '../command.ts';
import { parseStreamOptions } from '../input/options.ts';
import { openInput } from '../input/session.ts';
import { writeOut } from '../input/write.ts';

/** `tailrace events`: neutral events, one JSON object per line. `--json` is what it prints anyway. */
export const command: Command = async (words) => {
  const options = parseStreamOptions(words, ['json', 'record']);
  let failed = false;
  const input = await openInput(options);
  const { failure } = await input.read((events) => {
    failed = events.some((event) => event.type === 'session-end' && event.outcome !== 'success');
    return writeOut(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  });
  if (failure) throw failure;
  return options.exitStatus && failed ? 1 : 0;
};
