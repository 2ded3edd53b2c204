// The one place where events get their number and what belongs to their line.

import type { EventWriter, LineSource } from './agents/agent.ts';
import type { EventDraft } from './event/draft.ts';
import type { AgentStreamEvent } from './event/event.ts';
import type { Json } from './event/json.ts';

/** An {@link EventWriter} that the decoder drives: it says which line is at hand and takes the events. */
export interface EventCollector extends EventWriter {
  begin(line: number, at: number | undefined, source: LineSource): void;
  /** The next event carries this message. */
  attach(message: Json): void;
  take(): AgentStreamEvent[];
}

export function createCollector(): EventCollector {
  let events: AgentStreamEvent[] = [];
  let seq = 0;
  let line = 0;
  let at: number | undefined;
  let source: LineSource = 'stdout';
  let started = false;
  let sessionId: string | undefined;
  let time: number | undefined;
  let subagentId: string | undefined;
  let native: Json;

  function write(draft: EventDraft): void {
    if (draft.type === 'session-start') started = true;
    // A null prototype is not wanted here: events are compared, cloned and printed like any object. The keys are ours.
    const event: Record<string, unknown> = { type: draft.type, seq: seq++, line };
    if (at !== undefined) event['at'] = at;
    if (time !== undefined) event['time'] = time;
    if (sessionId !== undefined) event['sessionId'] = sessionId;
    if (subagentId !== undefined) event['subagentId'] = subagentId;
    const fields: Readonly<Record<string, unknown>> = draft;
    for (const key in fields) {
      const value = fields[key];
      if (value !== undefined) event[key] = value;
    }
    if (native !== undefined) {
      event['native'] = native;
      native = undefined;
    }
    // The draft has every field its type asks for; the loop above only left out what is undefined.
    events.push(event as unknown as AgentStreamEvent);
  }

  return {
    get line() {
      return line;
    },
    get at() {
      return at;
    },
    get source() {
      return source;
    },
    get started() {
      return started;
    },
    get sessionId() {
      return sessionId;
    },
    set sessionId(id) {
      sessionId = id;
    },
    get time() {
      return time;
    },
    set time(value) {
      time = value;
    },
    get subagentId() {
      return subagentId;
    },
    set subagentId(id) {
      subagentId = id;
    },
    write,
    writeDelta(type, messageId, blockId, delta) {
      const isPlain = at === undefined && time === undefined && subagentId === undefined && native === undefined;
      if (isPlain && sessionId !== undefined) {
        events.push({ type, seq: seq++, line, sessionId, messageId, blockId, delta });
      } else write({ type, messageId, blockId, delta });
    },
    begin(nextLine, nextAt, nextSource) {
      line = nextLine;
      at = nextAt;
      source = nextSource;
      time = undefined;
      subagentId = undefined;
      native = undefined;
    },
    attach(value) {
      native = value;
    },
    take() {
      const taken = events;
      events = [];
      return taken;
    },
  };
}
