import type { Speaker } from '../dialects/claude/speaker.ts';
import { readExit } from '../exit.ts';
import { effectOf, traitsOf } from './tools.ts';

/** Claude speaks its own dialect: there is nothing to translate into it. */
export const speaker: Speaker = {
  agent: 'claude',
  versionField: 'claude_code_version',
  questionTool: 'AskUserQuestion',
  resultUsage: 'main',
  traitsOf,
  effectOf,
  readExit,
};
