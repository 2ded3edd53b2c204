/**
 * The version of the vocabulary and its translation. Whoever keeps derived events keeps this beside them and derives anew
 * when it differs; it grows with every change that makes the same bytes give other events.
 */
export const EVENTS_VERSION = 3;
