// How OpenCode is started.

import type { AgentCommand, StartOptions } from '../agent.ts';

export function command({ prompt, model, resume, approveAll }: StartOptions): AgentCommand {
  return {
    program: 'opencode',
    args: [
      'run',
      '--format=json',
      // Else it keeps its reasoning to itself.
      '--thinking',
      ...(approveAll ? ['--auto'] : []),
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(resume === undefined ? [] : [`--session=${resume}`]),
    ],
    // As an argument a prompt of several words would be put into quotation marks.
    stdin: prompt,
    signals: 'process',
  };
}
