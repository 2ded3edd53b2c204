// The one place where events get their number and what belongs to their line.

import type { EventWriter, LineSource } from './agents/agent.ts';
import type { EventDraft } from './event/draft.ts';
import type { AgentStreamEvent } from './event/event.ts';
import type { Json } from './event/json.ts';
import type { ChangeJoiner } from './host/files.ts';

/**
 * An {@link EventWriter} that the decoder drives: it says which line is at hand and takes the events.
 * A class, not a closure: its fields are set for every line, and an object with accessors makes each of them ten times as slow.
 */
export class EventCollector implements EventWriter {
  line = 0;
  at: number | undefined = undefined;
  source: LineSource = 'stdout';
  started = false;
  sessionId: string | undefined = undefined;
  lineId: string | undefined = undefined;
  time: number | undefined = undefined;
  subagentId: string | undefined = undefined;
  /** Joins what tools report with what was seen on disk, where anybody looked. */
  joiner: ChangeJoiner | undefined = undefined;
  /** The next event carries this message. */
  native: Json = undefined;
  private seq = 0;
  private events: AgentStreamEvent[] = [];

  begin(line: number, at: number | undefined, source: LineSource): void {
    this.line = line;
    this.at = at;
    this.source = source;
    this.lineId = undefined;
    this.time = undefined;
    this.subagentId = undefined;
    this.native = undefined;
  }

  write(said: EventDraft): void {
    const draft = this.joiner ? this.joiner.pass(said, this.subagentId) : said;
    this.put(draft);
  }

  /** What the joiner still has to tell, in the name of whoever did it. */
  private readonly tell = (draft: EventDraft, subagentId: string | undefined): void => {
    const before = this.subagentId;
    this.subagentId = subagentId;
    this.put(draft);
    this.subagentId = before;
  };

  /** A line is over. */
  settle(): void {
    this.joiner?.settle(this.tell);
  }

  /** The stream is over: what was held back comes out. */
  finish(): void {
    this.joiner?.finish(this.tell);
  }

  private put(draft: EventDraft): void {
    if (draft.type === 'session-start') this.started = true;
    const event = this.base(draft.type);
    const fields: Readonly<Record<string, unknown>> = draft;
    for (const key in fields) {
      const value = fields[key];
      if (value !== undefined) event[key] = value;
    }
    if (this.lineId !== undefined && hasNoId(draft.type)) event['lineId'] = this.lineId;
    if (this.native !== undefined) {
      event['native'] = this.native;
      this.native = undefined;
    }
    // The draft has every field its type asks for; the loop above only left out what is undefined.
    this.events.push(event as unknown as AgentStreamEvent);
  }

  /** What every event begins with. One literal for each usual case: adding fields one by one to a smaller one costs more. */
  private base(type: string): Record<string, unknown> {
    const { line, at, time, sessionId, subagentId } = this;
    if (line > 0 && at === undefined && sessionId !== undefined && subagentId === undefined) {
      return time === undefined
        ? { type, seq: this.seq++, line, sessionId }
        : { type, seq: this.seq++, line, time, sessionId };
    }
    const event: Record<string, unknown> = { type, seq: this.seq++ };
    if (line > 0) event['line'] = line;
    if (at !== undefined) event['at'] = at;
    if (time !== undefined) event['time'] = time;
    if (sessionId !== undefined) event['sessionId'] = sessionId;
    if (subagentId !== undefined) event['subagentId'] = subagentId;
    return event;
  }

  writeDelta(type: 'text-delta' | 'reasoning-delta', messageId: string, blockId: string, delta: string): void {
    const { line, at, sessionId } = this;
    const isPlain = this.time === undefined && this.subagentId === undefined && this.native === undefined;
    if (!isPlain || sessionId === undefined) this.write({ type, messageId, blockId, delta });
    else if (at === undefined) this.events.push({ type, seq: this.seq++, line, sessionId, messageId, blockId, delta });
    else this.events.push({ type, seq: this.seq++, line, at, sessionId, messageId, blockId, delta });
  }

  take(): AgentStreamEvent[] {
    const taken = this.events;
    this.events = [];
    return taken;
  }
}

function hasNoId(type: EventDraft['type']): boolean {
  return type === 'notice' || type === 'error' || type === 'compaction-end' || type === 'raw';
}
