// What every screen has: how large it is, what time it is, a frame with a head and a foot.

import { Box, useStdout } from 'ink';
import { type Context, createContext, type ReactElement, type ReactNode, useContext, useEffect, useState } from 'react';
import { Drawn } from './drawn.tsx';
import { type Line, type SpanTone, span } from './text/line.ts';
import { saidLine } from './text/shown.ts';
import { wrap } from './text/wrap.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Smaller ones are drawn as if they were so large, and cut. */
const SMALLEST: Size = { columns: 20, rows: 6 };

/** The size of the terminal, and each new one. */
export function useSize(): Size {
  const { stdout } = useStdout();
  const read = (): Size => ({
    columns: Math.max(SMALLEST.columns, stdout.columns ?? 80),
    rows: Math.max(SMALLEST.rows, stdout.rows ?? 24),
  });
  const [size, setSize] = useState(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads what the terminal says at that time
  useEffect(() => {
    const resize = (): void => setSize(read());
    stdout.on('resize', resize);
    return () => void stdout.off('resize', resize);
  }, [stdout]);
  return size;
}

/** The time, once a second while somebody needs it. */
export function useNow(isNeeded: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isNeeded) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isNeeded]);
  return now;
}

/** What is told in the last line. */
export interface Notes {
  readonly note: string;
  /** Until the next key. */
  tell(note: string): void;
  /** Until the next key, or until a run or a request of what is shown comes or goes: then it may be no longer so. */
  tellForNow(note: string): void;
}

export const NotesContext: Context<Notes> = createContext<Notes>({ note: '', tell: () => {}, tellForNow: () => {} });

export function useNotes(): Notes {
  return useContext(NotesContext);
}

/** A note on as many lines as it needs, at most two; none where there is nothing to tell. */
export function noteLines(note: string, width: number, tone: SpanTone = 'plain'): readonly Line[] {
  if (note === '') return [];
  const rows = wrap(saidLine(note), width - 2);
  const [first = '', ...rest] = rows;
  return (rest.length === 0 ? [first] : [first, rest.join(' ')]).map((row): Line => [span(` ${row}`, tone)]);
}

export interface FrameProps {
  readonly size: Size;
  readonly head: readonly Line[];
  readonly foot: readonly Line[];
  readonly children: ReactNode;
}

/** A head, a body with what room is left, and a foot. */
export function Frame({ size, head, foot, children }: FrameProps): ReactElement {
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows}>
      <Drawn lines={head} width={size.columns} />
      <Box height={bodyHeight(size, head, foot)}>{children}</Box>
      <Drawn lines={foot} width={size.columns} />
    </Box>
  );
}

export function bodyHeight(size: Size, head: readonly Line[], foot: readonly Line[]): number {
  return Math.max(1, size.rows - head.length - foot.length);
}

export function rule(width: number): Line {
  return [span('─'.repeat(width), 'muted')];
}

/** Keys and what they do, as many as there is room for. */
export function keyLine(keys: readonly (readonly [key: string, what: string])[], width: number): Line {
  const line: { text: string; tone: 'plain' | 'muted' }[] = [];
  let used = 0;
  for (const [key, what] of keys) {
    const room = key.length + what.length + 4;
    if (used + room > width) break;
    used += room;
    line.push({ text: ` ${key}`, tone: 'plain' }, { text: ` ${what} `, tone: 'muted' });
  }
  return line;
}
