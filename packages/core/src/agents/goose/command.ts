// How goose is started. It reads the prompt from stdin.

import type { AgentCommand, StartOptions } from '../agent.ts';

export function command({ prompt, model, resume, approveAll }: StartOptions): AgentCommand {
  return {
    program: 'goose',
    args: [
      'run',
      '--quiet',
      '--output-format',
      'stream-json',
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(resume === undefined ? [] : ['--resume', `--session-id=${resume}`]),
      '--instructions=-',
    ],
    stdin: prompt,
    // There is no flag for it.
    ...(approveAll && { env: { GOOSE_MODE: 'auto' } }),
    signals: 'process',
  };
}
