// Ink lays out with an engine that has to be loaded first. As a module ink waits for it by itself; in the bundle nothing can wait while
// it is loaded, so `scripts/ink-in-bundle.mjs` puts another promise in the place of this one.

/** Settles when ink can draw. */
export const layoutEngine: Promise<unknown> = Promise.resolve();
