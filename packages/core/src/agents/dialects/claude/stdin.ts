// What was written to the CLI, read back from the record. A prompt is shown when the CLI takes it up and prints it again; one that
// it never took up is shown at the end, so that nothing the person said is lost.

import { asText, type Loose } from '../../../event/json.ts';
import type { State } from './state.ts';
import { writeSaid } from './user.ts';
import type { UserLine, WireLine } from './wire.ts';

/** Keeps a prompt until it comes back; false for everything else, which means what it would mean on stdout. */
export function holdPrompt(state: State, line: Loose<WireLine>): boolean {
  const id = asText(line.uuid);
  if (line.type !== 'user' || id === undefined) return false;
  state.prompts.set(id, line);
  return true;
}

/** What is left at the end was never taken up. */
export function showPrompts(state: State): void {
  for (const line of state.prompts.values()) writeSaid(state, line as Loose<UserLine>, 'prompt');
  state.prompts.clear();
}
