import type { Json } from '../../event/json.ts';
import { type Agent, defineAgent, type Translator } from '../agent.ts';
import { createTranslator } from '../dialects/claude/translate.ts';
import { readExit } from '../exit.ts';
import { command, takes } from './command.ts';
import { detect } from './detect.ts';
import { folderCode } from './folder-code.ts';
import { hooks } from './hooks/settings.ts';
import { createHookTranslator, isHookPayload } from './hooks/translate.ts';
import { input } from './input.ts';
import { transcripts } from './layout.ts';
import { resume, rewind } from './rewind.ts';
import { speaker } from './speaker.ts';

/** Claude Code, as it prints with `--output-format stream-json` and as it keeps its sessions on disk. */
export const claude: Agent = defineAgent({
  name: 'claude',
  title: 'Claude Code',
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
    'cost',
  ],
  detect,
  createTranslator: createAnyTranslator,
  install: 'npm install -g @anthropic-ai/claude-code',
  takes,
  command,
  input,
  rewind,
  resume,
  folderCode,
  hooks,
  readExit,
  transcripts,
});

/** What the hooks tell is a stream of its own, and so is what is printed: the first line says which of them it is. */
function createAnyTranslator(about?: Json): Translator {
  let chosen: Translator | undefined;
  return {
    skim: (line, out) => chosen?.skim?.(line, out) ?? false,
    translate(message, out) {
      chosen ??=
        out.source === 'hook' || isHookPayload(message) ? createHookTranslator() : createTranslator(speaker, about);
      chosen.translate(message, out);
    },
    host: (line) => chosen?.host?.(line),
    end(exit, out) {
      chosen ??= createTranslator(speaker, about);
      chosen.end(exit, out);
    },
  };
}
