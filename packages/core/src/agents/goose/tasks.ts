// Sub-agents. `delegate` starts one and gives its last words; one in the background gives them to `load`. What it does is not printed,
// only the names of its tools.

import type { Outcome } from '../../event/event.ts';
import { asObject, asText, type Json, type Loose } from '../../event/json.ts';
import type { OpenCall } from '../narrator/calls.ts';
import type { Narrator } from '../narrator/narrator.ts';
import { errorSaid } from './sayings.ts';
import type { GooseResult } from './wire.ts';

interface Brief {
  instructions: string;
  source: string;
  async: boolean;
}

/** One that the call waits for. */
export function startTask(narrator: Narrator, id: string, { id: toolCallId, input }: OpenCall): void {
  if (asObject<Brief>(input)?.async === true) return;
  narrator.startTask({ id, kind: 'agent', toolCallId, ...briefOf(input) });
}

/** What the result of a call tells of a sub-agent: that it was sent off, or how it ended. */
export function tellTask(
  narrator: Narrator,
  id: string,
  call: OpenCall,
  { result, outcome, text }: { result: Loose<GooseResult> | undefined; outcome: Outcome; text: string },
): void {
  const sessionId = asText(asObject<GooseResult['_meta']>(result?._meta)?.subagent_session_id);
  if (narrator.isTaskOpen(id)) {
    // Its last words may be that it failed.
    const error = errorSaid(text, true);
    narrator.endTask(id, { outcome: error ? 'error' : outcome, result: text, ...(error && { error }) });
  } else if (sessionId !== undefined && narrator.isTaskOpen(sessionId)) {
    narrator.endTask(sessionId, { outcome: outcomeIn(text), result: outputIn(text) });
  } else if (sessionId !== undefined && call.name === 'delegate') {
    const start = { id: sessionId, kind: 'agent', toolCallId: call.id, background: true } as const;
    narrator.startTask({ ...start, ...briefOf(call.input) });
  }
}

function briefOf(input: Json): { name?: string; prompt?: string } {
  const brief = asObject<Brief>(input);
  const [name, prompt] = [asText(brief?.source), asText(brief?.instructions)];
  return { ...(name !== undefined && { name }), ...(prompt !== undefined && { prompt }) };
}

const STATUS = /\n\*\*Status:\*\* (\S)/;
const OUTPUT = '\n## Output\n\n';

function outcomeIn(text: string): Outcome {
  const sign = STATUS.exec(text.slice(0, 2_000))?.[1];
  if (sign === '✓') return 'success';
  return sign === '✗' ? 'error' : 'unknown';
}

function outputIn(text: string): string {
  const start = text.indexOf(OUTPUT);
  return start < 0 ? text : text.slice(start + OUTPUT.length);
}
