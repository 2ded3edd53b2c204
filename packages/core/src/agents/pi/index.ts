import { type Agent, defineAgent } from '../agent.ts';
import { readExit } from '../exit.ts';
import { command } from './command.ts';
import { detect } from './detect.ts';
import { createTranslator } from './translate.ts';

/** pi, as it prints with `--mode json`. */
export const pi: Agent = defineAgent({
  name: 'pi',
  title: 'pi',
  shows: [
    'partial_text',
    'partial_reasoning',
    'reasoning',
    'running_calls',
    'call_output',
    'retries',
    'file_changes',
    'usage',
    'step_usage',
    'cost',
  ],
  detect,
  createTranslator,
  command,
  readExit,
});
