// Grok's messages → neutral events. It has two formats; the first message that one of them knows tells which.

import { asObject, type Json } from '../../event/json.ts';
import type { Translator } from '../agent.ts';
import { createTranslator as createDialectTranslator } from '../dialects/claude/translate.ts';
import { speaker } from './messages.ts';
import { createUpdatesTranslator, isUpdate } from './updates.ts';

/** The types of `streaming-messages-json`, none of which `streaming-json` has. */
const MESSAGE_TYPES: ReadonlySet<Json> = new Set(['system', 'stream_event', 'assistant', 'user', 'result']);

export function createTranslator(): Translator {
  let chosen: Translator | undefined;

  function choose(type: Json): Translator | undefined {
    if (MESSAGE_TYPES.has(type)) return createDialectTranslator(speaker);
    return isUpdate(type) ? createUpdatesTranslator() : undefined;
  }

  return {
    translate(message, out) {
      chosen ??= choose(asObject<{ type: string }>(message)?.type);
      // What neither knows chooses nothing.
      (chosen ?? createUpdatesTranslator()).translate(message, out);
    },
    end(exit, out) {
      chosen ??= createUpdatesTranslator();
      chosen.end(exit, out);
    },
  };
}
