// Lines from the person at the terminal. A question takes no key in its first half second, so that what was typed for something
// else, or before it was read, answers nothing.

import { createInterface } from 'node:readline';

export interface Keyboard {
  /** The next line; undefined when it is called off, by Ctrl-C, or when the input is at its end. */
  line(prompt: string, signal: AbortSignal): Promise<string | undefined>;
}

/** In milliseconds. */
const DEAF_TIME = 500;

/** `onInterrupt` hears of Ctrl-C while a line is being typed. */
export function createKeyboard(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  onInterrupt: () => void,
): Keyboard {
  /** Throws away what comes for a while. */
  async function beDeaf(signal: AbortSignal): Promise<boolean> {
    input.setRawMode?.(true);
    const drop = (bytes: Buffer): void => {
      if (bytes.includes(3)) onInterrupt();
    };
    input.on('data', drop);
    input.resume();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, DEAF_TIME);
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          resolve();
        },
        { once: true },
      );
    });
    input.off('data', drop);
    input.pause();
    input.setRawMode?.(false);
    return !signal.aborted;
  }

  return {
    async line(prompt, signal) {
      if (!(await beDeaf(signal))) return undefined;
      const lines = createInterface({ input, output, terminal: true });
      return new Promise((resolve) => {
        let answer: string | undefined;
        const stop = (): void => lines.close();
        signal.addEventListener('abort', stop, { once: true });
        lines.on('SIGINT', () => {
          lines.close();
          onInterrupt();
        });
        lines.on('close', () => {
          signal.removeEventListener('abort', stop);
          input.pause();
          if (answer === undefined) output.write('\n');
          resolve(answer);
        });
        lines.question(prompt, (text) => {
          answer = text;
          lines.close();
        });
      });
    },
  };
}
