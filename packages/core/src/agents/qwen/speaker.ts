import type { Speaker } from '../dialects/claude/speaker.ts';
import { readExit } from './exit.ts';
import { createListener } from './listen.ts';
import { effectOf, readResult, traitsOf } from './tools.ts';

export const speaker: Speaker = {
  agent: 'qwen',
  versionField: 'qwen_code_version',
  questionTool: 'ask_user_question',
  resultUsage: 'all',
  traitsOf,
  effectOf,
  createListener,
  readResult,
  readExit,
};
