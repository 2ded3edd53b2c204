// Where Claude Code keeps its sessions: `projects/<project>/<session>.jsonl`, the sub-agents of a session in the folder
// `<session>/subagents` beside it (those of workflows one level deeper). Before 2.1.2 they lay beside the session's own file.

import { asObject, asText } from '../../event/json.ts';
import type { TranscriptLayout } from '../agent.ts';
import type { TranscriptLine } from './wire.ts';

const EXTENSION = '.jsonl';

export const transcripts: TranscriptLayout = {
  folders(sessionFile) {
    if (!sessionFile.endsWith(EXTENSION)) return [];
    return [
      { path: `${sessionFile.slice(0, -EXTENSION.length)}/subagents`, isShared: false },
      { path: folderOf(sessionFile), isShared: true },
    ];
  },
  aboutFile(name) {
    const isSubagent = name.startsWith('agent-') && name.endsWith(EXTENSION);
    return isSubagent ? `${name.slice(0, -EXTENSION.length)}.meta.json` : undefined;
  },
  isOf(message, sessionFile) {
    const session = asText(asObject<TranscriptLine>(message)?.sessionId);
    return session !== undefined && sessionFile.slice(lastSlash(sessionFile) + 1) === `${session}${EXTENSION}`;
  },
};

function folderOf(path: string): string {
  const slash = lastSlash(path);
  return slash < 0 ? '.' : path.slice(0, slash) || '/';
}

function lastSlash(path: string): number {
  return Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
}
