// `assistant` lines: one whole content block each (a few, when the answer came without streaming).

import type { StopReason } from '../../../event/event.ts';
import { asList, asObject, asText, type Json, type Loose } from '../../../event/json.ts';
import { textIn } from '../../content.ts';
import { blockHandlers } from './blocks.ts';
import { errorOf, stopReasonOf } from './errors.ts';
import { claimBlock, openMessage, setStopReason, tellText } from './messages.ts';
import { rememberShown, retractLines } from './retract.ts';
import { endRetry } from './retry.ts';
import { byId, inThread, type Message, parentOf, type State, type Thread } from './state.ts';
import { threadOf } from './tasks.ts';
import { currentTurn } from './turns.ts';
import { asAmount, usageOf } from './usage.ts';
import type { AssistantLine, ToolUseMeta, WireBlock, WireMessage } from './wire.ts';

/** The model name on lines that the CLI made itself. */
const SYNTHETIC = '<synthetic>';

export function translateAssistant(state: State, line: Loose<AssistantLine>): void {
  const thread = threadOf(state, line);
  const body = asObject<WireMessage>(line.message) ?? {};
  const blocks = blocksOf(body.content);
  const superseded = asList(line.supersedes);
  if (superseded.length > 0) retractLines(state, superseded, 'superseded');
  const turn = thread === state.main ? currentTurn(state) : undefined;
  if (body.model === SYNTHETIC && isErrorLine(line)) {
    inThread(state, thread, () => writeError(state, line, textIn(blocks), thread));
    return;
  }
  endRetry(state, 'success');
  const isLocal = asText(line.local_command_source) !== undefined;
  const message = openMessage(state, thread, {
    // What a local command printed has an id of its own in the stream, and none in the session file.
    id: (isLocal ? undefined : asText(body.id)) ?? asText(line.uuid) ?? `message-${state.out.line}`,
    model: body.model === SYNTHETIC ? undefined : asText(body.model),
    usage: body.model === SYNTHETIC ? undefined : usageOf(body.usage),
    costUsd: asAmount(line.costUSD),
    turn,
    isStep: body.model !== SYNTHETIC,
  });
  setStopReason(message, line.aborted === true ? 'cancelled' : stopReasonOf(asText(body.stop_reason)));
  if (thread === state.main) state.ending = endingOf(message.stopReason);
  const word = asText(line.error);
  if (word !== undefined) message.error = errorOf({ word, message: textIn(blocks) || word });
  inThread(state, thread, () => tellBlocks(state, line, message, blocks));
}

/** How a session file would end after an answer that stopped so. A call has still to be answered. */
function endingOf(reason: StopReason | undefined): State['ending'] {
  if (reason === undefined || reason === 'tool_use') return undefined;
  return { outcome: reason === 'cancelled' ? 'cancelled' : 'success' };
}

function tellBlocks(state: State, line: Loose<AssistantLine>, message: Message, blocks: readonly Json[]): void {
  const blockIds: string[] = [];
  const callIds: string[] = [];
  const metas = byId<ToolUseMeta>(line.tool_use_meta);
  for (const value of blocks) {
    // One bad block is stepped over; its neighbours are kept.
    const block = asObject<WireBlock>(value);
    const type = asText(block?.type);
    const handle = blockHandlers.get(type ?? '');
    if (!block || !handle) {
      claimBlock(message);
      state.out.write({ type: 'raw', reason: 'unknown_block', value, nativeType: type ?? typeof value });
      continue;
    }
    const shown = handle(state, { line, metas, message, block });
    if (shown?.blockId) blockIds.push(shown.blockId);
    if (shown?.callId) callIds.push(shown.callId);
  }
  const uuid = asText(line.uuid);
  if (uuid !== undefined) rememberShown(state, { uuid, messageId: message.id, blockIds, callIds });
}

/** The content as a list: look-alikes print a string, or one bare block. */
export function blocksOf(content: Json): readonly Json[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : content === undefined || content === null ? [] : [content];
}

function isErrorLine(line: Loose<AssistantLine>): boolean {
  return line.is_api_error_message === true || asText(line.error) !== undefined;
}

function writeError(state: State, line: Loose<AssistantLine>, text: string, thread: Thread): void {
  const word = asText(line.error);
  const status = typeof line.api_error_status === 'number' ? line.api_error_status : undefined;
  const isKnownWord = word !== undefined && word !== 'unknown';
  const error = errorOf({ message: text, word: isKnownWord ? word : asText(line.api_error_type), status });
  if (thread === state.main) {
    endRetry(state, 'error');
    state.toldError = error;
    const type = asText(line.api_error_type);
    state.ending = {
      outcome: 'error',
      error: type === undefined ? error : errorOf({ message: text, word: type, status }),
    };
  }
  // While a call of this thread is still running, the CLI goes on after the error.
  const isRunning = thread.calls.size > 0;
  state.out.write({ type: 'error', error, fatal: !isRunning && parentOf(line) === undefined });
}

/** Text that the CLI shows in its own name, as a message without a model. */
export function tellOwnText(state: State, id: string, text: string): void {
  const turn = currentTurn(state);
  const message = openMessage(state, state.main, { id, model: undefined, usage: undefined, turn, isStep: false });
  tellText(state, message, 'text', text, (block) =>
    state.out.write({ type: 'text-end', messageId: id, blockId: block.id, text }),
  );
}
