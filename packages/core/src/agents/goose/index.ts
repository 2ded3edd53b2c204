import { type Agent, defineAgent } from '../agent.ts';
import { readExit } from '../exit.ts';
import { command } from './command.ts';
import { detect } from './detect.ts';
import { createTranslator } from './translate.ts';

/** goose, as it prints with `run --output-format stream-json`. */
export const goose: Agent = defineAgent({
  name: 'goose',
  title: 'goose',
  shows: ['partial_text', 'reasoning', 'running_calls', 'call_output', 'file_changes', 'subagents', 'usage'],
  detect,
  createTranslator,
  command,
  readExit,
});
