// Signals: some stop a run, all others tell that it crashed.

import { expect, test } from 'vitest';
import { readExit } from './exit.ts';

test.each(['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM'])('%s stops a run', (signal) => {
  expect(readExit({ code: null, signal }, {})).toEqual({ outcome: 'cancelled' });
});

test.each(['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL'])('%s is a crash, whatever was said before', (signal) => {
  const crash = { outcome: 'error', error: { message: `the process ended with signal ${signal}` } };
  expect(readExit({ code: null, signal }, {})).toMatchObject(crash);
  expect(readExit({ code: null, signal }, { ending: { outcome: 'success' } })).toMatchObject(crash);
});
