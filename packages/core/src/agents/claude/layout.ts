// Where Claude Code keeps its sessions: `projects/<project>/<session>.jsonl`, the sub-agents of a session in the folder
// `<session>/subagents` beside it (those of workflows one level deeper). Before 2.1.2 they lay beside the session's own file.

import { asObject, asText } from '../../event/json.ts';
import type { TranscriptFile } from '../agent.ts';
import type { CountedTranscripts } from '../counted.ts';
import type { TranscriptLine } from '../dialects/claude/wire.ts';
import { usageLines } from './usage-lines.ts';

const EXTENSION = '.jsonl';
const PACKED = '.gz';
const PREFIX = 'agent-';
const SUBAGENTS = 'subagents';

/** How the CLI names its sessions, and nothing that could be a path. */
const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Names longer than this are cut, and something is added that nobody else can work out. */
const LONGEST_NAME = 200;

export const transcripts: CountedTranscripts = {
  root: { variable: 'CLAUDE_CONFIG_DIR', folder: '.claude' },
  folder: 'projects',
  isSessionId: (text) => SESSION_ID.test(text),
  fileIn,
  usage: usageLines,
  fileOf: (sessionId, cwd) => `projects/${nameOf(cwd)}/${nameOf(sessionId)}${EXTENSION}`,
  folders(sessionFile) {
    const file = unpacked(sessionFile);
    if (!file.endsWith(EXTENSION)) return [];
    return [
      { path: `${file.slice(0, -EXTENSION.length)}/${SUBAGENTS}`, isShared: false },
      { path: folderOf(file), isShared: true },
    ];
  },
  taskOf(name) {
    return this.aboutFile(name) === undefined ? undefined : name.slice(PREFIX.length, -EXTENSION.length);
  },
  describe({ toolCallId, name, description, parentTaskId }) {
    return { toolUseId: toolCallId, agentType: name, description, parentAgentId: parentTaskId };
  },
  aboutFile(name) {
    const isSubagent = name.startsWith(PREFIX) && name.endsWith(EXTENSION);
    return isSubagent ? `${name.slice(0, -EXTENSION.length)}.meta.json` : undefined;
  },
  isOf(message, sessionFile) {
    const session = asText(asObject<TranscriptLine>(message)?.sessionId);
    return (
      session !== undefined && unpacked(sessionFile).slice(lastSlash(sessionFile) + 1) === `${session}${EXTENSION}`
    );
  },
};

/** `PROJECT/SESSION.jsonl`, `PROJECT/agent-TASK.jsonl`, `PROJECT/SESSION/subagents/…/agent-TASK.jsonl`. */
function fileIn(path: string): TranscriptFile | undefined {
  const [project, session = '', folder, ...below] = path.split('/');
  const file = below.at(-1) ?? session;
  if (!project || !file.endsWith(EXTENSION)) return undefined;
  const name = file.slice(0, -EXTENSION.length);
  const taskId = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
  if (folder === undefined) {
    // Before 2.1.2 only the lines said whose sub-agent it was.
    if (taskId) return { taskId };
    return SESSION_ID.test(name) ? { sessionId: name } : undefined;
  }
  return folder === SUBAGENTS && taskId && SESSION_ID.test(session) ? { sessionId: session, taskId } : undefined;
}

/** What the CLI makes of a folder's path; an id stays as it is, and what is none has no slash or dot left. */
function nameOf(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, '-').slice(0, LONGEST_NAME);
}

function unpacked(path: string): string {
  return path.endsWith(PACKED) ? path.slice(0, -PACKED.length) : path;
}

function folderOf(path: string): string {
  const slash = lastSlash(path);
  return slash < 0 ? '.' : path.slice(0, slash) || '/';
}

function lastSlash(path: string): number {
  return Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
}
