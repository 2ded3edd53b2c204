// Ctrl-C: the first interrupts the turn, the second stops the run, the third kills it. The end of the terminal, and TERM, stop it.

import type { Run } from '@tailrace/runner';

export interface Interrupts {
  /** How often the person pressed it. */
  readonly count: number;
  /** One more, wherever it was heard. */
  readonly press: () => void;
  attach(run: Run, say: (sentence: string) => void): void;
}

export function onInterrupts(): Interrupts {
  let count = 0;
  let run: Run | undefined;
  let say = (_sentence: string): void => {};

  const press = (): void => {
    count++;
    if (!run) process.exit(130);
    if (count === 1) {
      say('\ninterrupting; Ctrl-C again stops the run\n');
      run.interrupt().catch(() => run?.stop());
    } else if (count === 2) {
      say('\nstopping; Ctrl-C again kills it\n');
      run.stop();
    } else {
      say('\nkilling\n');
      run.kill();
    }
  };
  // The door's own way with Ctrl-C is to leave at once.
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', press);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      count++;
      if (!run) process.exit(130);
      run.stop();
    });
  return {
    get count() {
      return count;
    },
    press,
    attach(started, tell) {
      run = started;
      say = tell;
    },
  };
}
