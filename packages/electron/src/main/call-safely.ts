// The app's own functions are called here: whatever they throw, at once or by a promise, ends nothing.

/** Calls somebody who may fail. `onFault` hears of it in words; without it nobody does. */
export function callSafely(act: () => unknown, onFault?: (fault: string) => void): void {
  const fail = (error: unknown): void => onFault?.(error instanceof Error ? error.message : String(error));
  try {
    const given = act();
    if (given instanceof Promise) given.catch(fail);
  } catch (error) {
    fail(error);
  }
}
