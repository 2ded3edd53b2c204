import { type Agent, defineAgent } from '../agent.ts';
import { readExit } from '../exit.ts';
import { command } from './command.ts';
import { detect } from './detect.ts';
import { createTranslator } from './translate.ts';

/** OpenCode, as it prints with `run --format json`. */
export const opencode: Agent = defineAgent({
  name: 'opencode',
  title: 'OpenCode',
  shows: ['reasoning', 'file_changes', 'todos', 'subagents', 'denials', 'usage', 'step_usage', 'cost'],
  detect,
  createTranslator,
  command,
  readExit,
});
