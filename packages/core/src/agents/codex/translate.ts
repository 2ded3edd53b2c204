// Codex's messages → neutral events. An item is told when it starts and when it completes; texts only when they are whole.

import type { AgentError, Outcome, StopReason, TodoEntry } from '../../event/event.ts';
import { asList, asObject, asText, asTexts, entryOf, type Json, type Loose } from '../../event/json.ts';
import type { Translator } from '../agent.ts';
import { Narrator } from '../narrator/narrator.ts';
import { changesOf } from './changes.ts';
import { readError, readRetry } from './errors.ts';
import { readExit } from './exit.ts';
import { endOf, givesWork, statesOf } from './results.ts';
import { type Call, callOf } from './tools.ts';
import { createUsageReader } from './usage.ts';
import type { CodexItem, CodexLine } from './wire.ts';

type Item = Loose<CodexItem>;
type Phase = 'item.started' | 'item.updated' | 'item.completed';

export function createTranslator(): Translator {
  const narrator = new Narrator({ agent: 'codex', readExit });
  const usage = createUsageReader();
  /** The todo list as it was last told; Codex repeats it at the end of the turn. */
  let todos = '';

  function tellItem(phase: Phase, item: Item, message: Json): void {
    const call = callOf(item);
    if (call) return tellCall(narrator, phase, item, call);
    switch (item.type) {
      case 'agent_message':
        return tellText(narrator, phase, item, 'text');
      case 'reasoning':
        return tellText(narrator, phase, item, 'reasoning');
      case 'todo_list':
        return tellTodos(item);
      case 'error':
        // A warning. It may come before the turn does.
        return narrator.out.write({ type: 'notice', severity: 'warning', title: asText(item.message) ?? 'unknown' });
      default:
        narrator.keepUnknown(message, `${phase}/${asText(item.type) ?? ''}`);
    }
  }

  /** The total leaves out what sub-agents used. */
  function tellCompletion(line: Loose<CodexLine>): void {
    const counted = usage.read(line.usage);
    const figures = narrator.hasSubagents ? { mainUsage: counted } : { usage: counted };
    narrator.endTurn({ outcome: 'success', stopReason: 'end_turn', ...figures });
  }

  function tellTodos(item: Item): void {
    const entries = todosOf(item);
    const text = JSON.stringify(entries);
    if (text === todos) return;
    todos = text;
    narrator.startTurn();
    narrator.out.write({ type: 'todo-update', entries });
  }

  return {
    translate(message, out) {
      const line = asObject<CodexLine>(message);
      if (line?.type === 'thread.started') out.sessionId = asText(line.thread_id) ?? out.sessionId;
      narrator.begin(out);
      switch (line?.type) {
        case 'thread.started':
          return usage.startThread(asText(line.thread_id));
        case 'turn.started':
          return narrator.startTurn();
        case 'turn.completed':
          return narrator.isTurnOver ? narrator.keep(message) : tellCompletion(line);
        case 'turn.failed':
          return tellFailure(narrator, line);
        case 'item.started':
        case 'item.updated':
        case 'item.completed': {
          const item = asObject<CodexItem>(line.item);
          return item ? tellItem(line.type, item, message) : narrator.keepUnknown(message);
        }
        case 'error':
          return tellError(narrator, asText(line.message) ?? 'unknown');
        default:
          narrator.keepUnknown(message);
      }
    },
    end: (exit, out) => narrator.end(exit, out),
  };
}

function tellText(narrator: Narrator, phase: Phase, item: Item, kind: 'text' | 'reasoning'): void {
  const text = asText(item.text);
  if (phase !== 'item.completed' || text === '') return;
  if (text === undefined) return narrator.keep(item, asText(item.type));
  narrator.startMessage({ id: asText(item.id) });
  narrator.endBlock(kind, text, kind === 'reasoning' ? { form: 'summary' } : {});
  narrator.endMessage();
}

/** One that completes without having started is started and ended at once. */
function tellCall(narrator: Narrator, phase: Phase, item: Item, { locations, input, ...call }: Call): void {
  const { out } = narrator;
  const id = asText(item.id) ?? `item-${out.line}`;
  const { id: toolCallId } = narrator.startCall({ id, ...call });
  // A search may have started without a query.
  const title = phase === 'item.completed' ? call.title : undefined;
  if (input !== undefined) narrator.endInput(id, input, { title, locations });
  if (phase === 'item.updated' && asText(item.aggregated_output))
    narrator.updateCall(id, { outputSnapshot: asText(item.aggregated_output) });
  if (phase !== 'item.completed') return;

  const end = endOf(item);
  if (end.outcome === 'denied') narrator.resolvePermission(undefined, { toolCallId, decision: 'denied', by: 'policy' });
  narrator.endCall(id, end);
  const isSuccess = end.outcome === 'success';
  const changes = isSuccess && item.type === 'file_change' ? changesOf(item) : [];
  if (changes.length > 0) out.write({ type: 'file-change', toolCallId, changes, outcome: 'success' });
  if (item.type !== 'collab_tool_call') return;
  if (!givesWork(item)) tellAgentEnds(narrator, item);
  else if (isSuccess) tellAgentStarts(narrator, item, toolCallId);
}

/** What a sub-agent does is not printed: only that it was given work, and what it said at its end. */
function tellAgentStarts(narrator: Narrator, item: Item, toolCallId: string): void {
  for (const id of asTexts(item.receiver_thread_ids) ?? [])
    narrator.startTask({ id, kind: 'agent', toolCallId, prompt: asText(item.prompt) });
}

/** How a sub-agent's state ends its task; in any other state it goes on. */
const agentOutcomes: Readonly<Record<string, Outcome>> = {
  completed: 'success',
  errored: 'error',
  interrupted: 'cancelled',
  shutdown: 'cancelled',
  not_found: 'unknown',
};

/** Waiting for one that failed is a call that failed. */
function tellAgentEnds(narrator: Narrator, item: Item): void {
  for (const [id, state] of statesOf(item)) {
    const outcome = entryOf(agentOutcomes, state.status) ?? (item.tool === 'close_agent' ? 'cancelled' : undefined);
    const message = asText(state.message);
    if (outcome === undefined) continue;
    if (outcome === 'error') narrator.endTask(id, { outcome, error: readError(message ?? 'unknown') });
    else narrator.endTask(id, { outcome, result: message });
  }
}

function todosOf(item: Item): readonly TodoEntry[] {
  return asList(item.items).flatMap((value) => {
    const todo = asObject<CodexItem['items'][number]>(value);
    const content = asText(todo?.text);
    return content === undefined ? [] : [{ content, status: todo?.completed === true ? 'completed' : 'pending' }];
  });
}

/** A line that says it is an error may be a retry. If it is none, `turn.failed` follows and says the same. */
function tellError(narrator: Narrator, message: string): void {
  const retry = readRetry(message);
  if (retry) return narrator.startRetry(retry);
  narrator.endRetry('error');
  narrator.fail(readError(message), true);
}

function tellFailure(narrator: Narrator, line: Loose<CodexLine>): void {
  const error = readError(asText(asObject<CodexLine['error']>(line.error)?.message) ?? 'unknown');
  narrator.endRetry('error');
  narrator.fail(error, true);
  narrator.endTurn({ outcome: 'error', stopReason: stopReasonOf(error), error });
}

function stopReasonOf({ code, message }: AgentError): StopReason {
  if (message.endsWith('reason: max_output_tokens')) return 'max_tokens';
  return code === 'context_full' || code === 'content_filter' || code === 'max_budget' ? code : 'error';
}
