// The command that goes on with a session, for a person to paste.

import { agents } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import { resumeCommand } from '@tailrace/runner';
import { cleanText } from '../../printer/clean.ts';

/** Nothing where its agent cannot go on at a terminal, or nobody knows in which folder. */
export function resumeText({ id, agent, cwd }: Pick<SessionInfo, 'id' | 'agent' | 'cwd'>): string | undefined {
  const known = agents.find(({ name }) => name === agent);
  if (!known || cwd === null) return undefined;
  try {
    const text = resumeCommand(known, { sessionId: id, cwd }).interactive?.text;
    // What is pasted into a shell is one line, and says what it says.
    return text === undefined ? undefined : cleanText(text).replaceAll('\n', ' ');
  } catch {
    return undefined;
  }
}
