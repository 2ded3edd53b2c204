// How pi is started. It reads the prompt from stdin: as an argument, one that begins with `@` would be a file.

import type { AgentCommand, StartOptions } from '../agent.ts';

/** pi asks for no permission, so there is none to give. */
export function command({ prompt, model, resume }: StartOptions): AgentCommand {
  return {
    program: 'pi',
    args: [
      '--mode',
      'json',
      // These take the next argument whatever it looks like, and know no `=`.
      ...(model === undefined ? [] : ['--model', model]),
      ...(resume === undefined ? [] : ['--session', resume]),
    ],
    stdin: prompt,
    signals: 'process',
  };
}
