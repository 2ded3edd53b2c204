// Something a person wants done once. However often they ask for it meanwhile, one command is sent; whatever comes of it, the next time
// is another wish.

import type { FolderBrings } from '@tailrace/protocol';
import { isClientError } from '../errors.ts';

export interface IntentView {
  readonly isBusy: boolean;
  /** What went wrong, as a sentence. */
  readonly error: string | null;
  /** Nobody said yes to what the folder brings. */
  readonly folder: FolderBrings | null;
}

export interface Intent {
  /** Does the work with a key of its own, unless it is being done. Gives nothing where it was not done or failed. */
  run<T>(work: (commandId: string) => Promise<T>): Promise<T | undefined>;
  clear(): void;
  subscribe(listener: () => void): () => void;
  getSnapshot(): IntentView;
}

const REST: IntentView = { isBusy: false, error: null, folder: null };

export function createIntent(): Intent {
  const listeners = new Set<() => void>();
  let view = REST;

  function show(next: IntentView): void {
    view = next;
    for (const listener of [...listeners]) listener();
  }

  return {
    async run(work) {
      if (view.isBusy) return undefined;
      show({ ...REST, isBusy: true });
      try {
        const result = await work(crypto.randomUUID());
        show(REST);
        return result;
      } catch (error) {
        const folder = isClientError(error) ? (error.problem?.folder ?? null) : null;
        show({ isBusy: false, folder, error: folder ? null : sentenceOf(error) });
        return undefined;
      }
    },
    clear: () => show(REST),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getSnapshot: () => view,
  };
}

/** What went wrong, for people. */
export function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const sentence = text === '' ? 'Something went wrong' : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
