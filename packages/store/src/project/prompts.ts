// What a person said, each once. Whoever started the run tells the prompt, the agent's stdout repeats it, its file has it too;
// some of them with an id and some without. The n-th time one source says a text is the n-th time another says it.

import { beginningOf } from './beginning.ts';
import type { CheckpointRow, MessageRow } from './rows.ts';

/** At most this many prompts of a session can be gone back to; the oldest go first. */
export const MAX_CHECKPOINTS = 100;

/** How a prompt was told: by the host, by the agent without an id, or with one. */
export type Teller = 'host' | 'nameless' | 'named';

interface Prompt {
  readonly message: MessageRow;
  readonly text: string;
}

export interface Prompts {
  /** The message that it is already, or nothing when it is new: then it has to be `put`. */
  find(text: string, teller: Teller, subagentId: string | null): MessageRow | undefined;
  put(message: MessageRow, text: string): void;
  /** The first that was said on the main thread. */
  first(): string | null;
  /** Those of the main thread that have an id, in the order in which they were said. */
  checkpoints(): readonly CheckpointRow[];
}

const SHOWN_CHARACTERS = 200;

export function createPrompts(): Prompts {
  const main: Prompt[] = [];
  const byText = new Map<string, { readonly rows: MessageRow[]; readonly counts: Map<string, number> }>();

  return {
    find(text, teller, subagentId) {
      const key = `${subagentId ?? ''} ${text.trim()}`;
      const known = byText.get(key) ?? { rows: [], counts: new Map<string, number>() };
      byText.set(key, known);
      const count = known.counts.get(teller) ?? 0;
      known.counts.set(teller, count + 1);
      return known.rows[count];
    },
    put(message, text) {
      byText.get(`${message.subagentId ?? ''} ${text.trim()}`)?.rows.push(message);
      if (message.subagentId === null) main.push({ message, text });
    },
    first: () => inOrder(main)[0]?.text ?? null,
    checkpoints: () =>
      inOrder(main)
        .flatMap(({ message: { id, at }, text }) =>
          id === null ? [] : { id, text: beginningOf(text, SHOWN_CHARACTERS), at },
        )
        .slice(-MAX_CHECKPOINTS),
  };
}

function inOrder(prompts: readonly Prompt[]): readonly Prompt[] {
  return [...prompts].sort((a, b) => a.message.order - b.message.order || a.message.number - b.message.number);
}
