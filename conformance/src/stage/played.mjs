// One run on the stage, and everything that the runner told about it.
import { until } from './until.mjs';

export class Played {
  events = [];
  states = [];
  rows = [];
  requests = [];
  sessions = [];
  run;
  result;
  #signal;

  constructor(signal) {
    this.#signal = signal;
  }

  get listener() {
    return {
      onEvents: (events) => this.events.push(...events),
      onState: (state) => this.states.push(state),
      onLines: (rows) => this.rows.push(...rows),
      onRequest: (request) => this.requests.push(request),
      onSession: (session) => this.sessions.push(session),
    };
  }

  of(type) {
    return this.events.filter((event) => event.type === type);
  }

  /** The bytes of one source, put together again. */
  bytes(source) {
    return Buffer.concat(this.rows.filter((row) => row.source === source).map((row) => row.bytes));
  }

  /** The lines of one source as values; what is no JSON is left out. */
  lines(source) {
    const whole = this.bytes(source).toString('utf8').split('\n');
    return whole.flatMap((line) => {
      try {
        return line ? [JSON.parse(line)] : [];
      } catch {
        return [];
      }
    });
  }

  until(condition, what) {
    const also = async () => {
      const found = await condition();
      if (!found && this.result) throw new Error(`the run ended before: ${what ?? condition}`);
      return found;
    };
    return until(also, { signal: this.#signal, what: what ?? String(condition) });
  }

  /** The next request of a tool, or for a question, that has not been handed out yet. */
  async asked(name) {
    const fits = (request) => !this.#handed.has(request) && (request.toolName === name || request.type === name);
    const request = await this.until(() => this.requests.find(fits), `a request of ${name}`);
    this.#handed.add(request);
    return request;
  }
  #handed = new Set();

  /** So many turns are over. */
  turns(number) {
    return this.until(() => this.of('turn-end').length >= number, `${number} turns`);
  }

  /** The end of the run; the same at each call. */
  async end() {
    return this.run.ended;
  }

  /** The call of a tool, from its start to its end. */
  call(name) {
    const start = this.of('tool-call-start').find((event) => event.toolName === name);
    const end = start && this.of('tool-call-end').find((event) => event.toolCallId === start.toolCallId);
    return { start, end };
  }

  /** Everything that the model said in the main thread; of what it is still saying, as much as has come. */
  get text() {
    const blocks = new Map();
    for (const event of this.events) {
      if (event.subagentId !== undefined) continue;
      if (event.type === 'text-delta') blocks.set(event.blockId, (blocks.get(event.blockId) ?? '') + event.delta);
      if (event.type === 'text-end') blocks.set(event.blockId, event.text);
    }
    return [...blocks.values()].join('');
  }
}
