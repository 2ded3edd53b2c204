// What can be done to a recorded run to see whether its agent holds: kill it, cut it, add to it, bend it. Each trial says what broke,
// one sentence each.

import type { Agent } from '../agents/agent.ts';
import { SURE } from '../agents/detect.ts';
import { createAgentDecoder } from '../decoder.ts';
import type { AgentStreamEvent } from '../event/event.ts';
import { asObject, type Json } from '../event/json.ts';
import { DETECT_MESSAGES } from '../lines/limits.ts';
import { EventCollector } from '../writer.ts';
import { decodePieces, type PreparedFixture, withLines } from './fixture.ts';
import { fieldsOf, replaceField, STRANGE_MESSAGES, STRANGE_VALUES } from './hostile.ts';
import { framed, joined, numbered, ofTheTen, ordered, paired, type StreamRule, unique } from './promises.ts';
import { createRandom, spread } from './random.ts';

/** Kills the process after a line. */
export function tryKilling(agent: Agent, fixture: PreparedFixture, count: number): string[] {
  const random = createRandom(fixture.lines.length);
  return spread(fixture.lines.length + 1, count, random).flatMap((at) => {
    const decoder = createAgentDecoder({ agent, agents: [agent] });
    const before = fixture.lines.slice(0, at).flatMap(({ bytes }) => decoder.feed(bytes));
    const after = decoder.end({ signal: 'SIGKILL' });
    const isWhole = fixture.lines[at - 1]?.isWhole ?? true;
    const broken = [...brokenIn([...before, ...after]), ...misjudgedIn(after, isWhole)];
    return broken.map((sentence) => `killed after line ${at}, ${sentence}`);
  });
}

/** What nobody told is told as such: nothing that a kill has ended went well. */
function misjudgedIn(events: readonly AgentStreamEvent[], isWhole: boolean): string[] {
  return events.flatMap((event) => {
    if (event.type === 'session-end') return event.outcome === 'cancelled' ? [] : [`session-end says ${event.outcome}`];
    if (!isWhole || (event.type !== 'turn-end' && event.type !== 'tool-call-end')) return [];
    const isOpen = event.outcome === 'cancelled' || event.outcome === 'unknown';
    return isOpen && event.synthetic ? [] : [`${event.type} says ${event.outcome}, though no line does`];
  });
}

/** Decodes it twice. */
export function tryReplay(agent: Agent, { bytes, exit }: PreparedFixture): string[] {
  const first = textOf(decodePieces(agent, [bytes], exit));
  const second = textOf(decodePieces(agent, [bytes], exit));
  return first === second ? [] : ['the events are not the same the second time'];
}

/** Feeds it in other pieces. */
export function tryChunks(
  agent: Agent,
  { bytes, exit }: PreparedFixture,
  counts: { readonly chunkings: number; readonly everyByteUpTo: number },
): string[] {
  const whole = textOf(decodePieces(agent, [bytes], exit));
  const random = createRandom(bytes.length);
  const place = (): number => Math.floor(random() * (bytes.length + 1));
  const ways = Array.from({ length: counts.chunkings }, () => Array.from({ length: 8 }, place).sort((a, b) => a - b));
  if (bytes.length <= counts.everyByteUpTo) for (let at = 1; at < bytes.length; at++) ways.push([at]);
  return ways.flatMap((places) => {
    const pieces = [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end));
    return textOf(decodePieces(agent, pieces, exit)) === whole
      ? []
      : [`cut at ${places.join(', ')}, the events differ`];
  });
}

/** A word that no agent uses. */
const INVENTED = 'tailrace_invented';
/** Nobody knows it. */
export const INVENTED_MESSAGE: Json = { type: INVENTED, [INVENTED]: { list: [1, 'two', null], deeper: { yes: true } } };

/** Puts the message after a line. Everything else is as with a blank line of the same size in that place. */
export function tryMessage(agent: Agent, fixture: PreparedFixture, message: Json, count: number): string[] {
  const text = JSON.stringify(message);
  const encoder = new TextEncoder();
  // Before the first line that says anything it would take the agent's place in opening the session.
  const first = fixture.lines.findIndex(({ bytes }) => bytes.some((byte) => byte > 0x20));
  const places = fixture.lines.flatMap(({ isWhole }, index) => (isWhole && index >= first ? [index + 1] : []));
  return spread(places.length, count, createRandom(places.length)).flatMap((pick) => {
    const at = places[pick] ?? 0;
    const decodeWith = (line: string): AgentStreamEvent[] => {
      const pieces = fixture.lines.map(({ bytes }) => bytes);
      pieces.splice(at, 0, encoder.encode(`${line}\n`));
      return decodePieces(agent, pieces, fixture.exit);
    };
    const events = decodeWith(text);
    const survivors = events.filter(
      (event) => event.type === 'raw' && event.reason === 'unknown_type' && textOf(event.value) === text,
    );
    const others = events.filter((event) => event !== survivors[0]);
    const blank = decodeWith(' '.repeat(encoder.encode(text).length));
    const broken: string[] = [];
    if (survivors.length !== 1)
      broken.push(`an invented message after line ${at} comes out raw ${survivors.length} times`);
    if (textOf(unnumbered(others)) !== textOf(unnumbered(blank))) {
      broken.push(`an invented message after line ${at} changes other events`);
    }
    return broken;
  });
}

/** Gives every message one more field, as its first and as its last. */
export function tryField(agent: Agent, fixture: PreparedFixture): string[] {
  const plain = textOf(withoutInvented(decodePieces(agent, [fixture.bytes], fixture.exit)));
  const field = `"${INVENTED}":{"list":[1,"two",null]}`;
  const objects = fixture.messages.filter(({ value }) => Object.keys(asObject(value) ?? {}).length > 0);
  const variants: readonly (readonly [string, (text: string) => string])[] = [
    ['first', (text) => `{${field},${text.slice(1)}`],
    ['last', (text) => `${text.slice(0, -1)},${field}}`],
  ];
  return variants.flatMap(([place, add]) => {
    const changed = new Map(objects.map(({ index, text }) => [index, add(text)]));
    const events = decodePieces(agent, withLines(fixture, changed), fixture.exit);
    return textOf(withoutInvented(events)) === plain ? [] : [`with an invented field, put ${place}, the events differ`];
  });
}

/** Asks about what is not the agent's. */
export function tryStrangers(agent: Agent): string[] {
  const strangers: readonly (readonly Json[])[] = [[], [{ hello: 'world' }], [INVENTED_MESSAGE], STRANGE_MESSAGES];
  return strangers.flatMap((messages) => {
    const sureness = agent.detect(messages);
    if (!(sureness >= 0 && sureness <= 1)) return [`detect gives ${sureness}, which is not from 0 to 1`];
    return sureness < SURE ? [] : [`detect is sure about what is not the agent's: ${textOf(messages).slice(0, 80)}`];
  });
}

/** Asks about the beginning of each fixture, and has the stream recognised. */
export function tryDetection(agent: Agent, fixtures: readonly PreparedFixture[], firstLine: boolean): string[] {
  return fixtures.flatMap(({ name, bytes, messages, exit }) => {
    if (messages.length === 0) return [];
    const first = messages.slice(0, firstLine ? 1 : DETECT_MESSAGES).map(({ value }) => value);
    const sureness = agent.detect(first);
    if (!(sureness >= SURE && sureness <= 1)) {
      return [`${name}: detect gives ${sureness} for the first ${firstLine ? 'message' : 'messages'}`];
    }
    const decoder = createAgentDecoder({ agents: [agent] });
    const events = [...decoder.feed(bytes), ...decoder.end(exit)];
    const named = decodePieces(agent, [bytes], exit);
    return textOf(events) === textOf(named) ? [] : [`${name}: a stream that has to be recognised has other events`];
  });
}

/** Puts what is no message at the beginning, and after each line, of each fixture. */
export function tryStrangeMessages(agent: Agent, fixtures: readonly PreparedFixture[]): string[] {
  const encoder = new TextEncoder();
  const strange = STRANGE_MESSAGES.map((message) => encoder.encode(`${textOf(message)}\n`));
  const broken = STRANGE_MESSAGES.flatMap((message) =>
    // The decoder hands out only objects; a translator is not to rely on that.
    attempt(`given ${textOf(message).slice(0, 60)}`, () => {
      const out = new EventCollector();
      const translator = agent.createTranslator();
      translator.translate(message, out);
      translator.end({}, out);
      return [];
    }),
  );
  for (const { name, lines } of fixtures) {
    const pieces = lines.flatMap(({ bytes }, index) => {
      const one = strange[index % strange.length];
      return one ? [one, bytes] : [bytes];
    });
    broken.push(...attempt(`${name}: between strange messages`, () => brokenIn(decodePieces(agent, pieces))));
  }
  return [...broken, ...attempt('given strange messages alone', () => brokenIn(decodePieces(agent, strange)))];
}

/** Replaces fields of messages, one at a time, by values that do not belong there. */
export function tryBends(agent: Agent, fixtures: readonly PreparedFixture[], count: number): string[] {
  const targets = fixtures.flatMap((fixture) =>
    fixture.messages.flatMap((message) => fieldsOf(message.value).map((path) => ({ fixture, message, path }))),
  );
  const picks = spread(targets.length * STRANGE_VALUES.length, count, createRandom(targets.length));
  return picks.flatMap((pick) => {
    const target = targets[Math.floor(pick / STRANGE_VALUES.length)];
    if (!target) return [];
    const { fixture, message, path } = target;
    const value = STRANGE_VALUES[pick % STRANGE_VALUES.length];
    const bent = JSON.stringify(replaceField(message.value, path, value));
    const where = `${fixture.name}: with ${path.join('.')} of line ${message.index + 1} made ${textOf(value)}`;
    return attempt(where, () =>
      brokenIn(decodePieces(agent, withLines(fixture, new Map([[message.index, bent]])), fixture.exit)),
    );
  });
}

/** The promises that hold for every stream, also for a broken one. */
const ALWAYS: readonly StreamRule[] = [framed, numbered, paired, unique, joined, ordered, ofTheTen];

function brokenIn(events: readonly AgentStreamEvent[]): string[] {
  return ALWAYS.flatMap((rule) => rule(events));
}

/** What is broken, and what is thrown, as sentences with their place. */
function attempt(where: string, look: () => readonly string[]): string[] {
  try {
    return look().map((sentence) => `${where}, ${sentence}`);
  } catch (error) {
    return [`${where}, it throws ${String(error)}`];
  }
}

function unnumbered(events: readonly AgentStreamEvent[]): Json {
  return events.map(({ seq: _, ...event }) => event);
}

/** Without the field itself, which `raw` events keep, and without the sizes and places that it moves. */
function withoutInvented(events: readonly AgentStreamEvent[]): Json {
  const text = JSON.stringify(events, (key, value) => (key === INVENTED ? undefined : value));
  const copies: readonly Record<string, unknown>[] = JSON.parse(text);
  return copies.map(({ bytes: _bytes, offset: _offset, ...event }) => event);
}

function textOf(value: Json): string {
  return JSON.stringify(value) ?? 'nothing';
}
