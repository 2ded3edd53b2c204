// Lines from the person at the terminal. What is typed is echoed here, not by the terminal, so that nothing on the screen is
// written over and Ctrl-D and Ctrl-C are what we make of them.

export interface Keyboard {
  /**
   * The next line; empty for Ctrl-D. Undefined when it is called off, by Ctrl-C, or when the input is at its end.
   * An approval takes no key in its first half second, so that what was typed for something else, or before it was read,
   * answers nothing; and nothing but one line.
   */
  line(prompt: string, signal: AbortSignal, kind?: 'approval' | 'text'): Promise<string | undefined>;
}

/** In milliseconds. */
const DEAF_TIME = 500;

export interface KeyboardInput {
  setRawMode?(isRaw: boolean): unknown;
  on(event: 'data', listener: (bytes: Buffer) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  off(event: 'data', listener: (bytes: Buffer) => void): unknown;
  off(event: 'end', listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** `onInterrupt` hears of Ctrl-C while a line is being typed. */
export function createKeyboard(
  input: KeyboardInput,
  output: { write(text: string): unknown },
  onInterrupt: () => void,
  deafTime: number = DEAF_TIME,
): Keyboard {
  return {
    line(prompt, signal, kind = 'approval') {
      return new Promise((resolve) => {
        const typed = new TypedLine((text) => output.write(text), kind === 'text');
        let isDeaf = kind === 'approval';
        const timer = setTimeout(listen, isDeaf ? deafTime : 0);

        function listen(): void {
          isDeaf = false;
          output.write(prompt);
        }
        function hear(bytes: Buffer): void {
          const text = bytes.toString('utf8');
          if (text.includes(CTRL_C)) {
            end(undefined);
            onInterrupt();
          } else if (!isDeaf) {
            const line = typed.add(text);
            if (line !== undefined) end(line);
          }
        }
        const giveUp = (): void => end(undefined);
        function end(line: string | undefined): void {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          input.off('data', hear);
          input.off('end', giveUp);
          input.pause();
          input.setRawMode?.(false);
          if (!isDeaf) output.write('\n');
          resolve(line);
        }

        if (signal.aborted) return end(undefined);
        signal.addEventListener('abort', giveUp);
        input.setRawMode?.(true);
        input.on('data', hear);
        input.on('end', giveUp);
        input.resume();
      });
    },
  };
}

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const CTRL_U = '\u0015';

/** What is being typed: letters, backspace, Ctrl-U to begin anew, Enter or Ctrl-D to end. */
class TypedLine {
  private text = '';
  private readonly echo: (text: string) => void;
  private readonly takesMore: boolean;

  constructor(echo: (text: string) => void, takesMore: boolean) {
    this.echo = echo;
    this.takesMore = takesMore;
  }

  /** The line when it is over. What comes with it in one piece was pasted: part of a text, and no answer to anything else. */
  add(piece: string): string | undefined {
    const keys = withoutSequences(piece.replaceAll('\r\n', '\r'));
    const characters = [...keys];
    for (const [index, key] of characters.entries()) {
      const isLast = index === characters.length - 1;
      if (key === '\r' || key === '\n') {
        if (isLast || !this.takesMore) return this.text;
        this.put('\n');
      } else if (key === CTRL_D) {
        if (this.text === '') return '';
      } else if (key === '\u007f' || key === '\b') this.erase();
      else if (key === CTRL_U) while (this.text !== '') this.erase();
      else if (key === '\t' || key >= ' ') this.put(key);
    }
    return undefined;
  }

  private put(key: string): void {
    this.text += key;
    this.echo(key);
  }

  private erase(): void {
    const last = [...this.text].at(-1);
    if (last === undefined || last === '\n') return;
    this.text = this.text.slice(0, -last.length);
    // Letters of the Far East and pictures take two columns.
    this.echo('\b \b'.repeat((last.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1));
  }
}

const ESCAPE = '\u001b';

/** Without arrow keys and their like, and without the marks around what is pasted. */
function withoutSequences(keys: string): string {
  let kept = '';
  for (let at = 0; at < keys.length; at++) {
    if (keys[at] !== ESCAPE) {
      kept += keys[at];
      continue;
    }
    // ESC [ 2 0 0 ~ ends with the first letter or mark; ESC O A has one letter more; any other is one key.
    at++;
    if (keys[at] === 'O') at++;
    else if (keys[at] === '[')
      do at++;
      while (at < keys.length && (keys[at] ?? '') < '@');
  }
  return kept;
}
