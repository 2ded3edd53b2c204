// One line of thought, the main thread's or a sub-agent's: its model call, its message, and the blocks of that.

import type { EventDraft } from '../../event/draft.ts';
import type { EventWriter } from '../agent.ts';

export type BlockKind = 'text' | 'reasoning';

export interface Block {
  readonly kind: BlockKind;
  readonly id: string;
  /** What its deltas made so far. */
  text: string;
}

export interface Message {
  readonly id: string;
  /** The agent's own id, or the one it was given for want of one. */
  readonly nativeId: string;
  /** Open blocks, by whatever the agent tells them apart by. */
  readonly blocks: Map<string, Block>;
  /** Blocks so far, ended ones included. */
  count: number;
}

interface Step {
  readonly id: string;
  hasMessage: boolean;
}

export interface Thread {
  /** The task of the sub-agent; absent on the main thread. */
  readonly taskId: string | undefined;
  step: Step | undefined;
  message: Message | undefined;
}

export const createThread = (taskId?: string): Thread => ({ taskId, step: undefined, message: undefined });

/** Writes an event as the thread's own. */
export function writeAs(out: EventWriter, thread: Thread, event: EventDraft): void {
  const before = out.subagentId;
  out.subagentId = thread.taskId;
  out.write(event);
  out.subagentId = before;
}
