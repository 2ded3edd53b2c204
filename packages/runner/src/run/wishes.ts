// What a person may ask of an agent that runs, beside prompts and answers.

import type { Rewind } from '@tailrace/core';
import { TailraceError } from '../start/errors.ts';
import type { Demands } from './demands.ts';
import type { Run } from './run.ts';

export type Wishes = Pick<Run, 'setModel' | 'setPermissionMode' | 'contextUsage' | 'rewindFiles'>;

/** Without demands, each is refused. `name` is what people call the agent. */
export function createWishes(demands: Demands | undefined, name: string): Wishes {
  function speak(): Demands {
    if (!demands) throw new TailraceError('not-listening', `${name} cannot be asked anything while it runs`);
    return demands;
  }

  return {
    async setModel(model) {
      await speak().ask({ type: 'set-model', model });
    },
    async setPermissionMode(mode) {
      await speak().ask({ type: 'set-permission-mode', mode });
    },
    async contextUsage() {
      return known(await speak().ask({ type: 'context-usage' }), 'what fills the context');
    },
    async rewindFiles(checkpoint, { dryRun } = {}) {
      const ask = async (dry: boolean): Promise<Rewind> =>
        known(await speak().ask({ type: 'rewind-files', checkpoint, dryRun: dry }), `how to go back to ${checkpoint}`);
      // What it will do is told before, and not when it has been done.
      const plan = await ask(true);
      if (dryRun) return plan;
      const done = await ask(false);
      return done.files.length > 0 ? done : plan;
    },
  };
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new TailraceError('refused', `the agent does not tell ${what}`);
  return value;
}
