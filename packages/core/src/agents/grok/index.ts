import { type Agent, defineAgent } from '../agent.ts';
import { readExit } from '../exit.ts';
import { command } from './command.ts';
import { detect } from './detect.ts';
import { createTranslator } from './translate.ts';

/** Grok Build, as it prints with `--output-format streaming-json` or `streaming-messages-json`. */
export const grok: Agent = defineAgent({
  name: 'grok',
  title: 'Grok Build',
  shows: [
    'partial_text',
    'partial_reasoning',
    'reasoning',
    'running_calls',
    'call_output',
    'file_changes',
    'todos',
    'subagents',
    'subagent_work',
    'denials',
    'usage',
    'step_usage',
  ],
  detect,
  createTranslator,
  command,
  readExit,
});
