// A turn is one prompt answered. It starts with the first line that belongs to it, which may come before its `init`, and
// ends with its `result`. A background agent can make the CLI begin a second turn before it prints the first one's result,
// so results are paired with the oldest open turn.

import { type State, type Turn, uniqueId } from './state.ts';

/** The turn that a line of the main thread belongs to. A session file has none: nothing in it ends one. */
export function currentTurn(state: State): Turn | undefined {
  state.isActive = true;
  if (state.isTranscript) return undefined;
  return state.newestTurn ?? startTurn(state);
}

/** `init` opens a turn, unless the newest one is still waiting for its own. */
export function turnOfInit(state: State): void {
  state.isActive = true;
  const turn = state.newestTurn && !state.newestTurn.hasInit ? state.newestTurn : startTurn(state);
  turn.hasInit = true;
}

/** Takes the oldest turn from the open ones; a result without anything before it has a turn all the same. */
export function takeOldestTurn(state: State): Turn {
  const [oldest] = state.openTurns;
  const turn = oldest ?? state.newestTurn ?? startTurn(state);
  state.openTurns.delete(turn);
  if (state.openTurns.size === 0) state.newestTurn = undefined;
  return turn;
}

function startTurn(state: State): Turn {
  const id = uniqueId(state, 'turn', `turn-${state.out.line}`);
  const turn: Turn = { id, hasInit: false, steps: 0, input: 0, calls: new Set() };
  state.openTurns.add(turn);
  state.newestTurn = turn;
  state.out.write({ type: 'turn-start', turnId: turn.id });
  return turn;
}
