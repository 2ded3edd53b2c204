// A folder that brings code is worked in only after a yes to what it brings (T-15). The page asks: the first try is told what
// there is, the second carries the digest of what the person saw.

import type { FolderLook, Trust } from '@tailrace/runner';
import type { Caller } from '../guard/guard.ts';
import { ProblemError } from '../problem-error.ts';
import { mayTrust } from './rights.ts';

/** For `startRun`: gives true, or throws the problem with what the folder brings. */
export type FolderTrust = (look: FolderLook) => Promise<boolean>;

export interface FolderTrustOptions {
  readonly trust: Trust;
  readonly caller: Caller;
  /** The digest that the caller agrees to. */
  readonly agreed: string | undefined;
  /** The yes could not be remembered: it holds for this run alone. */
  warn(message: string): void;
}

export function createFolderTrust({ trust, caller, agreed, warn }: FolderTrustOptions): FolderTrust {
  return async (look) => {
    const { isTrusted, warning } = await trust.check(look);
    if (warning !== undefined) warn(warning);
    if (isTrusted) return true;
    if (agreed !== look.digest || !mayTrust(caller)) throw notTrusted(look, caller);
    await trust.remember(look).catch((error: unknown) => warn(`the yes is not remembered: ${String(error)}`));
    return true;
  };
}

function notTrusted({ digest, brought }: FolderLook, caller: Caller): ProblemError {
  const who = mayTrust(caller) ? 'agree to it and start again' : 'a person has to agree to it first';
  return new ProblemError('not-trusted', `the folder brings what the agent would run or obey; ${who}`, {
    folder: {
      digest,
      brought: brought.map(({ kind, name, detail, file }) => ({ kind, name, detail, file })),
    },
  });
}
