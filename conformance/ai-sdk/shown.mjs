// What a message of the AI SDK shows, and what a conversation of ours does, in the same words.
import { partsOf } from '../../packages/core/dist/index.js';

/** What the message shows. Parts that a later part takes back are left out. */
export function shownBy({ id, parts, metadata }) {
  const taken = parts.filter(({ type }) => type === 'data-retract').map(({ data }) => data);
  const isTaken = (facts, ids, id) =>
    taken.some((data) => data.messageIds?.includes(facts?.messageId) || data[ids]?.includes(id));
  const blocks = (type) =>
    parts.filter((part) => {
      const facts = part.providerMetadata?.tailrace;
      return part.type === type && !isTaken(facts, 'blockIds', facts?.blockId);
    });
  const data = (type) => parts.filter((part) => part.type === type).map((part) => part.data);
  return {
    id,
    texts: blocks('text').map(({ text }) => text),
    thoughts: blocks('reasoning').map(({ text }) => text),
    open: parts.filter(({ state }) => /streaming|requested|responded|input/.test(state ?? '')).length,
    calls: sorted(
      parts
        .filter(({ type, toolMetadata, toolCallId }) => {
          return type === 'dynamic-tool' && !isTaken(toolMetadata?.tailrace, 'toolCallIds', toolCallId);
        })
        .map(({ toolCallId, toolName, input, state, output, errorText, toolMetadata }) => ({
          id: toolCallId,
          name: toolName,
          // Where somebody was asked about another one, the part shows that.
          input: toolMetadata?.tailrace.calledWith ?? input,
          state,
          subagentId: toolMetadata?.tailrace.subagentId,
          ...(state === 'output-available' && { output }),
          ...(state === 'output-error' && { errorText }),
        })),
    ),
    subagents: sorted(data('data-subagent').map(({ subagentId, kind, text }) => ({ id: subagentId, kind, text }))),
    tasks: sorted(data('data-task').map(({ taskId, status, result }) => ({ id: taskId, status, result }))),
    errors: data('data-error').map(({ error }) => error),
    todos: parts.find(({ type, id }) => type === 'data-todo' && id === 'main')?.data.entries ?? [],
    files: sortedPaths(
      data('data-file-change')
        .filter(({ outcome }) => outcome === 'success')
        .flatMap(({ changes }) => changes.map(({ path }) => path)),
    ),
    outcome: metadata.outcome ?? null,
    usage: metadata.usage ?? null,
    cost: metadata.cost ?? null,
    sessionId: metadata.sessionId ?? null,
  };
}

/** What the conversation shows. */
export function shownIn(conversation, events) {
  const kept = conversation.parts.flat().filter(({ retracted }) => retracted === undefined);
  const main = partsOf(conversation, undefined, { all: true }).filter(({ retracted }) => retracted === undefined);
  return {
    id: 'message-1',
    texts: main.filter(({ type, text }) => type === 'text' || (type === 'turn' && text)).map(({ text }) => text),
    thoughts: main.filter(({ type }) => type === 'reasoning').map(({ text }) => text),
    open: 0,
    calls: sorted(kept.filter((part) => part.toolCallId !== undefined && part.status).map(asCall)),
    subagents: sorted(
      kept
        .filter(({ type, subagentId }) => subagentId !== undefined && (type === 'text' || type === 'reasoning'))
        .map(({ subagentId, type, text }) => ({ id: subagentId, kind: type, text })),
    ),
    tasks: sorted(
      kept
        .filter(({ task }) => task)
        .map(({ task }) => ({ id: task.taskId, status: outcomeOf(task.status), result: task.result })),
    ),
    errors: kept.filter(({ type }) => type === 'error').map(({ error }) => error),
    todos: conversation.todos,
    files: sortedPaths(
      kept
        .filter(({ changes, changesOutcome }) => changes && changesOutcome === undefined)
        .flatMap(({ changes }) => changes.map(({ path }) => path)),
    ),
    outcome: conversation.outcome,
    usage: conversation.usage,
    cost: conversation.cost,
    sessionId: events.findLast(({ sessionId }) => sessionId !== undefined)?.sessionId ?? null,
  };
}

const OUTCOMES = { completed: 'success', failed: 'error' };
const outcomeOf = (status) => OUTCOMES[status] ?? status;

function asCall({
  toolCallId,
  name,
  input,
  status,
  subagentId,
  content,
  output,
  exitCode,
  error,
  synthetic,
  permission,
}) {
  const isGood = status === 'completed' || (status === 'unknown' && !synthetic && !error);
  // The AI SDK has no call that was asked about in vain and failed for another reason.
  const isDenied = status === 'denied' || (permission?.decision ?? 'allowed') !== 'allowed';
  const state = isGood ? 'output-available' : isDenied ? 'output-denied' : 'output-error';
  const text = (content ?? []).flatMap((part) => (part.type === 'text' && part.text ? [part.text] : [])).join('\n');
  const silence = status === 'cancelled' ? 'The call was cancelled.' : 'Nobody told how the call ended.';
  return {
    id: toolCallId,
    name,
    input: input ?? null,
    state,
    subagentId,
    ...(isGood && {
      output: { content, ...(output !== undefined && { output }), ...(exitCode !== undefined && { exitCode }) },
    }),
    ...(state === 'output-error' && { errorText: text || error?.message || silence }),
  };
}

function sorted(list) {
  return list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function sortedPaths(paths) {
  return [...new Set(paths)].sort();
}
