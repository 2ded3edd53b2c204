// Sub-agents as a tree: each with its own calls, what it has used, and those it started itself.

import type { Cost, Usage } from '../event/event.ts';
import { addUsage } from '../event/usage.ts';
import { isCall } from './calls.ts';
import type { Call, Conversation, MessageFacts, Part, Task, TaskPart } from './conversation.ts';
import { remember } from './list.ts';
import { partsOf } from './select.ts';

export interface Subagent {
  readonly task: Task;
  /** The part that shows it: mostly the call that started it. */
  readonly part: Call | TaskPart;
  /** The calls of its own thread. Its other parts are in `partsOf`. */
  readonly calls: readonly Call[];
  /** What is known; where nobody told, the sum of its answers, which is a lower bound. */
  readonly usage: Usage;
  readonly cost?: Cost;
  readonly children: readonly Subagent[];
}

/** What a ledger knows about sub-agents: `ledger.subagents()` is of this form. */
export type KnownFigures = ReadonlyMap<string, { readonly usage: Usage; readonly costUsd?: number | undefined }>;

/** The sub-agents that the main thread started, with theirs inside. Agents rarely tell what one cost: a ledger works it out. */
export function subagentsOf(conversation: Conversation, figures?: KnownFigures): readonly Subagent[] {
  const nodes = new Map<string, Subagent & { readonly children: Subagent[] }>();
  const used = usageByThread(conversation);
  for (const part of conversation.parts.flatMap(agentsIn)) {
    const { task } = part;
    if (!task || nodes.has(task.taskId)) continue;
    const known = figures?.get(task.taskId);
    const cost: Cost | undefined =
      known?.costUsd === undefined ? task.cost : { amount: known.costUsd, currency: 'USD', estimated: true };
    nodes.set(task.taskId, {
      task,
      part,
      calls: partsOf(conversation, task.taskId).filter(isCall),
      usage: known?.usage ?? task.usage ?? used.get(task.taskId) ?? {},
      ...(cost && { cost }),
      children: [],
    });
  }
  const roots: Subagent[] = [];
  for (const node of nodes.values()) {
    const parent = parentIn(nodes, node);
    if (parent) parent.children.push(node);
    else roots.push(node);
  }
  return roots;
}

function parentIn<T extends Subagent>(nodes: ReadonlyMap<string, T>, node: T): T | undefined {
  const parentOf = ({ part, task }: Subagent): T | undefined => nodes.get(part.subagentId ?? task.parentTaskId ?? '');
  const parent = parentOf(node);
  const seen = new Set<Subagent>([node]);
  let first: Subagent = node;
  for (let above = parent; above; above = parentOf(above)) {
    // Nobody is their own ancestor. A circle is cut at the one whose id comes first, so that all of it stays to be seen.
    if (above === node) return first === node ? undefined : parent;
    // A circle further up is not this one's affair.
    if (seen.has(above)) return parent;
    seen.add(above);
    if (above.task.taskId < first.task.taskId) first = above;
  }
  return parent;
}

/** The parts that show a sub-agent. */
const agentsIn = remember((chunk: readonly Part[]): readonly (Call | TaskPart)[] =>
  chunk.filter(
    (part): part is Call | TaskPart =>
      (isCall(part) || part.type === 'task') && part.task?.kind === 'agent' && part.retracted === undefined,
  ),
);

function usageByThread({ messages }: Conversation): ReadonlyMap<string, Usage> {
  const sums = new Map<string, Usage>();
  for (const chunk of messages) {
    for (const [thread, usage] of usageIn(chunk)) sums.set(thread, addUsage(sums.get(thread) ?? {}, usage));
  }
  return sums;
}

const usageIn = remember((chunk: readonly MessageFacts[]): ReadonlyMap<string, Usage> => {
  const sums = new Map<string, Usage>();
  for (const { subagentId, usage } of chunk) {
    if (subagentId !== undefined && usage) sums.set(subagentId, addUsage(sums.get(subagentId) ?? {}, usage));
  }
  return sums;
});
