// What can be said to a session from here, and why not.

import type { Command, SessionInfo } from '@tailrace/protocol';

export type ComposerMode =
  /** To the run that goes on. */
  | { readonly kind: 'send'; readonly runId: string }
  /** By a new run, which goes on with the session or with a copy of it. */
  | { readonly kind: 'start'; readonly project: string; readonly agent: string }
  | { readonly kind: 'none'; readonly reason: string };

export function composerMode({
  live,
  projectId,
  agent,
}: Pick<SessionInfo, 'live' | 'projectId' | 'agent'>): ComposerMode {
  if (live && live.state !== 'ended') {
    if (!live.isOurs) return none('It runs in a terminal of its own. Type there.');
    if (live.state === 'starting') return none('It is starting. You can send a message in a moment.');
    if (live.state === 'finishing') return none('It is finishing. You can go on with it afterwards.');
    if (live.state === 'waiting') return none('It waits for your answer. Answer that first.');
    return { kind: 'send', runId: live.runId };
  }
  if (projectId === null) return none('Nobody knows in which folder it ran, so it cannot be resumed from here.');
  return { kind: 'start', project: projectId, agent };
}

/** Where a new run goes on from. */
export interface GoOnFrom {
  readonly resume?: string | undefined;
  readonly resumeAt?: string | undefined;
  /** In a copy of the session. */
  readonly fork?: boolean | undefined;
  /** The digest of what the folder brings, where the person saw it and said yes. */
  readonly trust?: string | undefined;
}

/** The command that says a text: to the run that goes on, or by a new one. */
export function sayCommand(mode: Exclude<ComposerMode, { kind: 'none' }>, text: string, from: GoOnFrom = {}): Command {
  if (mode.kind === 'send') return { action: 'send', runId: mode.runId, text };
  return { action: 'start', project: mode.project, agent: mode.agent, prompt: text, isConversation: true, ...from };
}

function none(reason: string): ComposerMode {
  return { kind: 'none', reason };
}
