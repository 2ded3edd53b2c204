// A real terminal: tmux, with keys that are pressed and a screen that is read.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { until } from '../serve/served.ts';

export const bin: string = fileURLToPath(new URL('../../dist/tailrace.js', import.meta.url));

/** Why tests in a terminal cannot be run here; in CI they are run all the same, and fail. */
export const missing: string | undefined =
  spawnSync('tmux', ['-V']).status === 0 || process.env['CI'] === 'true' ? undefined : 'tmux is not installed';

export interface Terminal {
  /** What is on the screen. */
  screen(): string;
  /** The same, with everything that has left it at its top. */
  history(): string;
  /** Presses keys by tmux's names. */
  press(...keys: readonly string[]): void;
  type(text: string): void;
  /** As a terminal does that puts marks around it. */
  paste(text: string): void;
  /** Waits for a text. */
  see(text: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): void;
  /** Whether another screen is on, and whether the cursor is seen. */
  state(): { readonly isOther: boolean; readonly hasCursor: boolean };
}

export interface TerminalOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** A shell in a terminal. */
export function openTerminal({ folder, env, columns = 80, rows = 24 }: TerminalOptions): Terminal {
  const { PATH = '' } = process.env;
  const socket = `${folder}/tmux-${process.pid}`;
  const tmux = (...words: readonly string[]): string => {
    const { stdout, stderr, status } = spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      env: { PATH, TERM: 'xterm-256color', LANG: 'C.UTF-8', PS1: '$ ', ...env },
    });
    if (status !== 0) throw new Error(`tmux ${words.join(' ')}: ${stderr}`);
    return stdout;
  };
  tmux('-u', 'new-session', '-d', '-x', String(columns), '-y', String(rows), 'sh');
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  const screen = (): string => tmux('capture-pane', '-p');
  return {
    screen,
    history: () => tmux('capture-pane', '-p', '-S', '-'),
    press: (...keys) => void tmux('send-keys', ...keys),
    type: (text) => void tmux('send-keys', '-l', text),
    paste(text) {
      tmux('set-buffer', text);
      tmux('paste-buffer', '-p');
    },
    async see(text) {
      let last = '';
      try {
        return await until(() => {
          last = screen();
          return (typeof text === 'string' ? last.includes(text) : text.test(last)) && last;
        });
      } catch {
        throw new Error(`never seen: ${text}\n${last}`);
      }
    },
    resize: (width, height) => void tmux('resize-window', '-x', String(width), '-y', String(height)),
    state() {
      const [isOther, hasCursor] = tmux('display-message', '-p', '#{alternate_on} #{cursor_flag}').trim().split(' ');
      return { isOther: isOther === '1', hasCursor: hasCursor === '1' };
    },
  };
}

/** Starts the view in a shell; when it is over, the shell tells how, and no ctrl-c that came too late for the view keeps it from it. */
export function startView(terminal: Terminal): void {
  terminal.type(
    `trap : INT; "${process.execPath}" "${bin}"; echo "left with $?"; stty -a | tr ';' '\\n' | grep -E '(^| )-?(echo|icanon) ' `,
  );
  terminal.press('Enter');
}

/** Everything is as it was: the first screen, the cursor, and what is typed is seen. */
export async function expectLeft(terminal: Terminal, code: number): Promise<void> {
  const screen = await terminal.see(/left with \d+[\s\S]*echo /);
  const { isOther, hasCursor } = terminal.state();
  const told = /left with (\d+)/.exec(screen.slice(screen.lastIndexOf('left with')))?.[1];
  const flags = screen.slice(screen.lastIndexOf('left with'));
  if (Number(told) !== code) throw new Error(`left with ${told}, not ${code}:\n${screen}`);
  if (isOther || !hasCursor || /-echo |-icanon/.test(flags))
    throw new Error(`the terminal is not as it was:\n${screen}`);
}
