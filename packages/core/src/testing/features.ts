// What an agent says its stream shows, held against what its recordings show.

import type { Feature } from '../agents/agent.ts';
import type { AgentStreamEvent } from '../event/event.ts';

export interface NamedEvents {
  readonly name: string;
  readonly events: readonly AgentStreamEvent[];
}

/** How each feature is seen in a stream of events. */
const SIGNS: Readonly<Record<Feature, (events: readonly AgentStreamEvent[]) => boolean>> = {
  partial_text: (events) => comesInPieces(events, 'text-delta'),
  partial_reasoning: (events) => comesInPieces(events, 'reasoning-delta'),
  reasoning: (events) => events.some((event) => event.type === 'reasoning-end' && event.text !== ''),
  running_calls: showsRunningCalls,
  call_output: (events) =>
    events.some(
      (event) => event.type === 'tool-call-update' && (event.outputDelta ?? event.outputSnapshot ?? '') !== '',
    ),
  file_changes: (events) => events.some(({ type }) => type === 'file-change'),
  todos: (events) => events.some(({ type }) => type === 'todo-update'),
  subagents: (events) => events.some((event) => event.type === 'task-start' && event.kind === 'agent'),
  subagent_work: (events) => events.some((event) => event.subagentId !== undefined && !event.type.startsWith('task-')),
  denials: (events) => events.some((event) => event.type === 'permission-resolve' && event.decision === 'denied'),
  retries: (events) => events.some(({ type }) => type === 'retry-start'),
  usage: (events) => events.some(tellsUsage),
  step_usage: (events) => events.some((event) => event.type === 'message-end' && event.usage !== undefined),
  cost: (events) =>
    events.some((event) => (event.type === 'turn-end' || event.type === 'step-end') && (event.cost?.amount ?? 0) > 0),
};

function tellsUsage(event: AgentStreamEvent): boolean {
  if (event.type === 'usage-update') return event.scope === 'session' && event.usage !== undefined;
  return (event.type === 'turn-end' || event.type === 'message-end') && event.usage !== undefined;
}

/** Lines have an order but not always a time: an agent may print a call before its result and yet only when it is over. */
const ORDERED: Feature = 'running_calls';

/** What is declared and not shown, and what is shown and not declared. */
export function compareShown(declared: readonly Feature[], streams: readonly NamedEvents[]): string[] {
  const broken: string[] = [];
  for (const [feature, isShown] of Object.entries(SIGNS) as [Feature, (typeof SIGNS)[Feature]][]) {
    const shown = streams.find(({ events }) => isShown(events));
    const isDeclared = declared.includes(feature);
    if (isDeclared && !shown) broken.push(`"${feature}" is declared, but no fixture shows it`);
    if (!isDeclared && shown && feature !== ORDERED)
      broken.push(`${shown.name} shows "${feature}", which is not declared`);
  }
  return broken;
}

/** A block that more than one piece makes. */
function comesInPieces(events: readonly AgentStreamEvent[], type: 'text-delta' | 'reasoning-delta'): boolean {
  const seen = new Set<string>();
  for (const event of events) {
    if (event.type !== type) continue;
    if (seen.has(event.blockId)) return true;
    seen.add(event.blockId);
  }
  return false;
}

/** A call that starts on an earlier line than it ends. */
function showsRunningCalls(events: readonly AgentStreamEvent[]): boolean {
  const started = new Map<string, number | undefined>();
  return events.some((event) => {
    if (event.type === 'tool-call-start') started.set(event.toolCallId, event.line);
    if (event.type !== 'tool-call-end' || event.synthetic) return false;
    const line = started.get(event.toolCallId);
    return line !== undefined && event.line !== undefined && line < event.line;
  });
}
