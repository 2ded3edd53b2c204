// What a call has put out: as far as it has come, and when it is over.

import type { ContentPart, EventOf } from '../../event/event.ts';
import { asList, asObject, asText } from '../../event/json.ts';
import type { ToolOutput } from './chunk.ts';
import { told } from './told.ts';

/** So much of a growing output is shown, from its end. */
const SHOWN_CHARACTERS = 4_000;
/** The protocol has no deltas of outputs, so the end is sent again when at least this part of it is new: five times the bytes at most. */
const NEW_PART = 1 / 4;

export interface Printed {
  text: string;
  /** Characters that came since it was sent last. */
  fresh: number;
}

/** Takes what came, and gives what is to be shown now, if anything. */
export function growOutput(printed: Printed, event: EventOf<'tool-call-update'>): ToolOutput | undefined {
  const snapshot = asText(event.outputSnapshot);
  const delta = asText(event.outputDelta) ?? '';
  if (snapshot !== undefined) {
    const text = snapshot.slice(-SHOWN_CHARACTERS);
    if (text === printed.text) return undefined;
    printed.text = text;
    printed.fresh = text.length;
  } else {
    printed.text = (printed.text + delta).slice(-SHOWN_CHARACTERS);
    printed.fresh += delta.length;
  }
  if (printed.fresh === 0 || printed.fresh < printed.text.length * NEW_PART) return undefined;
  printed.fresh = 0;
  return { content: [{ type: 'text', text: printed.text }] };
}

export function outputOf({ content, output, exitCode }: EventOf<'tool-call-end'>): ToolOutput {
  return { content: partsOf(content), ...told({ output, exitCode }) };
}

/** Why it failed, in words. */
export function errorTextOf({ content, error, outcome }: EventOf<'tool-call-end'>): string {
  const text = partsOf(content)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .filter((line) => line !== '')
    .join('\n');
  if (text !== '') return text;
  return (
    asText(error?.message) || (outcome === 'cancelled' ? 'The call was cancelled.' : 'Nobody told how the call ended.')
  );
}

/** Whether anything came out that is no text. */
export function hasMore(content: readonly ContentPart[]): boolean {
  return partsOf(content).some((part) => part.type !== 'text');
}

function partsOf(content: unknown): readonly ContentPart[] {
  // A part is an object with a type; whoever shows it looks at what it has.
  return asList(content).filter((part): part is ContentPart => {
    const type = asObject(part)?.['type'];
    return type === 'text' ? asText(asObject(part)?.['text']) !== undefined : typeof type === 'string';
  });
}
