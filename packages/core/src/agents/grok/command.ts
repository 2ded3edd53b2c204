// How Grok Build is started.

import type { AgentCommand, StartOptions } from '../agent.ts';

export function command({ prompt, model, resume, approveAll }: StartOptions): AgentCommand {
  return {
    program: 'grok',
    args: [
      '--no-auto-update',
      '--output-format',
      'streaming-json',
      ...(approveAll ? ['--always-approve'] : []),
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(resume === undefined ? [] : [`--resume=${resume}`]),
      // It never reads a prompt from stdin.
      `--single=${prompt}`,
    ],
    signals: 'process',
  };
}
