// How Claude Code is started: with the prompt on stdin, so that none is ever taken for a flag.

import type { AgentCommand, StartOptions } from '../agent.ts';

export function command({ prompt, model, resume, approveAll }: StartOptions): AgentCommand {
  return {
    program: 'claude',
    args: [
      '--print',
      '--output-format=stream-json',
      '--include-partial-messages',
      '--verbose',
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(resume === undefined ? [] : [`--resume=${resume}`]),
      ...(approveAll ? ['--permission-mode=bypassPermissions'] : []),
    ],
    stdin: prompt,
    // A run inside another would take itself for a part of it.
    unset: ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SSE_PORT'],
    signals: 'process',
  };
}
