// What every stream of events keeps to, whatever the agent: docs/events.md, "What is promised". A rule looks at the events of one
// stream and says what is broken, one sentence each.

import type { AgentStreamEvent, EventType, ToolKind } from '../event/event.ts';

/** Looks at all events of one stream; each broken promise is a sentence. */
export type StreamRule = (events: readonly AgentStreamEvent[]) => string[];

/** Everything that is promised about the events of one stream, and broken by these: one sentence each. */
export function brokenPromises(events: readonly AgentStreamEvent[]): string[] {
  const rules = [numbered, framed, paired, unique, joined, ordered, ofTheTen, defined];
  return rules.flatMap((rule) => rule(events));
}

/** `seq` is 0, 1, 2 … */
export const numbered: StreamRule = (events) =>
  events.flatMap(({ type, seq }, index) => (seq === index ? [] : [`event ${index}, ${type}, has the number ${seq}`]));

/** `session-start` is first but for what is said of the run, `session-end` is last, each comes once. */
export const framed: StreamRule = (events) => {
  const types = events.map(({ type }) => type);
  const broken: string[] = [];
  const first = types.find((type) => type !== 'run-start' && type !== 'run-state');
  if (first !== 'session-start') broken.push(`the first event is ${first}, not session-start`);
  if (types.at(-1) !== 'session-end') broken.push(`the last event is ${types.at(-1)}, not session-end`);
  for (const type of ['session-start', 'session-end'] as const) {
    const times = types.filter((one) => one === type).length;
    if (times > 1) broken.push(`${type} comes ${times} times`);
  }
  return broken;
};

/** Every start has one end, every end its start, and what is in between comes in between. */
export const paired: StreamRule = (events) => {
  const broken: string[] = [];
  const open = new Map<string, number>();
  for (const event of events) {
    const sight = sightOf(event);
    if (!sight) continue;
    const { thing, phase } = sight;
    const count = open.get(thing) ?? 0;
    if (phase === 'start') open.set(thing, count + 1);
    else if (count === 0) broken.push(`${event.type} of ${thing}, which is not open${placeOf(event)}`);
    else if (phase === 'end') open.set(thing, count - 1);
  }
  for (const [thing, count] of open) if (count > 0) broken.push(`${thing} never ends`);
  return broken;
};

/** No id starts twice, also not when the first has ended. A retry has no id: only one may be open. */
export const unique: StreamRule = (events) => {
  const broken: string[] = [];
  const started = new Set<string>();
  for (const event of events) {
    const { thing, phase } = sightOf(event) ?? {};
    if (thing === undefined) continue;
    if (phase === 'end' && thing === RETRY) started.delete(thing);
    if (phase !== 'start') continue;
    if (started.has(thing)) broken.push(`${thing} starts again${placeOf(event)}`);
    started.add(thing);
  }
  return broken;
};

/** The deltas of a block, joined, are the text of its end, or there were none. */
export const joined: StreamRule = (events) => {
  const broken: string[] = [];
  const deltas = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
      deltas.set(event.blockId, (deltas.get(event.blockId) ?? '') + event.delta);
    } else if (event.type === 'text-end' || event.type === 'reasoning-end') {
      const text = deltas.get(event.blockId);
      if (text !== undefined && text !== event.text) {
        broken.push(`the deltas of block ${event.blockId} are not the text of its end${placeOf(event)}`);
      }
    }
  }
  return broken;
};

/** A call is started, gets its whole input once, and ends after that. */
export const ordered: StreamRule = (events) => {
  const broken: string[] = [];
  const inputs = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'tool-call-start') {
      inputs.set(event.toolCallId, 0);
      continue;
    }
    if (
      event.type !== 'tool-call-input-delta' &&
      event.type !== 'tool-call-input-end' &&
      event.type !== 'tool-call-end'
    ) {
      continue;
    }
    const count = inputs.get(event.toolCallId);
    const where = `of call ${event.toolCallId}${placeOf(event)}`;
    if (count === undefined) broken.push(`${event.type} comes before the start ${where}`);
    else if (event.type === 'tool-call-input-end') {
      inputs.set(event.toolCallId, count + 1);
      if (count > 0) broken.push(`a second tool-call-input-end ${where}`);
    } else if (event.type === 'tool-call-input-delta') {
      if (count > 0) broken.push(`tool-call-input-delta comes after the whole input ${where}`);
    } else if (count === 0) broken.push(`tool-call-end comes before the input ${where}`);
  }
  return broken;
};

/** A tool's kind is one of the ten. */
export const ofTheTen: StreamRule = (events) =>
  events.flatMap((event) =>
    event.type !== 'tool-call-start' || Object.hasOwn(KINDS, event.kind)
      ? []
      : [`${event.toolName} is of the kind "${event.kind}", which is none of the ten${placeOf(event)}`],
  );

const KINDS: Readonly<Record<ToolKind, true>> = {
  read: true,
  edit: true,
  delete: true,
  move: true,
  search: true,
  execute: true,
  think: true,
  fetch: true,
  switch_mode: true,
  other: true,
};

type Phase = 'start' | 'middle' | 'end';

/** What has a beginning and an end, the field that holds its id, and the events in between. */
const FAMILIES: readonly { name: string; id?: string; start?: string; end?: string; middle?: readonly string[] }[] = [
  { name: 'turn', id: 'turnId' },
  { name: 'step', id: 'stepId' },
  { name: 'message', id: 'messageId' },
  { name: 'text', id: 'blockId', middle: ['delta'] },
  { name: 'reasoning', id: 'blockId', middle: ['delta'] },
  { name: 'tool-call', id: 'toolCallId', middle: ['input-delta', 'input-end', 'update'] },
  { name: 'task', id: 'taskId', middle: ['update'] },
  { name: 'compaction', id: 'compactionId' },
  { name: 'hook', id: 'hookId' },
  { name: 'retry' },
  { name: 'permission', id: 'requestId', start: 'request', end: 'resolve' },
  { name: 'question', id: 'requestId', start: 'request', end: 'resolve' },
];

const RETRY = 'retry';

interface Sight {
  readonly name: string;
  readonly id: string | undefined;
  readonly phase: Phase;
}

const PHASES: ReadonlyMap<string, Sight> = new Map(
  FAMILIES.flatMap(({ name, id, start = 'start', end = 'end', middle = [] }): [string, Sight][] => [
    [`${name}-${start}`, { name, id, phase: 'start' }],
    ...middle.map((word): [string, Sight] => [`${name}-${word}`, { name, id, phase: 'middle' }]),
    [`${name}-${end}`, { name, id, phase: 'end' }],
  ]),
);

/** Of what an event is the beginning, a part, or the end. */
function sightOf(event: AgentStreamEvent): { readonly thing: string; readonly phase: Phase } | undefined {
  const type: EventType = event.type;
  const family = PHASES.get(type);
  if (!family) return undefined;
  if (family.id === undefined) return { thing: family.name, phase: family.phase };
  // Only a name is looked up, which the table above takes from the union.
  const id = (event as unknown as Readonly<Record<string, unknown>>)[family.id];
  // A call can be refused without anybody having been asked.
  if (id === undefined && type === 'permission-resolve') return undefined;
  return { thing: `${family.name} ${String(id)}`, phase: family.phase };
}

function placeOf({ line }: AgentStreamEvent): string {
  return line === undefined ? '' : ` (line ${line})`;
}

/** An absent field is absent, not undefined. */
const defined: StreamRule = (events) =>
  events.flatMap((event) =>
    Object.entries(event).flatMap(([key, value]) => (value === undefined ? [`${event.type}.${key} is undefined`] : [])),
  );
