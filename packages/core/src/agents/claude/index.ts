import { type Agent, defineAgent } from '../agent.ts';
import { detect } from './detect.ts';
import { createTranslator } from './translate.ts';

/** Claude Code, as it prints with `--output-format stream-json`. */
export const claude: Agent = defineAgent({ name: 'claude', detect, createTranslator });
