// What a test has in the place of eyes and a clock: it says what is on the screen, and how much time has passed.

import { act, configure } from '@testing-library/react';
import { vi } from 'vitest';

export interface Screen {
  /** Everything that is watched for comes on the screen. */
  showAll(): void;
  /** So many milliseconds pass at once. */
  pass(ms: number): void;
}

// What is waited for comes when it comes: other things run on the same machine.
configure({ asyncUtilTimeout: 30_000 });

export function stubScreen(): Screen {
  const watched = new Map<Element, () => void>();
  class TestObserver {
    readonly #tell: IntersectionObserverCallback;
    readonly #own = new Set<Element>();
    constructor(tell: IntersectionObserverCallback) {
      this.#tell = tell;
    }
    observe(target: Element): void {
      this.#own.add(target);
      // No more of an entry is looked at, and nobody asks for the observer.
      const entry = { target, isIntersecting: true, intersectionRatio: 1 } as unknown as IntersectionObserverEntry;
      watched.set(target, () => this.#tell([entry], this as unknown as IntersectionObserver));
    }
    disconnect(): void {
      for (const target of this.#own) watched.delete(target);
    }
  }
  vi.stubGlobal('IntersectionObserver', TestObserver);
  let passed = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  return {
    showAll() {
      act(() => {
        for (const show of [...watched.values()]) show();
      });
    },
    pass(ms) {
      passed += ms;
    },
  };
}

/** The screen has been drawn. */
export async function drawn(): Promise<void> {
  await act(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => done()));
      }),
  );
}
