// Sub-agents and workflows.

import type { Outcome } from '../../event/event.ts';
import { asCount, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import { textParts } from '../content.ts';
import { agentOf, type Handler, type State, taskOf } from './state.ts';
import type { CopilotLine, Data } from './wire.ts';

export const taskHandlers: readonly (readonly [string, Handler])[] = [
  ['subagent.started', startAgent],
  ['subagent.completed', endAgent],
  ['subagent.failed', endAgent],
  ['workflow.run_started', startWorkflow],
  ['workflow.run_settled', endWorkflow],
  ['workflow.result', tellWorkflow],
  ['system.notification', tellNotification],
];

function startAgent(state: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const { narrator } = state;
  const agentId = agentOf(state, data.toolCallId, line);
  if (agentId === undefined) return narrator.keep(line);
  const toolCallId = asText(data.toolCallId);
  const call = narrator.openCall(toolCallId);
  const parent = asText(data.parentId);
  if (toolCallId !== undefined) state.agentOfCall.set(toolCallId, agentId);
  if (parent !== undefined && narrator.isTaskOpen(taskOf(state, parent))) narrator.enterTask(taskOf(state, parent));
  narrator.startTask({
    id: taskOf(state, agentId),
    kind: 'agent',
    toolCallId: call?.id ?? toolCallId,
    name: asText(data.agentName),
    description: asText(data.agentDescription),
    prompt: asText(asObject<{ prompt: string }>(call?.input)?.prompt),
    model: asText(data.model),
    background: data.executionMode === 'background' || undefined,
  });
}

function endAgent(state: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const { narrator } = state;
  const agentId = agentOf(state, data.toolCallId, line);
  const taskId = agentId === undefined ? undefined : taskOf(state, agentId);
  const failure = line.type === 'subagent.failed' ? (asText(data.error) ?? 'the sub-agent failed') : undefined;
  if (agentId === undefined || taskId === undefined || !narrator.isTaskOpen(taskId)) return narrator.keep(line);
  narrator.endTask(taskId, {
    outcome: data.cancelled === true ? 'cancelled' : failure === undefined ? 'success' : 'error',
    error: failure === undefined ? undefined : { code: 'unknown', message: failure },
    result: state.threads.get(taskId)?.text,
    toolUses: asCount(data.totalToolCalls),
    durationMs: asCount(data.durationMs),
  });
  state.runs.set(agentId, (state.runs.get(agentId) ?? 0) + 1);
  state.threads.delete(taskId);
}

// ── Workflows ─────────────────────────────────────────────────────────────────────────────────────

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  completed: 'success',
  cancelled: 'cancelled',
  error: 'error',
  halted: 'error',
};

const outcomeOf = (status: Json): Outcome => entryOf(OUTCOMES, status) ?? 'unknown';

function startWorkflow({ narrator }: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const id = asText(data.runId);
  if (id === undefined) return narrator.keep(line);
  narrator.startTask({ id, kind: 'workflow', name: asText(data.workflowName) });
}

function endWorkflow({ narrator }: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const ended = narrator.endTask(asText(data.runId) ?? '', {
    outcome: outcomeOf(data.status),
    durationMs: asCount(data.elapsedMs),
  });
  if (!ended) narrator.keep(line);
}

/** The last line of `copilot workflow run`, in place of `result`. */
function tellWorkflow({ narrator }: State, data: Loose<Data>): void {
  const run = asObject<Data['run']>(data.run);
  const outcome = outcomeOf(run?.status);
  narrator.endTask(asText(run?.runId) ?? '', { outcome });
  narrator.endTurn({ outcome });
}

/** How the end of work in the background reaches the model. */
function tellNotification({ narrator }: State, data: Loose<Data>): void {
  narrator.out.write({ type: 'user-message', content: textParts(asText(data.content)), origin: 'injected' });
}
