// When a page should look at its connection at once: the network is back, or somebody looks at the page.

/** Gives back what ends it. Outside of browsers it never calls. */
export function onWakeUp(wake: () => void): () => void {
  const { window, document } = globalThis as Partial<Pick<typeof globalThis, 'window' | 'document'>>;
  const look = (): void => {
    if (document?.visibilityState === 'visible') wake();
  };
  window?.addEventListener('online', wake);
  document?.addEventListener('visibilitychange', look);
  return () => {
    window?.removeEventListener('online', wake);
    document?.removeEventListener('visibilitychange', look);
  };
}
