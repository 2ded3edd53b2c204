// The promises that every stream of events keeps, whatever the agent does. Each broken one is a sentence.

import type { AgentStreamEvent } from '../src/index.ts';

const FAMILIES: Readonly<Record<string, string>> = {
  turn: 'turnId',
  step: 'stepId',
  message: 'messageId',
  text: 'blockId',
  reasoning: 'blockId',
  'tool-call': 'toolCallId',
  task: 'taskId',
  compaction: 'compactionId',
  hook: 'hookId',
};
const PHASE =
  /^(turn|step|message|text|reasoning|tool-call|task|compaction|hook)-(start|delta|input-delta|input-end|update|end)$/;

export function brokenPromises(events: readonly AgentStreamEvent[]): string[] {
  const broken: string[] = [];
  const types = events.map(({ type }) => type);
  if (types[0] !== 'session-start' || types.lastIndexOf('session-start') !== 0)
    broken.push('session-start is not first and once');
  if (types.indexOf('session-end') !== types.length - 1) broken.push('session-end is not last and once');
  const open = new Map<string, { deltas: string; hasDeltas: boolean; inputs: number }>();
  const over = new Set<string>();
  events.forEach((event, index) => {
    if (event.seq !== index) broken.push(`event ${index} has the number ${event.seq}`);
    for (const [key, value] of Object.entries(event))
      if (value === undefined) broken.push(`${event.type}.${key} is undefined`);
    const [, family = '', phase] = PHASE.exec(event.type) ?? [];
    if (!phase) return;
    const id = `${family} ${(event as unknown as Record<string, unknown>)[FAMILIES[family] ?? '']}`;
    const item = open.get(id);
    if (phase === 'start') {
      if (item || over.has(id)) broken.push(`${id} starts twice`);
      open.set(id, { deltas: '', hasDeltas: false, inputs: 0 });
      return;
    }
    if (!item) {
      broken.push(`${event.type} of ${id}, which is not open`);
      return;
    }
    if (phase === 'delta' && 'delta' in event) {
      item.deltas += event.delta;
      item.hasDeltas = true;
    }
    if (phase === 'input-end') item.inputs++;
    if (phase === 'end') {
      open.delete(id);
      over.add(id);
      if (item.hasDeltas && 'text' in event && item.deltas !== event.text)
        broken.push(`the deltas of ${id} are not its text`);
      if (family === 'tool-call' && item.inputs !== 1) broken.push(`${id} has ${item.inputs} ends of its input`);
    }
  });
  for (const id of open.keys()) broken.push(`${id} never ends`);
  return broken;
}
