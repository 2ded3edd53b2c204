// A choice of the person that this browser keeps. Where storage is forbidden it holds as long as the page.

import { useSyncExternalStore } from 'react';

export interface KeptChoice<T extends string> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

/** Of several words one; the first unless another was chosen. */
export function createKeptChoice<T extends string>(name: string, words: readonly [T, ...T[]]): KeptChoice<T> {
  const listeners = new Set<() => void>();
  let own: T | undefined;

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }

  return {
    get() {
      try {
        const kept = localStorage.getItem(name);
        return words.find((word) => word === kept) ?? words[0];
      } catch {
        return own ?? words[0];
      }
    },
    set(value) {
      own = value;
      try {
        if (value === words[0]) localStorage.removeItem(name);
        else localStorage.setItem(name, value);
      } catch {
        // Then this page alone knows it.
      }
      tell();
    },
    subscribe(listener) {
      // Another tab may choose as well.
      if (listeners.size === 0) window.addEventListener('storage', tell);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) window.removeEventListener('storage', tell);
      };
    },
  };
}

export function useKeptChoice<T extends string>(choice: KeptChoice<T>): T {
  return useSyncExternalStore(choice.subscribe, choice.get);
}
