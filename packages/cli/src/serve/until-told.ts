// How a server that runs in a terminal ends, and what does not end it.

/** The exit code of what was stopped by the person. */
export const STOPPED = 130;

/** The person, or the system, asks for the end. Whoever asks a second time does not want to wait: what is left of runs ends without us. */
export function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    let isTold = false;
    // The door's own way is to leave at once.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.removeAllListeners(signal).on(signal, () => {
        if (isTold) process.exit(STOPPED);
        isTold = true;
        resolve();
      });
  });
}

/** A server whose terminal nobody reads goes on: its runs are not to end because somebody asked for a code. */
export function keepWithoutReader(warn: (message: string) => void): void {
  process.stdout.removeAllListeners('error').once('error', () => {
    process.stdout.on('error', () => {});
    warn('nobody reads the output any more, so codes are shown to nobody');
  });
  process.stderr.on('error', () => {});
}
