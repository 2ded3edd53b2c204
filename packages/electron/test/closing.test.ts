// The end of an app: whatever goes on or is just beginning is over when `close` settles, and it waits for nothing that nobody settles.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Launch } from '../src/main/index.ts';
import { claude, createGate, createPlace, type Place, type Step, until } from './place.ts';

const HANGS: readonly Step[] = [['init'], ['demands'], ['prompt'], ['hang']];
const ABOUT_TO_END = { message: expect.stringContaining('about to end') };

const failure = (call: Promise<unknown>): Promise<unknown> => call.catch((error: Error) => error);

/** The folder brings something that the agent would run, so somebody is asked. */
function bringCode({ project, launch }: Place): Launch {
  mkdirSync(join(project, '.claude'));
  const hooks = { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'true' }] }] };
  writeFileSync(join(project, '.claude', 'settings.json'), JSON.stringify({ hooks }));
  return launch;
}

/** One run goes on, and a second is being started with what is given. */
async function whileStarting(second: (place: Place) => Launch) {
  let starts = 0;
  const place: Place = createPlace(HANGS, {
    launch: () => (++starts === 1 ? place.launch : second(place)),
  });
  await place.window.bridge.start({ prompt: 'One' });
  await until(() => place.window.on('stream:init')[0]);
  return { ...place, started: failure(place.window.bridge.start({ prompt: 'Two' })) };
}

test('a person who is asked about the folder need not answer, while another run goes on', async () => {
  const asked = createGate<void>();
  const { started, tailrace, window } = await whileStarting((place) => ({
    ...bringCode(place),
    trust: () => {
      asked.open();
      return new Promise(() => {});
    },
  }));
  await asked.promise;
  await tailrace.close();
  expect(await started).toMatchObject(ABOUT_TO_END);
  expect(tailrace.registry.runs).toEqual([]);
  expect(window.on('stream:end')).toHaveLength(1);
});

test('an answer that comes after the end starts nothing', async () => {
  const asked = createGate<void>();
  const answer = createGate<boolean>();
  const { started, tailrace, window } = await whileStarting((place) => ({
    ...bringCode(place),
    trust: () => {
      asked.open();
      return answer.promise;
    },
  }));
  await asked.promise;
  const closing = tailrace.close();
  answer.open(true);
  await closing;
  expect(await started).toMatchObject(ABOUT_TO_END);
  expect(tailrace.registry.runs).toEqual([]);
  expect(window.on('stream:init')).toHaveLength(1);
});

test('a run that would come to be while another is being stopped does not begin, and its call rejects', async () => {
  const beginning = createGate<void>();
  const { command } = claude;
  if (!command) throw new Error('it can be started');
  const { started, tailrace, window } = await whileStarting(({ launch }) => ({
    ...launch,
    agent: {
      ...claude,
      command: (options) => {
        beginning.open();
        return command(options);
      },
    },
  }));
  await beginning.promise;
  await tailrace.close();
  expect(await started).toMatchObject(ABOUT_TO_END);
  expect(tailrace.registry.runs).toEqual([]);
  // Of the other one alone.
  expect(window.on('stream:end')).toHaveLength(1);
});

test('whoever chooses what is started need not choose any more', async () => {
  const asked = createGate<void>();
  const place = createPlace([], {
    launch: () => {
      asked.open();
      return new Promise(() => {});
    },
  });
  const started = failure(place.window.bridge.start({ prompt: 'One' }));
  await asked.promise;
  await place.tailrace.close();
  expect(await started).toMatchObject(ABOUT_TO_END);
});

test('of many that are just being started none is left', async () => {
  const { window, tailrace } = createPlace(HANGS);
  const calls = Array.from({ length: 5 }, () => failure(window.bridge.start({ prompt: 'Do it' })));
  await until(() => tailrace.registry.runs[0]);
  await tailrace.close();
  await Promise.all(calls);
  expect(tailrace.registry.runs).toEqual([]);
});

test('can be asked for twice', async () => {
  const { window, tailrace } = createPlace(HANGS);
  await window.bridge.start({ prompt: 'Do it' });
  await Promise.all([tailrace.close(), tailrace.close()]);
  expect(tailrace.registry.runs).toEqual([]);
  await tailrace.close();
});
