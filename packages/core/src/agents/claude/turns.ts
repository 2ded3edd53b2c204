// A turn is one prompt answered. It starts with the first line that belongs to it, which may come before its `init`, and
// ends with its `result`. A background agent can make the CLI begin a second turn before it prints the first one's result,
// so results are paired with the oldest open turn.

import { type State, type Turn, uniqueId } from './state.ts';

/** The turn that a line of the main thread belongs to. */
export function currentTurn(state: State): Turn {
  state.isActive = true;
  return state.openTurns.at(-1) ?? startTurn(state);
}

/** `init` opens a turn, unless the newest one is still waiting for its own. */
export function turnOfInit(state: State): void {
  state.isActive = true;
  const newest = state.openTurns.at(-1);
  const turn = newest && !newest.hasInit ? newest : startTurn(state);
  turn.hasInit = true;
}

function startTurn(state: State): Turn {
  const turn: Turn = { id: uniqueId(state, 'turn', `turn-${state.out.line}`), hasInit: false, steps: 0, input: 0 };
  state.openTurns.push(turn);
  state.out.write({ type: 'turn-start', turnId: turn.id });
  return turn;
}
