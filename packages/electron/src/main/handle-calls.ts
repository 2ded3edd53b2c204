// The door for calls of pages: who calls is looked at first, then what is asked, and only then anything is done.

import {
  type BridgeCalls,
  type BridgeReply,
  bridgeCalls,
  CALL_CHANNELS,
  type CallName,
  cutText,
} from '@tailrace/protocol';
import { isTailraceError } from '@tailrace/runner';
import type { InvokeEvent, IpcMain } from '../electron.ts';
import { mayCall, type SenderOptions } from './sender.ts';

export type Handlers = {
  readonly [N in CallName]: (argument: BridgeCalls[N]['argument']) => Promise<BridgeCalls[N]['value']>;
};

/** Gives what takes them all away again. Where one cannot be put up, none is. */
export function handleCalls(
  ipcMain: IpcMain,
  handlers: Handlers,
  senders: SenderOptions,
  warn: (message: string) => void,
): () => void {
  const taken: CallName[] = [];
  const unhandle = (): void => {
    for (const name of taken.splice(0)) ipcMain.removeHandler(CALL_CHANNELS[name]);
  };
  try {
    for (const name of Object.keys(CALL_CHANNELS) as CallName[]) {
      ipcMain.handle(CALL_CHANNELS[name], async (event, argument) => reply(name, event, argument));
      taken.push(name);
    }
  } catch (error) {
    // Somebody else has this one: it stays theirs.
    unhandle();
    throw error;
  }
  return unhandle;

  async function reply<N extends CallName>(name: N, event: InvokeEvent, argument: unknown): Promise<BridgeReply> {
    if (!mayCall(event, senders)) {
      warn(`a call of "${name}" was refused: it came from no page of the app`);
      return refusal('refused', 'this page may not ask for that');
    }
    try {
      const asked = bridgeCalls[name].safeParse(argument);
      if (!asked.success)
        return refusal('bad-request', `"${name}" was asked wrongly: ${faultOf(asked.error.issues[0])}`);
      // The compiler does not see that the handler of a name takes what its schema gives, and gives what its reply carries.
      const value = (await handlers[name](asked.data as never)) as BridgeCalls[N]['value'];
      return { ok: true, value };
    } catch (error) {
      return refusal(
        isTailraceError(error) ? error.code : 'internal',
        error instanceof Error ? error.message : `the app failed: ${String(error)}`,
      );
    }
  }
}

interface Fault {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly maximum?: number | bigint;
}

/** For people, who know nothing of schemas. */
function faultOf(fault: Fault | undefined): string {
  const field = fault?.path.length ? `"${fault.path.map(String).join('.')}"` : 'what it was given';
  switch (fault?.code) {
    case 'too_small':
      return `${field} may not be empty`;
    case 'too_big':
      return `${field} is too long: it may have ${fault.maximum} characters`;
    case 'unrecognized_keys':
      return `nothing is known of ${namesOf(fault.keys ?? [])}`;
    case 'custom':
      return fault.message;
    default:
      return `${field} is missing, or cannot be used`;
  }
}

/** A few of them, however many there are and however long they be. */
function namesOf(keys: readonly string[]): string {
  const shown = keys.slice(0, SHOWN_NAMES).map((key) => JSON.stringify(cutText(key, SHOWN_CHARACTERS)));
  return keys.length > SHOWN_NAMES ? `${shown.join(', ')} and ${keys.length - SHOWN_NAMES} more` : shown.join(', ');
}

const SHOWN_NAMES = 3;
const SHOWN_CHARACTERS = 40;

function refusal(code: string, message: string): BridgeReply {
  return { ok: false, code, message };
}
