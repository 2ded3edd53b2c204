// [G-09] A store of the app's own that does not do what it should: a warning, and the end is told all the same.

import { type Clock, systemClock } from '@tailrace/runner';
import { expect, test } from 'vitest';
import { STORE_WAIT } from '../src/main/in-time.ts';
import { createStreamParser, type MetadataStore } from '../src/main/index.ts';
import { capture, piped } from './captures.ts';
import { createPlace, SESSION, type Step, until } from './place.ts';

const ANSWERS: readonly Step[] = [['init'], ['prompt'], ['text', 'Hello'], ['result']];

/** The time that a store gets passes at once, all other time as it does. */
const hasty: Clock = {
  now: systemClock.now,
  after: (milliseconds, act) => systemClock.after(milliseconds === STORE_WAIT ? 0 : milliseconds, act),
};
const waits = { quiet: 50, linger: STORE_WAIT - 1 };

const never = (): Promise<never> => new Promise(() => {});
const good: MetadataStore = { create: async () => {}, add: async () => 'added' };

test.each<[string, MetadataStore, string]>([
  ['create', { ...good, create: never }, `no row was made for session ${SESSION}: nothing came of it in 10 seconds`],
  ['add', { ...good, add: never }, `the totals of session ${SESSION} were not kept: nothing came of it in 10 seconds`],
])(
  '[G-09] %s that never settles is given up on, the end is told, and the app can end',
  async (_name, metadata, warning) => {
    const { window, tailrace, warnings } = createPlace(ANSWERS, { metadata }, { clock: hasty, waits });
    await window.bridge.start({ prompt: 'Do it' });
    await until(() => window.on('stream:end')[0]);
    expect(warnings).toEqual([warning]);
    await tailrace.close();
  },
);

test('[G-09] the end of a stream waits for no store that never settles', async () => {
  const parser = createStreamParser({
    sessionId: SESSION,
    stdout: piped(capture('claude/2.1.325/sigkill.ndjson')),
    metadata: { add: never },
    clock: hasty,
  });
  const warnings: string[] = [];
  parser.on('warning', ({ message }) => warnings.push(message));
  await new Promise<void>((resolve) => parser.once('close', resolve));
  expect(warnings.at(-1)).toContain('nothing came of it in 10 seconds');
});

test.each([null, undefined, 7, {}])(
  '[G-09] a store that gives %j leaves open whether it kept anything',
  async (given) => {
    // What a store written without types may do.
    const metadata = { ...good, add: async () => given } as unknown as MetadataStore;
    const place = createPlace(ANSWERS, { metadata });
    await place.window.bridge.start({ prompt: 'Do it' });
    await until(() => place.window.on('stream:end')[0]);
    expect(place.warnings).toEqual([expect.stringContaining('does not say whether the totals were kept')]);
  },
);
