// Events → what a person sees. Pure: the same conversation and event give the same conversation, and what does not change stays
// the same object. After a delta four objects differ: the conversation, its list, a chunk of it and the part.

import type { AgentStreamEvent, EventOf } from '../event/event.ts';
import { endBlock, growBlock, startBlock } from './blocks.ts';
import { changeFiles, changePlan, changeTodos, endCall, endInput, growInput, startCall, updateCall } from './calls.ts';
import type { Conversation, Run } from './conversation.ts';
import { endMessage, retract, startMessage } from './messages.ts';
import { told } from './place.ts';
import { addPrompt, addRunPrompt } from './prompts.ts';
import { requestAnswer, requestPermission, resolveAnswer, resolvePermission } from './requests.ts';
import { endTask, spendTask, startTask, updateTask } from './tasks.ts';
import { endSession, endTurn, startTurn, tellFigures } from './turns.ts';
import {
  addError,
  addNotice,
  addRaw,
  changeCompaction,
  changeHook,
  changeMode,
  endRetry,
  startRetry,
} from './weather.ts';

/**
 * The conversation after one more event. No event makes it throw, in whatever order they come.
 *
 * @example
 * const conversation = events.reduce(reduce, createConversation());
 */
export function reduce(conversation: Conversation, event: AgentStreamEvent): Conversation {
  // `/clear` begins a new session in the same process: the newest is the one to go on with.
  const known =
    event.sessionId === undefined || event.sessionId === conversation.sessionId
      ? conversation
      : { ...conversation, sessionId: event.sessionId };
  return apply(known, event);
}

function apply(conversation: Conversation, event: AgentStreamEvent): Conversation {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return growBlock(conversation, event);
    case 'run-start':
      return addRunPrompt({ ...conversation, run: runAfter(conversation.run, event) }, event);
    case 'run-state':
      return { ...conversation, run: runAfter(conversation.run, event) };
    case 'session-start':
      return startSession(conversation, event);
    case 'session-update':
      return updateSession(conversation, event);
    case 'session-end':
      return endSession(conversation, event);
    case 'turn-start':
      return startTurn(conversation, event);
    case 'turn-end':
      return endTurn(conversation, event);
    case 'step-start':
    case 'step-end':
      // A step is a message, of which `message-*` tell all that people see.
      return conversation;
    case 'user-message':
      return addPrompt(conversation, event);
    case 'message-start':
      return startMessage(conversation, event);
    case 'message-end':
      return endMessage(conversation, event);
    case 'message-retract':
      return retract(conversation, event);
    case 'text-start':
    case 'reasoning-start':
      return startBlock(conversation, event);
    case 'text-end':
    case 'reasoning-end':
      return endBlock(conversation, event);
    case 'tool-call-start':
      return startCall(conversation, event);
    case 'tool-call-input-delta':
      return growInput(conversation, event);
    case 'tool-call-input-end':
      return endInput(conversation, event);
    case 'tool-call-update':
      return updateCall(conversation, event);
    case 'tool-call-end':
      return endCall(conversation, event);
    case 'file-change':
      return changeFiles(conversation, event);
    case 'todo-update':
      return changeTodos(conversation, event);
    case 'plan-update':
      return changePlan(conversation, event);
    case 'task-start':
      return startTask(conversation, event);
    case 'task-update':
      return updateTask(conversation, event);
    case 'task-end':
      return endTask(conversation, event);
    case 'usage-update':
      return updateUsage(conversation, event);
    case 'rate-limit-update': {
      const { status, window, resetsAt, used } = event;
      return { ...conversation, rateLimit: { status, ...told({ window, resetsAt, used }) } };
    }
    case 'retry-start':
      return startRetry(conversation, event);
    case 'retry-end':
      return endRetry(conversation, event);
    case 'compaction-start':
    case 'compaction-end':
      return changeCompaction(conversation, event);
    case 'permission-request':
      return requestPermission(conversation, event);
    case 'permission-resolve':
      return resolvePermission(conversation, event);
    case 'question-request':
      return requestAnswer(conversation, event);
    case 'question-resolve':
      return resolveAnswer(conversation, event);
    case 'hook-start':
    case 'hook-end':
      return changeHook(conversation, event);
    case 'notice':
      return addNotice(conversation, event);
    case 'error':
      return addError(conversation, event);
    case 'raw':
      return addRaw(conversation, event);
    default:
      return unheard(conversation, event);
  }
}

/** The compiler sees to it that no event is forgotten; one of a later version changes nothing. */
function unheard(conversation: Conversation, _event: never): Conversation {
  return conversation;
}

function runAfter(run: Run | null, event: EventOf<'run-start' | 'run-state'>): Run {
  const since = told({ since: event.at });
  if (event.type === 'run-start') {
    const { runId, prompt } = event;
    return { runId, state: 'starting', ...since, ...told({ prompt }) };
  }
  const { runId = '', prompt, untoldPrompt } = run ?? {};
  const { state, toolCallIds, reason } = event;
  return { runId, state, ...since, ...told({ prompt, untoldPrompt, toolCallIds, reason }) };
}

function startSession(conversation: Conversation, event: EventOf<'session-start'>): Conversation {
  const { agent, permissionMode } = event;
  return {
    ...learn(conversation, event),
    ...(agent !== 'unknown' && { agent }),
    ...told({ permissionMode }),
    // Where the session goes on in another process, it has not ended after all.
    state: conversation.turnId === null ? 'starting' : 'running',
  };
}

function updateSession(conversation: Conversation, event: EventOf<'session-update'>): Conversation {
  const { title, state } = event;
  return { ...changeMode(learn(conversation, event), event), ...told({ title, state }) };
}

function learn(conversation: Conversation, event: EventOf<'session-start' | 'session-update'>): Conversation {
  const { agentVersion, model, cwd, tools, mcpServers, commands } = event;
  return { ...conversation, ...told({ agentVersion, model, cwd, tools, mcpServers, commands }) };
}

/** Counts of a step or a turn come again with its end; what the whole session has used does not. */
function updateUsage(conversation: Conversation, event: EventOf<'usage-update'>): Conversation {
  const { scope, subagentId, contextUsed: used, contextSize: size } = event;
  if (subagentId !== undefined) {
    return scope === 'session' || scope === 'turn' ? spendTask(conversation, { ...event, subagentId }) : conversation;
  }
  const isContext = used !== undefined || size !== undefined;
  const next = isContext
    ? { ...conversation, context: { ...conversation.context, ...told({ used, size }) } }
    : conversation;
  return scope === 'session' ? tellFigures(next, event) : next;
}
