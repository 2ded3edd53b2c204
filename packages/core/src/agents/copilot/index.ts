import { type Agent, defineAgent } from '../agent.ts';
import { readExit } from '../exit.ts';
import { command } from './command.ts';
import { detect } from './detect.ts';
import { createTranslator } from './translate.ts';

/** GitHub Copilot CLI, as it prints with `--output-format json`. */
export const copilot: Agent = defineAgent({
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  shows: [
    'partial_text',
    'partial_reasoning',
    'reasoning',
    'running_calls',
    'call_output',
    'file_changes',
    'subagents',
    'subagent_work',
    'denials',
    'retries',
  ],
  detect,
  createTranslator,
  command,
  readExit,
});
