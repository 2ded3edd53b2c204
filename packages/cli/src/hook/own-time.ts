// A clock for a process that may get little of the machine: fifty hooks at once share two processors.

const STEP = 20;

/**
 * Calls back after this many milliseconds, counted in small steps. A process that was not let run for a while is then one step
 * further, not at the end of its time: what came meanwhile is read first. Gives back how to call it off.
 */
export function afterOwnTime(milliseconds: number, run: () => void): () => void {
  let left = Math.ceil(milliseconds / STEP);
  const step = (): void => {
    left--;
    if (left > 0) timer = setTimeout(step, STEP);
    else run();
  };
  let timer = setTimeout(step, STEP);
  return () => clearTimeout(timer);
}
