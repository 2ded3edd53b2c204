// The person's side of a run, with a keyboard that has typed already.

import type { Answer, EventOf } from '@tailrace/core';
import { type Run, TailraceError } from '@tailrace/runner';
import { expect, test, vi } from 'vitest';
import { createPalette } from '../printer/palette.ts';
import { converse } from './converse.ts';

const request: EventOf<'permission-request'> = {
  type: 'permission-request',
  seq: 1,
  line: 1,
  requestId: 'ask-1',
  toolName: 'Bash',
  input: { command: 'ls' },
};

test('[T-21] an answer that the run refuses is told as such, and the same is asked again', async () => {
  const given: Answer[] = [];
  const requests = [request];
  const run = {
    state: 'waiting',
    requests,
    listen: () => () => {},
    answer(_requestId: string, answer: Answer) {
      given.push(answer);
      if (given.length === 1) throw new TailraceError('bad-answer', 'the answer is nested too deeply');
      requests.pop();
    },
  };
  let written = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += text;
    return true;
  });
  // Of the run nothing else is used.
  converse(run as unknown as Run, {
    agent: 'Claude Code',
    palette: createPalette(false),
    screen: { write() {}, live() {}, status() {}, hold() {}, release() {}, close() {} },
    keyboard: { line: async () => 'y' },
    isChat: false,
  });
  await vi.waitFor(() => expect(requests).toEqual([]));
  vi.restoreAllMocks();
  expect(given).toEqual([{ decision: 'allow' }, { decision: 'allow' }]);
  expect(written.split('the answer is nested too deeply')).toHaveLength(2);
  expect(written.split('asks to use Bash')).toHaveLength(3);
});
