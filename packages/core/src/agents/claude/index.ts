import { type Agent, defineAgent } from '../agent.ts';
import { detect } from './detect.ts';
import { transcripts } from './layout.ts';
import { createTranslator } from './translate.ts';

/** Claude Code, as it prints with `--output-format stream-json` and as it keeps its sessions on disk. */
export const claude: Agent = defineAgent({ name: 'claude', detect, createTranslator, transcripts });
