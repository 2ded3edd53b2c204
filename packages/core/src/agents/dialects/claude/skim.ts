// Deltas are most of a stream with partial messages. One that is like the delta before it, but for its text and its uuid,
// grows the same block, and nothing else need be read of it.

import { asObject, asText, type Loose } from '../../../event/json.ts';
import { type LineTemplate, learnTemplate } from '../../../lines/template.ts';
import type { Block, Message, State } from './state.ts';
import type { StreamDelta, StreamEvent, StreamLine } from './wire.ts';

/** What the next line is compared with, and what it does if it fits. */
export interface Skimming {
  readonly template: LineTemplate;
  readonly message: Message;
  readonly block: Block;
  readonly sessionId: string | undefined;
  readonly grow: (delta: string) => void;
}

/** After so many templates in a row that no line fitted, the stream is of another kind, and nobody tries any more. */
const MAX_MISSES = 16;

/** Learns from a delta on the main thread that has just been translated. */
export function learn(
  state: State,
  line: Loose<StreamLine>,
  delta: Loose<StreamDelta>,
  target: { readonly message: Message; readonly block: Block; readonly grow: (delta: string) => void },
  key: 'text' | 'thinking' | 'partial_json',
): void {
  const { lineText } = state;
  const text = asText(delta[key]);
  const uuid = asText(line.uuid);
  if (lineText === undefined || !text || uuid === undefined || state.skimMisses > MAX_MISSES) return;
  if (line.timestamp !== undefined || target.message.thread !== state.main) return;
  const template = learnTemplate(lineText, [key, text], ['uuid', uuid], (value) => {
    const probe = asObject<StreamLine>(value);
    const grown = asObject<StreamDelta>(asObject<StreamEvent>(probe?.event)?.delta);
    return [grown?.[key], probe?.uuid];
  });
  state.skimMisses++;
  state.skimming = template && { template, sessionId: state.out.sessionId, ...target };
}

/** Whether the line was a delta like the one before; then it has been translated. */
export function skim(state: State, text: string): boolean {
  const { skimming, out } = state;
  if (!skimming?.block.isOpen || state.main.message !== skimming.message || !state.newestTurn) return false;
  const delta = skimming.template.fit(text);
  if (delta === undefined) return false;
  state.skimMisses = 0;
  state.isActive = true;
  out.sessionId = skimming.sessionId;
  skimming.grow(delta);
  return true;
}
