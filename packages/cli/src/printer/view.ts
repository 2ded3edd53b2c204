// How a stream is shown: on a terminal live, anywhere else as it comes.

import type { AgentStreamEvent, Ledger } from '@tailrace/core';
import type { LineCount } from './line-count.ts';
import type { Opening } from './opening.ts';
import type { PrinterOptions } from './printer.ts';

export interface View {
  show(events: readonly AgentStreamEvent[]): void | Promise<void>;
  /** A quiet row of our own. */
  note(text: string): void | Promise<void>;
  /** A word to whoever looks on, in place of what the agent is at. */
  say(text: string): void;
  /** The end: what is printed last, and what the person is called with, if they are. */
  close(closing: string, called?: string): void | Promise<void>;
  /** What it has cost by the table of prices, where that was loaded; in USD. */
  estimatedUsd?(): number | undefined;
  /** All lines that were added and removed. */
  readonly changed: LineCount;
  /** Whether this trouble is what was printed last. */
  told(message: string): boolean;
}

export interface ViewOptions extends PrinterOptions {
  readonly opening: Opening;
  readonly ledger: Ledger;
  /** Told of each event before it is shown: what counts does not depend on how many come at once. */
  readonly hear: (event: AgentStreamEvent) => void;
  /** Words as they come, nothing laid out. */
  readonly plain: boolean;
  /** Nothing but what is printed at the end. */
  readonly quiet: boolean;
  /** Whether the person is called when they are waited for, and at the end. */
  readonly notify: boolean;
}
