// How Qwen Code is started. A prompt that begins with a dash is only safe joined to its flag.

import type { AgentCommand, StartOptions } from '../agent.ts';

export function command({ prompt, model, resume, approveAll }: StartOptions): AgentCommand {
  return {
    program: 'qwen',
    args: [
      '--output-format=stream-json',
      '--include-partial-messages',
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(resume === undefined ? [] : [`--resume=${resume}`]),
      ...(approveAll ? ['--approval-mode=yolo'] : []),
      `--prompt=${prompt}`,
    ],
    signals: 'process',
  };
}
