import { type Agent, defineAgent } from '../agent.ts';
import { readExit } from '../exit.ts';
import { command } from './command.ts';
import { detect } from './detect.ts';
import { createTranslator } from './translate.ts';

/** Kimi Code, as it prints with `-p … --output-format stream-json`. */
export const kimi: Agent = defineAgent({
  name: 'kimi',
  title: 'Kimi Code',
  shows: ['todos', 'subagents', 'retries'],
  detect,
  createTranslator,
  command,
  readExit,
});
