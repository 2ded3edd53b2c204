import { type Agent, defineAgent } from '../agent.ts';
import { createTranslator } from '../dialects/claude/translate.ts';
import { readExit } from '../exit.ts';
import { command, takes } from './command.ts';
import { detect } from './detect.ts';
import { folderCode } from './folder-code.ts';
import { input } from './input.ts';
import { transcripts } from './layout.ts';
import { speaker } from './speaker.ts';

/** Claude Code, as it prints with `--output-format stream-json` and as it keeps its sessions on disk. */
export const claude: Agent = defineAgent({
  name: 'claude',
  title: 'Claude Code',
  shows: [
    'partial_text',
    'partial_reasoning',
    'reasoning',
    'running_calls',
    'file_changes',
    'todos',
    'subagents',
    'subagent_work',
    'denials',
    'retries',
    'usage',
    'step_usage',
    'cost',
  ],
  detect,
  createTranslator: (about) => createTranslator(speaker, about),
  install: 'npm install -g @anthropic-ai/claude-code',
  takes,
  command,
  input,
  folderCode,
  readExit,
  transcripts,
});
