// Those who hear of a run. Whatever they do, the run goes on.

import type { AgentStreamEvent, RequestEvent, RunState } from '@tailrace/core';
import { messageOf } from '../start/errors.ts';
import type { Greeting } from './greeting.ts';
import type { RecordLine } from './recorder.ts';
import type { Run } from './run.ts';

/** Who hears of a run. What they throw, at once or by a promise, is told as a warning and harms nothing. */
export interface RunListener {
  /** Every row of the record. While a promise it gives is pending, no more than a bounded number of bytes is read. */
  readonly onLines?: ((lines: readonly RecordLine[]) => unknown) | undefined;
  readonly onEvents?: ((events: readonly AgentStreamEvent[]) => unknown) | undefined;
  /** The session that the agent reports, with its tools; again when it becomes another, and when its tools are told only later. */
  readonly onSession?: ((session: Greeting) => unknown) | undefined;
  readonly onState?: ((state: RunState, run: Run) => unknown) | undefined;
  /** Something waits for {@link Run.answer}. Not for what the policy has decided. */
  readonly onRequest?: ((request: RequestEvent) => unknown) | undefined;
}

type Words<K extends keyof RunListener> = Parameters<NonNullable<RunListener[K]>>;

export class Listeners {
  private readonly all = new Set<RunListener>();
  private readonly faulty = new Set<string>();
  private readonly onFault: (sentence: string) => void;

  constructor(onFault: (sentence: string) => void) {
    this.onFault = onFault;
  }

  add(listener: RunListener): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }

  /** Tells all of them; gives the promises that they gave. */
  announce<K extends keyof RunListener>(name: K, ...words: Words<K>): readonly Promise<unknown>[] {
    const promises: Promise<unknown>[] = [];
    for (const listener of this.all) {
      try {
        // The compiler does not see that the words are those of this very name.
        const heard = (listener[name] as ((...all: Words<K>) => unknown) | undefined)?.(...words);
        if (!(heard instanceof Promise)) continue;
        promises.push(heard);
        // One that nobody takes would end the whole program.
        heard.catch((error: unknown) => this.report(name, error));
      } catch (error) {
        this.report(name, error);
      }
    }
    return promises;
  }

  /** Once for each way of hearing: what tells of it is heard by the same listener. */
  report(name: string, error: unknown): void {
    if (this.faulty.has(name)) return;
    this.faulty.add(name);
    this.onFault(`${name} failed: ${messageOf(error)}`);
  }
}
