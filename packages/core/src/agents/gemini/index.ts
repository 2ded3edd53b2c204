import { type Agent, defineAgent } from '../agent.ts';
import { command } from './command.ts';
import { detect } from './detect.ts';
import { readExit } from './exit.ts';
import { createTranslator } from './translate.ts';

/** Gemini CLI, as it prints with `--output-format stream-json`. */
export const gemini: Agent = defineAgent({
  name: 'gemini',
  title: 'Gemini CLI',
  shows: ['partial_text', 'running_calls', 'file_changes', 'todos', 'subagents', 'denials', 'usage'],
  detect,
  createTranslator,
  command,
  readExit,
});
