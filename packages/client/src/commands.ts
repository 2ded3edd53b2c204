// What is asked of runs. A command has a key, and is said again with it after each break until its reply comes: the server does it once.

import type { ClientMessage, Command, CommandMessage, Reply } from '@tailrace/protocol';
import { checkSize } from './connection/message-size.ts';
import { createSendWindow } from './connection/send-window.ts';
import { ClientError, errorOf } from './errors.ts';
import { MAX_COMMANDS } from './limits.ts';

export interface CommandOptions {
  /** The key; one is made unless set. The same key again is not done again. */
  readonly commandId?: string | undefined;
  /** Ends the waiting for the reply. What was said already may be done all the same. */
  readonly signal?: AbortSignal | undefined;
}

/** The run that it was about. */
export type CommandResult = NonNullable<Reply['result']>;

export interface Commands {
  run(command: Command, options?: CommandOptions): Promise<CommandResult>;
  /** A socket is open: everything that waits is said again. */
  open(): void;
  /** It is lost. */
  lose(): void;
  take(reply: Reply): void;
  failAll(error: ClientError): void;
}

interface Waiting {
  readonly message: CommandMessage;
  resolve(result: CommandResult): void;
  reject(error: unknown): void;
}

export function createCommands(send: (message: ClientMessage) => void): Commands {
  const waiting = new Map<string, Waiting>();
  const window = createSendWindow(send);
  let isOpen = false;

  return {
    run(command, { commandId = crypto.randomUUID(), signal } = {}) {
      return new Promise((resolve, reject) => {
        const message: CommandMessage = { type: 'command', commandId, command };
        checkSize(message);
        if (signal?.aborted) throw aborted(signal);
        if (waiting.has(commandId)) throw new ClientError('conflict', 'a command with this key waits already');
        if (waiting.size >= MAX_COMMANDS) throw new ClientError('too-many', `${MAX_COMMANDS} commands wait already`);
        const giveUp = (): void => settle(commandId)?.reject(aborted(signal));
        signal?.addEventListener('abort', giveUp);
        const forget = (): void => signal?.removeEventListener('abort', giveUp);
        waiting.set(commandId, {
          message,
          resolve(result) {
            forget();
            resolve(result);
          },
          reject(error) {
            forget();
            reject(error);
          },
        });
        if (isOpen) window.say(commandId, message);
      });
    },
    open() {
      isOpen = true;
      for (const [commandId, { message }] of waiting) window.say(commandId, message);
    },
    lose() {
      isOpen = false;
      window.clear();
    },
    take({ commandId, result, problem }) {
      const one = settle(commandId);
      if (problem) one?.reject(errorOf(problem));
      // A reply that has neither of them says that it is done.
      else one?.resolve(result ?? { runId: one.message.command.runId ?? '' });
    },
    failAll(error) {
      for (const commandId of [...waiting.keys()]) settle(commandId)?.reject(error);
    },
  };

  function settle(commandId: string): Waiting | undefined {
    const one = waiting.get(commandId);
    waiting.delete(commandId);
    window.settle(commandId);
    return one;
  }
}

function aborted(signal: AbortSignal | undefined): ClientError {
  return new ClientError('aborted', 'the reply is not waited for any more', { cause: signal?.reason });
}
