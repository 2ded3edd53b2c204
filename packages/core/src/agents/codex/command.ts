// How Codex is started. The prompt goes to stdin, where it may be of any length.

import type { AgentCommand, StartOptions } from '../agent.ts';

export function command({ prompt, model, resume, approveAll }: StartOptions): AgentCommand {
  return {
    program: 'codex',
    args: [
      'exec',
      ...(resume === undefined ? [] : ['resume']),
      '--json',
      // Outside a repository it asks, and nobody is there to answer.
      '--skip-git-repo-check',
      ...(approveAll ? ['--dangerously-bypass-approvals-and-sandbox'] : []),
      ...(model === undefined ? [] : [`--model=${model}`]),
      '--',
      ...(resume === undefined ? [] : [resume]),
      '-',
    ],
    stdin: prompt,
    signals: 'process',
  };
}
