// Grok's messages → neutral events. It has two formats; the first message tells which of them it prints.

import { asObject, type Json } from '../../event/json.ts';
import type { Translator } from '../agent.ts';
import { createTranslator as createDialectTranslator } from '../dialects/claude/translate.ts';
import { speaker } from './messages.ts';
import { createUpdatesTranslator } from './updates.ts';

/** The types of `streaming-messages-json`, none of which `streaming-json` has. */
const MESSAGE_TYPES: ReadonlySet<Json> = new Set(['system', 'stream_event', 'assistant', 'user', 'result']);

export function createTranslator(): Translator {
  let chosen: Translator | undefined;

  function choose(message: Json): Translator {
    const isMessage = MESSAGE_TYPES.has(asObject<{ type: string }>(message)?.type);
    return isMessage ? createDialectTranslator(speaker) : createUpdatesTranslator();
  }

  return {
    translate(message, out) {
      chosen ??= choose(message);
      chosen.translate(message, out);
    },
    end(exit, out) {
      chosen ??= createUpdatesTranslator();
      chosen.end(exit, out);
    },
  };
}
