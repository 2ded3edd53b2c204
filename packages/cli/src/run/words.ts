// The states of a run in words, for the last line of the screen.

import { showDuration } from '@tailrace/core';
import type { Run } from '@tailrace/runner';
import { createGate } from '../printer/gate.ts';

export function describeState(run: Run, now: number = Date.now()): string {
  switch (run.state) {
    case 'working': {
      const [call] = run.calls;
      const others = run.calls.length > 1 ? ` and ${run.calls.length - 1} more` : '';
      const what = call ? `: ${createGate().line(call.toolName, 30)}${others}` : '';
      return `working${what} ${showDuration(Math.max(0, now - (call?.since ?? run.since)))}`;
    }
    case 'waiting':
      return 'waiting for you';
    case 'stalled':
      return `stalled for ${showDuration(Math.max(0, now - run.since))} · Ctrl-C to interrupt`;
    case 'starting':
    case 'finishing':
    case 'idle':
      return run.state;
    case 'ended':
      return '';
  }
}
