// How Kimi Code is started.

import type { AgentCommand, StartOptions } from '../agent.ts';

/** Nobody is asked with `--prompt`, and the flags that approve everything are refused beside it. */
export function command({ prompt, model, resume }: StartOptions): AgentCommand {
  return {
    program: 'kimi',
    args: [
      '--output-format',
      'stream-json',
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(resume === undefined ? [] : [`--resume=${resume}`]),
      `--prompt=${prompt}`,
    ],
    signals: 'process',
  };
}
