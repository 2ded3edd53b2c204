// Prompts, and how the answering of them ends.

import type { AgentError, Outcome, StopReason } from '../../../event/event.ts';
import { asText, type Loose } from '../../../event/json.ts';
import type { Exit } from '../../agent.ts';
import { abandonCalls } from '../../dialects/claude/calls.ts';
import { cancelRequest } from '../../dialects/claude/control.ts';
import { errorOf } from '../../dialects/claude/errors.ts';
import { closeTurn } from '../../dialects/claude/result.ts';
import { endCompaction } from '../../dialects/claude/session.ts';
import { endTask, endTaskByNotice } from '../../dialects/claude/tasks.ts';
import { currentTurn, takeOldestTurn } from '../../dialects/claude/turns.ts';
import { type Feed, keep } from './feed.ts';
import { closeTexts, showWhole } from './texts.ts';
import type { HookPayload } from './wire.ts';

const NOTIFICATION = '<task-notification>';

/** What is typed while an answer is under way has the prompt's id. Another id means that the answer was broken off: no payload says so. */
export function promptSubmitted(feed: Feed, payload: Loose<HookPayload>): void {
  const { state } = feed;
  const text = asText(payload.prompt);
  if (text === undefined) return keep(feed, payload);
  const promptId = asText(payload.prompt_id);
  if (state.newestTurn && promptId !== feed.promptId)
    endTurn(feed, { outcome: 'cancelled', stopReason: 'cancelled', synthetic: true });
  const isOpen = state.newestTurn !== undefined;
  const isNotice = text.startsWith(NOTIFICATION);
  feed.promptId = promptId;
  currentTurn(state);
  state.out.write({
    type: 'user-message',
    content: [{ type: 'text', text }],
    origin: isNotice ? 'injected' : isOpen ? 'steering' : 'prompt',
    extra: promptId === undefined ? undefined : { claude: { promptId } },
  });
  if (isNotice) endTaskByNotice(state, text);
}

export function answerStops(feed: Feed, payload: Loose<HookPayload>): void {
  const result = asText(payload.last_assistant_message);
  // A CLI that does not tell what it shows tells the last text at least.
  if (result && !feed.hasShown) showWhole(feed, result);
  endTurn(feed, { outcome: 'success', stopReason: 'end_turn', result });
}

export function answerFails(feed: Feed, payload: Loose<HookPayload>): void {
  const word = asText(payload.error);
  const shown = asText(payload.last_assistant_message);
  const message = asText(payload.error_details) ?? shown ?? word ?? 'the turn failed';
  endTurn(feed, { outcome: 'error', stopReason: 'error', result: shown, error: errorOf({ word, message }) });
}

interface TurnEnd {
  readonly outcome: Outcome;
  readonly stopReason: StopReason;
  readonly result?: string | undefined;
  readonly error?: AgentError;
  readonly synthetic?: true;
}

function endTurn(feed: Feed, end: TurnEnd): void {
  const { state } = feed;
  closeTexts(feed, state.main);
  const turn = takeOldestTurn(state);
  closeTurn(state, turn, end.outcome);
  state.out.write({ type: 'turn-end', turnId: turn.id, ...end });
  state.turns++;
  state.lastEnd = { outcome: end.outcome, error: end.error };
  state.isActive = false;
  feed.hasShown = false;
}

/** The feed is over: closes what is open, from the inside out. */
export function endSession(feed: Feed, exit: Exit): void {
  const { state } = feed;
  const { out } = state;
  const { outcome, error } = state.speaker.readExit(exit, {
    ending: state.isActive ? undefined : state.lastEnd,
    isOpen: state.isActive,
    isAborted: false,
    error: undefined,
  });
  const open = outcome === 'cancelled' ? 'cancelled' : 'unknown';
  closeTexts(feed);
  for (const thread of state.threads.values()) abandonCalls(state, thread.calls, open);
  for (const task of state.openTasks) endTask(state, task, { outcome: open, synthetic: true });
  while (state.openTurns.size > 0) {
    const turn = takeOldestTurn(state);
    closeTurn(state, turn, outcome);
    out.write({ type: 'turn-end', turnId: turn.id, outcome, error, synthetic: true });
  }
  for (const request of [...state.requests.values()]) cancelRequest(state, request, true);
  endCompaction(state, open, { synthetic: true });
  const { code, signal } = exit;
  const ended = { exitCode: code ?? undefined, signal: signal ?? undefined };
  out.write({ type: 'session-end', outcome, error, turns: state.turns, ...ended });
}
