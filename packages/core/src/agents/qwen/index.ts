import { type Agent, defineAgent } from '../agent.ts';
import { createTranslator } from '../dialects/claude/translate.ts';
import { command } from './command.ts';
import { detect } from './detect.ts';
import { readExit } from './exit.ts';
import { speaker } from './speaker.ts';

/** Qwen Code, as it prints with `--output-format stream-json`. */
export const qwen: Agent = defineAgent({
  name: 'qwen',
  title: 'Qwen Code',
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
  ],
  detect,
  createTranslator: () => createTranslator(speaker),
  command,
  readExit,
});
