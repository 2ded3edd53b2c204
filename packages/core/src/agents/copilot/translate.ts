// Copilot's messages → neutral events, by their type. What it calls a turn is a step here; a turn is a prompt until the main thread
// is idle. The session has a name only in the last line.

import { asObject, asText } from '../../event/json.ts';
import type { Translator } from '../agent.ts';
import { readExit } from '../exit.ts';
import { Narrator } from '../narrator/narrator.ts';
import { timeOf } from '../time.ts';
import { callHandlers } from './calls.ts';
import { hostHandlers } from './host.ts';
import { KEPT, QUIET } from './known.ts';
import { messageHandlers } from './messages.ts';
import { factsOf, sessionHandlers } from './session.ts';
import { createState, enterThread, type Handler } from './state.ts';
import { taskHandlers } from './tasks.ts';
import type { CopilotLine, Data } from './wire.ts';

/** Lines that are said by the main thread or by a sub-agent. */
const threadHandlers: ReadonlyMap<string, Handler> = new Map([...messageHandlers, ...callHandlers, ...hostHandlers]);
/** Lines about the session and about sub-agents. */
const wholeHandlers: ReadonlyMap<string, Handler> = new Map([...sessionHandlers, ...taskHandlers]);

export function isKnown(type: string): boolean {
  return threadHandlers.has(type) || wholeHandlers.has(type) || QUIET.has(type) || KEPT.has(type);
}

export function createTranslator(): Translator {
  const narrator: Narrator = new Narrator({
    agent: 'copilot',
    readExit(exit, seen) {
      const isContradicted = state.failed && seen.ending?.outcome === 'success';
      return readExit(exit, isContradicted ? { ...seen, ending: { outcome: 'error', error: state.failed } } : seen);
    },
  });
  const state = createState(narrator);

  return {
    translate(message, out) {
      const line = asObject<CopilotLine>(message);
      const type = asText(line?.type);
      const data = asObject<Data>(line?.data) ?? {};
      out.time = timeOf(line?.timestamp);
      out.lineId = asText(line?.id);
      if (!line || type === undefined || !isKnown(type)) {
        narrator.begin(out);
        return narrator.keepUnknown(message);
      }
      if (type === 'result' || type === 'session.start')
        out.sessionId = asText(line.sessionId) ?? asText(data.sessionId) ?? out.sessionId;
      narrator.begin(out, factsOf(data, line));
      if (KEPT.has(type)) return narrator.keep(message, type);
      const handler = threadHandlers.get(type);
      if (handler) enterThread(state, data, line);
      (handler ?? wholeHandlers.get(type))?.(state, data, line);
    },
    end: (exit, out) => narrator.end(exit, out),
  };
}
