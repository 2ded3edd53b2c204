// How the message ends. An `error` chunk makes `useChat` stop reading: everything else has been said by then.

import type { StopReason } from '../../event/event.ts';
import { asText, entryOf } from '../../event/json.ts';
import type { AgentMetadata, Send, UIFinishReason } from './chunk.ts';

const REASONS: Readonly<Record<StopReason, UIFinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  context_full: 'length',
  refusal: 'content-filter',
  content_filter: 'content-filter',
  // Its answer was a call, as where a schema is to be filled: of a run that is over, nothing is to be done for it.
  tool_use: 'stop',
  max_turn_requests: 'other',
  max_budget: 'other',
  cancelled: 'interrupted',
  error: 'error',
  unknown: 'other',
};

/** Says the end. `failure`: what kept the events from coming, in words for whoever reads the message. */
export function sendFinish(send: Send, metadata: AgentMetadata, failure: string | undefined): void {
  const { outcome, error } = metadata;
  if (failure !== undefined) send({ type: 'error', errorText: failure });
  else if (outcome === 'error') send({ type: 'error', errorText: asText(error?.message) || 'The run failed.' });
  else if (outcome === 'cancelled') send({ type: 'abort', reason: asText(error?.message) || 'The run was stopped.' });
  const finishReason = failure === undefined ? reasonOf(metadata) : 'error';
  send({ type: 'finish', finishReason, messageMetadata: metadata });
}

function reasonOf({ outcome, stopReason }: AgentMetadata): UIFinishReason {
  switch (outcome) {
    case 'error':
      return 'error';
    case 'success':
      return stopReason === undefined ? 'stop' : (entryOf(REASONS, stopReason) ?? 'other');
    case 'denied':
      return 'other';
    default:
      // Stopped, or nobody told an end: what is there may not be all.
      return 'interrupted';
  }
}
