// Sub-agents: when one starts and stops.

import { asObject, asText, type Loose } from '../../../event/json.ts';
import { abandonCalls } from '../../dialects/claude/calls.ts';
import type { Call, State } from '../../dialects/claude/state.ts';
import { translateTaskNotification, translateTaskStarted } from '../../dialects/claude/tasks.ts';
import { type Feed, keep } from './feed.ts';
import { closeTexts } from './texts.ts';
import type { HookPayload } from './wire.ts';

interface HelperInput {
  subagent_type: string;
  description: string;
  prompt: string;
}

export function subagentStarts(feed: Feed, payload: Loose<HookPayload>): void {
  const { state } = feed;
  const id = asText(payload.agent_id);
  if (id === undefined) return keep(feed, payload);
  const name = asText(payload.agent_type) || undefined;
  const caller = callerOf(state, name);
  const input = asObject<HelperInput>(caller?.input);
  translateTaskStarted(state, {
    task_id: id,
    tool_use_id: caller?.id,
    task_type: 'local_agent',
    subagent_type: name,
    description: input?.description,
    prompt: input?.prompt,
  });
}

/** The call that a sub-agent works for: no payload tells, so it is only named when there is one that it could be. */
function callerOf(state: State, type: string | undefined): Call | undefined {
  const could: Call[] = [];
  for (const thread of state.threads.values()) {
    for (const call of thread.calls) {
      if (!state.speaker.traitsOf(call.name).tags?.includes('subagent') || state.tasksByCall.has(call.id)) continue;
      const wanted = asText(asObject<HelperInput>(call.input)?.subagent_type);
      if (wanted === undefined || wanted === type) could.push(call);
    }
  }
  return could.length === 1 ? could[0] : undefined;
}

export function subagentStops(feed: Feed, payload: Loose<HookPayload>): void {
  const { state } = feed;
  const id = asText(payload.agent_id);
  // What sums up the conversation stops like a sub-agent, without a name and without having started.
  if (id === undefined || (!state.tasks.has(id) && !asText(payload.agent_type))) return keep(feed, payload);
  const thread = state.threads.get(id);
  if (thread) {
    closeTexts(feed, thread);
    abandonCalls(state, thread.calls, 'unknown');
  }
  translateTaskNotification(state, {
    task_id: id,
    status: 'completed',
    subagent_type: asText(payload.agent_type) || undefined,
    summary: asText(payload.last_assistant_message),
  });
}
