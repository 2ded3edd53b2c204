// How GitHub Copilot CLI is started.

import type { AgentCommand, StartOptions } from '../agent.ts';

export function command({ prompt, model, resume, approveAll }: StartOptions): AgentCommand {
  return {
    program: 'copilot',
    args: [
      '--output-format=json',
      '--no-color',
      ...(approveAll ? ['--allow-all-tools'] : []),
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(resume === undefined ? [] : [`--resume=${resume}`]),
      // A prompt that begins with a dash is refused unless it is joined to its flag.
      `--prompt=${prompt}`,
    ],
    signals: 'process',
  };
}
