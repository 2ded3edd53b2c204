// Finding the whole of a string that travelled cut.

import { fieldOf } from '@tailrace/client/timeline';
import type { CutString, EventMessage } from '@tailrace/protocol';

export interface LinePlace {
  readonly sessionId: string;
  readonly position: number;
}

/** Whose line it is that has the whole, and where it stands. */
export function placeOf({ ref }: CutString): LinePlace | undefined {
  const match = /^\/api\/sessions\/([^/]+)\/lines\/(\d{1,15})$/.exec(ref);
  if (!match) return undefined;
  const [, sessionId = '', position] = match;
  return { sessionId: decodeURIComponent(sessionId), position: Number(position) };
}

/** The string at its place in one of the events of the line: the one that is as long as was told. */
export function wholeString(
  messages: readonly Pick<EventMessage, 'event'>[],
  { path, bytes }: CutString,
): string | undefined {
  const found = messages
    .map(({ event }) => path.reduce<unknown>((value, step) => fieldOf(value, String(step)), event))
    .filter((value): value is string => typeof value === 'string');
  return found.find((text) => new TextEncoder().encode(text).length === bytes) ?? found[0];
}

/** Tools often tell the same twice; what the card does not show need not be asked for. */
export function shownCuts(cut: readonly CutString[]): readonly CutString[] {
  const hasContent = cut.some(({ path }) => path[0] === 'content');
  return hasContent ? cut.filter(({ path }) => path[0] !== 'output' && path[0] !== 'error') : cut;
}

/** What it is that was cut, in a word. */
export function cutLabel({ path }: CutString): string {
  switch (path[0]) {
    case 'input':
      return 'input';
    case 'changes':
      return 'change';
    case 'text':
    case 'delta':
      return 'text';
    default:
      return 'output';
  }
}
