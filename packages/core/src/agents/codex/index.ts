import { type Agent, defineAgent } from '../agent.ts';
import { command } from './command.ts';
import { detect } from './detect.ts';
import { readExit } from './exit.ts';
import { createTranslator } from './translate.ts';

/** Codex, as it prints with `exec --json`. */
export const codex: Agent = defineAgent({
  name: 'codex',
  title: 'Codex',
  shows: ['reasoning', 'running_calls', 'file_changes', 'todos', 'subagents', 'retries', 'usage'],
  detect,
  createTranslator,
  command,
  readExit,
});
