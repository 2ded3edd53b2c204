// A code that somebody waits for: one quiet line below whatever is on the screen, for as long as it is worth something.

import { clockOf } from '@tailrace/client/timeline';
import { type ReactElement, useSyncExternalStore } from 'react';
import type { Code, Codes } from './connect/codes.ts';
import { Drawn } from './drawn.tsx';
import { useNow } from './screen.tsx';
import { type Line, span, strong } from './text/line.ts';
import { own } from './text/shown.ts';

export function useCode(codes: Codes): Code | undefined {
  return useSyncExternalStore(codes.subscribe, codes.getSnapshot, codes.getSnapshot);
}

/** Whoever cannot say where the question comes from does not type it anywhere. */
export function CodeLine({ code, width }: { readonly code: Code; readonly width: number }): ReactElement {
  const now = useNow(true);
  const left = clockOf(Math.max(0, Math.ceil((code.until - now) / 1000)));
  const isWide = width >= 76;
  const line: Line = [
    span(isWide ? ' Somebody asks to come in. Code: ' : ' Code: ', 'muted'),
    strong(own(code.text)),
    span(isWide ? ` (${left}), for a page that you opened` : ` (${left})`, 'muted'),
  ];
  return <Drawn lines={[line]} width={width} />;
}
