// Bytes → events: splits lines, finds the agent, hands it one message at a time, and reports what is no message.
// Synchronous and never throwing on input: `feed` returns when the events are out.

import { createLedger } from './accounting/ledger.ts';
import type { PriceTable } from './accounting/prices.ts';
import type { Agent, EventWriter, Exit, LineSource, Translator } from './agents/agent.ts';
import { detectAgent, SURE } from './agents/detect.ts';
import type { AgentStreamEvent, Cost, RawReason, Usage } from './event/event.ts';
import { readHostLine } from './event/host-line.ts';
import { asObject, asText, type Json } from './event/json.ts';
import { ChangeJoiner } from './host/files.ts';
import { DETECT_BYTES, DETECT_MESSAGES } from './lines/limits.ts';
import { decodeLine, type ParsedLine, parseLine, previewText } from './lines/parse.ts';
import { createLineSplitter, type Line, type LineSplitter } from './lines/split.ts';
import { EventCollector } from './writer.ts';

export interface DecoderOptions {
  /** An agent, the name of one of `agents`, or `auto` to tell by what the stream says. */
  readonly agent?: 'auto' | (string & {}) | Agent | undefined;
  /** Which agents there are to choose from. */
  readonly agents: readonly Agent[];
  /** Lines over this size are not parsed: `MAX_LINE_BYTES` unless set, `LONGEST_LINE_BYTES` at the most. */
  readonly maxLineBytes?: number | undefined;
  /** Puts the agent's message on the first event of its line. */
  readonly keepMessage?: boolean | undefined;
  /** Where the bytes begin when a file is read from the middle, so that offsets and line numbers are the file's. */
  readonly start?: { readonly offset: number; readonly line: number } | undefined;
  /** What a file beside the stream tells about it (Claude Code: `agent-<id>.meta.json` beside a sub-agent's lines), parsed. */
  readonly about?: Json;
  /** Prices for what the agent gives no cost for. */
  readonly prices?: PriceTable | undefined;
}

export interface DecoderStats {
  /** Bytes fed so far, of all sources. */
  readonly bytes: number;
  /** Physical lines that are not blank. */
  readonly lines: number;
  readonly events: number;
  /** The byte after the last whole line of the agent's own output: where to resume. */
  readonly offset: number;
}

export interface Decoder {
  /** Feeds bytes in any pieces; returns the events of the lines that became whole. */
  feed(bytes: Uint8Array, origin?: { readonly at?: number; readonly source?: LineSource }): AgentStreamEvent[];
  /**
   * The stream is over: reads a last line without line feed and closes what is open. Later calls give nothing. How the process
   * ended is what a line of the host's told, unless it is given.
   */
  end(exit?: Exit): AgentStreamEvent[];
  readonly stats: DecoderStats;
  /** The agent's name, once it is known. */
  readonly agent: string | undefined;
}

/** As much of a line on stderr is shown. */
const MAX_REMARK_BYTES = 8_192;

/** A line that waits for the agent to be known. */
interface HeldLine {
  readonly number: number;
  readonly size: number;
  readonly at: number | undefined;
  readonly source: LineSource;
  readonly content: Content;
}

type Content = ParsedLine | RawLine | { readonly kind: 'remark'; readonly text: string };

interface RawLine {
  readonly kind: 'raw';
  readonly reason: RawReason;
  readonly text: string;
  readonly bytes: number;
  readonly offset: number;
}

export function createAgentDecoder(options: DecoderOptions): Decoder {
  const { maxLineBytes } = options;
  if (maxLineBytes !== undefined && !(Number.isInteger(maxLineBytes) && maxLineBytes > 0)) {
    throw new RangeError(`maxLineBytes is a whole number above zero, not ${maxLineBytes}`);
  }
  const candidates = options.agents;
  const out = new EventCollector();
  const ledger = createLedger({ prices: options.prices, keepAnswers: false });
  const splitters = new Map<LineSource, LineSplitter>();
  let agent = chosenAgent(options);
  let translator: Translator | undefined = agent?.createTranslator(options.about);
  const canSkim = !options.keepMessage;
  let held: HeldLine[] = [];
  let heldMessages: Json[] = [];
  let heldBytes = 0;
  let at: number | undefined;
  let toldExit: Exit | undefined;
  let bytesFed = 0;
  let lines = 0;
  let eventCount = 0;
  let ended = false;

  const isRecord = (value: Json): boolean =>
    agent ? agent.detect([value]) >= SURE : detectAgent(candidates, [value]) !== undefined;

  function splitterOf(source: LineSource): LineSplitter {
    let splitter = splitters.get(source);
    if (!splitter) {
      splitter = createLineSplitter((line) => receive(line, source), {
        maxLineBytes,
        offset: options.start?.offset,
        line: options.start?.line,
      });
      splitters.set(source, splitter);
    }
    return splitter;
  }

  function receive(line: Line, source: LineSource): void {
    if (line.bytes.length === 0) return;
    if (source === 'host') return receiveHost(line);
    // The numbers of lines are those of the agent's own output: what it was told counts elsewhere.
    out.begin(source === 'stdin' ? 0 : line.number, at, source);
    const text = line.tooLong || source === 'stderr' ? '' : decodeLine(line.bytes);
    if (canSkim && translator?.skim?.(text, out)) {
      lines++;
      out.settle();
      return;
    }
    const content = source === 'stderr' ? remarkOf(line) : contentOf(line, text);
    if (content.kind === 'blank') return;
    lines++;
    if (translator) {
      show(content, line.size);
      out.settle();
      return;
    }
    held.push({ number: line.number, size: line.size, at, source, content });
    // What is held of it: a line over the limit is only its preview.
    heldBytes += line.bytes.length;
    const messages = messagesOf(content);
    for (const message of messages.slice(0, DETECT_MESSAGES)) heldMessages.push(message);
    if (messages.length > 0) agent = detectAgent(candidates, heldMessages);
    if (agent || heldBytes > DETECT_BYTES || heldMessages.length >= DETECT_MESSAGES) release();
  }

  /** What whoever runs the agent wrote into the record. */
  function receiveHost(line: Line): void {
    out.joiner ??= new ChangeJoiner();
    out.begin(0, at, 'host');
    const parsed = line.tooLong ? undefined : parseLine(line.bytes, decodeLine(line.bytes), () => false);
    const host = parsed?.kind === 'value' ? readHostLine(parsed.value) : undefined;
    if (!host) {
      startIfNeeded();
      const text = previewText(line.bytes);
      out.write({ type: 'raw', reason: 'unknown_type', bytes: line.size, text, nativeType: 'host' });
      return;
    }
    translator?.host?.(host);
    switch (host.type) {
      case 'run-started': {
        const { runId, agent: name, prompt, promptId, cwd, workOrderId } = host;
        out.write({ type: 'run-start', runId, agent: name, prompt, promptId, cwd, workOrderId });
        agent ??= candidates.find((one) => one.name === name);
        if (agent && !translator) release();
        break;
      }
      case 'state-changed':
        out.write({ ...host, type: 'run-state' });
        break;
      case 'warned':
        startIfNeeded();
        out.write({ type: 'notice', severity: 'warning', title: host.message, nativeCode: host.code });
        break;
      case 'exited':
        toldExit = host.afterWork ? {} : { code: host.code, signal: host.signal };
        break;
      case 'file-changed':
        out.joiner.hear(host);
        break;
      case 'answered':
        break;
    }
    out.settle();
  }

  function contentOf(line: Line, text: string): Content {
    const raw = (reason: RawReason, text: string): RawLine => ({
      kind: 'raw',
      reason,
      text,
      bytes: line.size,
      offset: line.offset,
    });
    if (line.tooLong) return raw('too_long', previewText(line.bytes));
    const parsed = parseLine(line.bytes, text, isRecord);
    switch (parsed.kind) {
      case 'not_json':
        // A bad last line without its line feed was cut off; nobody knows what it would have been.
        return raw(line.terminated ? 'not_json' : 'cut_off', parsed.text);
      case 'too_deep':
        return raw('too_deep', parsed.text);
      default:
        return parsed;
    }
  }

  /** Takes what was held back to the agent that was found, or shows it raw when none was. */
  function release(): void {
    translator = agent ? agent.createTranslator(options.about) : createRawTranslator();
    const waiting = held;
    held = [];
    heldMessages = [];
    heldBytes = 0;
    for (const { number, size, at, source, content } of waiting) {
      out.begin(number, at, source);
      show(content, size);
      out.settle();
    }
  }

  function show(content: Content, size: number): void {
    // Nothing but its prompt was written to an agent that nobody talks with, and the run's start tells that.
    if (out.source === 'stdin' && !agent?.input) return;
    switch (content.kind) {
      case 'value':
        translateValue(content.value);
        break;
      case 'remark':
        startIfNeeded();
        out.write({ type: 'notice', severity: 'warning', title: content.text, nativeCode: 'stderr' });
        break;
      case 'raw':
        startIfNeeded();
        out.write({
          type: 'raw',
          reason: content.reason,
          bytes: content.bytes,
          offset: content.offset,
          text: content.text,
        });
        break;
      case 'spliced':
        for (const value of content.before) translateValue(value);
        startIfNeeded();
        out.write({ type: 'raw', reason: 'spliced', bytes: size, text: content.fragment || undefined });
        for (const value of content.after) translateValue(value);
        break;
    }
  }

  function translateValue(value: Json): void {
    // `--output-format json --verbose` and its like print one array of messages. One without any is no message either.
    if (Array.isArray(value) && value.length > 0) {
      for (const item of value) translateMessage(item);
    } else translateMessage(value);
  }

  function translateMessage(message: Json): void {
    if (options.keepMessage) out.native = message;
    if (asObject(message)) {
      translator?.translate(message, out);
    } else {
      startIfNeeded();
      out.write({ type: 'raw', reason: 'unknown_type', value: message, nativeType: typeof message });
    }
  }

  function startIfNeeded(): void {
    if (!out.started) out.write({ type: 'session-start', agent: agent?.name ?? 'unknown' });
  }

  function taken(): AgentStreamEvent[] {
    const events = out.take();
    eventCount += events.length;
    for (const event of events) ledger.add(event);
    return events;
  }

  return {
    feed(bytes, origin) {
      if (!(bytes instanceof Uint8Array))
        throw new TypeError('feed takes bytes: a stream with an encoding gives strings');
      if (ended) return [];
      at = origin?.at;
      bytesFed += bytes.length;
      splitterOf(origin?.source ?? 'stdout').push(bytes);
      return taken();
    },
    end(exit = toldExit ?? {}) {
      if (ended) return [];
      ended = true;
      for (const splitter of splitters.values()) splitter.end();
      if (!translator) release();
      const last = splitters.get('stdout') ?? splitters.get('transcript');
      out.begin(last?.count ?? 0, at, 'stdout');
      startIfNeeded();
      out.finish();
      translator?.end(exit, out);
      return withTotals(taken(), ledger.totals());
    },
    get stats() {
      const main = splitters.get('stdout') ?? splitters.get('transcript');
      return { bytes: bytesFed, lines, events: eventCount, offset: main?.offset ?? options.start?.offset ?? 0 };
    },
    get agent() {
      return agent?.name;
    },
  };
}

function chosenAgent({ agent = 'auto', agents }: DecoderOptions): Agent | undefined {
  if (agent === 'auto') return undefined;
  if (typeof agent !== 'string') return agent;
  const named = agents.find(({ name }) => name === agent);
  if (!named) throw new RangeError(`no agent is called "${agent}"; there are ${agents.map((a) => a.name).join(', ')}`);
  return named;
}

function messagesOf(content: Content): readonly Json[] {
  if (content.kind === 'value') return Array.isArray(content.value) ? content.value : [content.value];
  return content.kind === 'spliced' ? [...content.before, ...content.after] : [];
}

/** What an agent says on stderr is for people; it is no message. */
function remarkOf(line: Line): Content {
  const isLong = line.size > MAX_REMARK_BYTES;
  const text = decodeLine(isLong ? line.bytes.subarray(0, MAX_REMARK_BYTES) : line.bytes).trimEnd();
  if (text.trim() === '') return { kind: 'blank' };
  return { kind: 'remark', text: isLong ? `${text} … (${line.size} bytes)` : text };
}

/** `session-end` says what the whole session took: the ledger knows, whatever the agent. */
function withTotals(
  events: AgentStreamEvent[],
  totals: { readonly usage?: Usage; readonly cost?: Cost },
): AgentStreamEvent[] {
  return events.map((event) => (event.type === 'session-end' ? { ...event, ...totals } : event));
}

/** For a stream that no agent knows: everything is shown as it came. */
function createRawTranslator(): Translator {
  const start = (out: EventWriter): void => {
    if (!out.started) out.write({ type: 'session-start', agent: 'unknown' });
  };
  return {
    translate(message, out) {
      start(out);
      const nativeType = asText(asObject<{ type: string }>(message)?.type);
      out.write({ type: 'raw', reason: 'unknown_type', value: message, nativeType });
    },
    end(exit, out) {
      start(out);
      out.write({
        type: 'session-end',
        outcome: exit.signal ? 'cancelled' : 'unknown',
        exitCode: exit.code ?? undefined,
        signal: exit.signal ?? undefined,
      });
    },
  };
}
