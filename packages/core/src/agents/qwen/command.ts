// How Qwen Code is started. It reads the prompt from stdin, however long it is.

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
    ],
    stdin: prompt,
    signals: 'process',
  };
}
