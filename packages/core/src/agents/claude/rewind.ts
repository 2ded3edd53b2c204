// How Claude Code is taken back to an earlier prompt, as 2.1.325 does it. It keeps copies of what its edit tools change, and can be
// asked for them in a later process too: no prompt is needed for that, but the variable in both processes, and the folder in
// which the session was begun (in another it would write there). The line of a prompt names the one before it, which is where
// the conversation is cut.

import { asObject, asText } from '../../event/json.ts';
import type { AgentRewind } from '../agent.ts';
import type { TranscriptLine } from '../dialects/claude/wire.ts';
import { command } from './command.ts';

export const rewind: AgentRewind = {
  command({ sessionId, resumeAt }) {
    const usual = command({ prompt: '', resume: sessionId, resumeAt, checkpoints: true, partial: false });
    return { ...usual, args: [...usual.args, ...ALONE], stdin: '' };
  },
  before(line, checkpoint) {
    const { uuid, type, parentUuid } = asObject<TranscriptLine>(line) ?? {};
    return uuid === checkpoint && type === 'user' ? (asText(parentUuid) ?? null) : undefined;
  },
};

/** Nothing is written into the session's file, no server is started and no hook is run: nobody speaks here. */
const ALONE: readonly string[] = [
  '--no-session-persistence',
  '--strict-mcp-config',
  `--settings=${JSON.stringify({ disableAllHooks: true })}`,
];

export function resume(sessionId: string): readonly string[] {
  return ['claude', '--resume', sessionId];
}
