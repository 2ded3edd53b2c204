// Sub-agents. What one does is not printed; the result of the call that started it tells how it ended, and its last words.

import type { Outcome } from '../../event/event.ts';
import { asObject, asText, entryOf } from '../../event/json.ts';
import type { OpenCall } from '../narrator/calls.ts';
import type { Narrator } from '../narrator/narrator.ts';

interface Brief {
  description: string;
  prompt: string;
  subagent_type: string;
  run_in_background: boolean;
}

export function startTask(narrator: Narrator, id: string, { id: toolCallId, input }: OpenCall): void {
  const brief = asObject<Brief>(input);
  const [name, description, prompt] = [brief?.subagent_type, brief?.description, brief?.prompt].map(asText);
  narrator.startTask({
    id,
    kind: 'agent',
    toolCallId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(prompt !== undefined && { prompt }),
    ...(brief?.run_in_background === true && { background: true }),
  });
}

const STATUS = 'status: ';
const WORDS = '\n\n[summary]\n';
const FAILURE = 'subagent error: ';

const OUTCOMES: Readonly<Record<string, Outcome>> = { completed: 'success', failed: 'error', cancelled: 'cancelled' };

/** One that goes on in the background is not over with the call, and nobody says when it is. */
export function tellTask(narrator: Narrator, id: string, text: string): void {
  const status = statusIn(text);
  if (status === 'running') return;
  const failure = textFrom(text, FAILURE);
  const outcome = entryOf(OUTCOMES, status) ?? (failure === undefined ? 'unknown' : 'error');
  const error = outcome === 'error' ? { code: 'unknown' as const, message: failure ?? text } : undefined;
  narrator.endTask(id, { outcome, result: textFrom(text, WORDS) ?? text, ...(error && { error }) });
}

/** It stands among the first lines. */
function statusIn(text: string): string | undefined {
  const lines = text.slice(0, 1_000).split('\n', 6);
  return lines.find((line) => line.startsWith(STATUS))?.slice(STATUS.length);
}

function textFrom(text: string, mark: string): string | undefined {
  const start = text.indexOf(mark);
  return start < 0 ? undefined : text.slice(start + mark.length);
}
