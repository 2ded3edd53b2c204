// What a session is doing, as a word with a mark beside it. The marks differ by shape, so that nobody needs to see colours.

import type { RunState } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import type { Tone } from './call-words.ts';

export interface Look {
  readonly word: string;
  readonly tone: Tone;
  readonly shape: 'full' | 'ring' | 'square' | 'check' | 'cross';
  readonly isBusy?: true;
}

const RUNNING: Readonly<Record<Exclude<RunState, 'ended'>, Look>> = {
  starting: { word: 'starting', tone: 'working', shape: 'ring', isBusy: true },
  working: { word: 'working', tone: 'working', shape: 'full', isBusy: true },
  waiting: { word: 'waiting for you', tone: 'waiting', shape: 'square' },
  idle: { word: 'idle', tone: 'muted', shape: 'ring' },
  stalled: { word: 'stalled', tone: 'bad', shape: 'ring' },
  finishing: { word: 'finishing', tone: 'working', shape: 'ring', isBusy: true },
};

const ENDED: Readonly<Record<string, Look>> = {
  success: { word: 'ended well', tone: 'good', shape: 'check' },
  error: { word: 'ended with an error', tone: 'bad', shape: 'cross' },
  cancelled: { word: 'stopped', tone: 'muted', shape: 'square' },
  incomplete: { word: 'broke off', tone: 'bad', shape: 'ring' },
  running: { word: 'working', tone: 'working', shape: 'full', isBusy: true },
};

const UNKNOWN: Look = { word: 'ended', tone: 'muted', shape: 'ring' };

/** The words for a session in a list: of its run while there is one, else of how it went. */
export function lookOf({ status, live }: Pick<SessionInfo, 'status' | 'live'>): Look {
  if (live && live.state !== 'ended') {
    if (live.state === 'waiting' && !live.isOurs) return { ...RUNNING.waiting, word: 'waiting in its terminal' };
    return RUNNING[live.state];
  }
  return (Object.hasOwn(ENDED, status) && ENDED[status]) || UNKNOWN;
}
