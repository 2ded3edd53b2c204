import { setTimeout as pause } from 'node:timers/promises';

/** Waits until something is so; gives what the condition gave. The time limit of the scenario stands over it. */
export async function until(condition, { signal, what = String(condition) }) {
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (signal.aborted) throw new Error(`it never came: ${what}`);
    await pause(15);
  }
}
