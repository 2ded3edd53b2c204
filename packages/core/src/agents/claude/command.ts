// How Claude Code is started: with the prompt as a message on stdin, so that none is ever taken for a flag, and printed again when
// it is taken up, since only then it has an id to go back to.

import type { AgentCommand, StartOption, StartOptions } from '../agent.ts';
import { promptLine } from './input.ts';

export const takes: readonly StartOption[] = [
  'promptId',
  'fork',
  'resumeAt',
  'sessionId',
  'permissionMode',
  'allow',
  'deny',
  'maxTurns',
  'maxBudgetUsd',
  'mcpConfig',
  'addDirs',
  'forbid',
  'partial',
  'asks',
  'checkpoints',
];

export function command(options: StartOptions): AgentCommand {
  const { prompt, promptId, partial = true, asks, checkpoints, approveAll, permissionMode } = options;
  return {
    program: 'claude',
    args: [
      '--print',
      '--input-format=stream-json',
      '--output-format=stream-json',
      '--verbose',
      '--replay-user-messages',
      ...(partial ? ['--include-partial-messages'] : []),
      ...(asks ? ['--permission-prompt-tool=stdio'] : []),
      ...flag('model', options.model),
      ...flag('resume', options.resume),
      ...(options.fork ? ['--fork-session'] : []),
      ...flag('resume-session-at', options.resumeAt),
      ...flag('session-id', options.sessionId),
      ...flag('permission-mode', approveAll ? 'bypassPermissions' : permissionMode),
      ...flags('allowedTools', options.allow),
      ...flags('disallowedTools', options.deny),
      ...flag('max-turns', options.maxTurns),
      ...flag('max-budget-usd', options.maxBudgetUsd),
      ...flags('mcp-config', options.mcpConfig),
      ...flags('add-dir', options.addDirs),
      ...flag('settings', settingsOf(options)),
    ],
    stdin: promptLine(prompt, promptId),
    ...(checkpoints && { env: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1' } }),
    unset: IDENTITY,
    signals: 'process',
  };
}

/**
 * What a run gives the programs it starts (2.1.325, seen in its shells, hooks and servers): one inside another would take itself
 * for a part of it. The last line are names that no run of ours has shown.
 */
const IDENTITY: readonly string[] = [
  ...['AI_AGENT', 'CLAUDECODE', 'CLAUDE_EFFORT', 'CLAUDE_ENV_FILE', 'CLAUDE_PID', 'CLAUDE_PROJECT_DIR'],
  ...['CLAUDE_CODE_CHILD_SESSION', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_EXECPATH', 'CLAUDE_CODE_MESSAGING_SOCKET'],
  ...['CLAUDE_CODE_MESSAGING_TOKEN', 'CLAUDE_CODE_SESSION_ATTENDED', 'CLAUDE_CODE_SESSION_ID'],
  ...[
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_CODE_TOOL_USE_ID',
    'CLAUDE_PLUGIN_ROOT',
    'CLAUDE_PLUGIN_DATA',
    'CLAUDE_SKILL_DIR',
  ],
];

function flag(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

function flags(name: string, values: readonly string[] | undefined): readonly string[] {
  return (values ?? []).flatMap((value) => flag(name, value));
}

/** Rules that no setting of a project can take back. An absolute path begins with two slashes there. */
function settingsOf({ forbid }: StartOptions): string | undefined {
  if (!forbid || forbid.length === 0) return undefined;
  const deny = forbid.flatMap((folder) => ['Read', 'Edit'].map((tool) => `${tool}(/${literal(folder)}/**)`));
  return JSON.stringify({ permissions: { deny } });
}

/** A path as a pattern that means it and nothing else. */
function literal(path: string): string {
  return path.replaceAll(/[\\[\]{}*?!]/g, '\\$&');
}
