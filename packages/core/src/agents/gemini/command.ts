// How Gemini CLI is started. Not by stdin: it waits half a second for it and then does without.

import type { AgentCommand, StartOptions } from '../agent.ts';

export function command({ prompt, model, resume, approveAll }: StartOptions): AgentCommand {
  return {
    program: 'gemini',
    args: [
      '--output-format',
      'stream-json',
      ...(approveAll ? ['--approval-mode=yolo'] : []),
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(resume === undefined ? [] : [`--resume=${resume}`]),
      `--prompt=${prompt}`,
    ],
    // In a folder that it does not trust it would not start, and approve nothing by itself.
    ...(approveAll && { env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } }),
    // It starts itself again, and the first of the two does not hand signals on.
    signals: 'group',
  };
}
