// The rows of a session: looked through, opened, followed as they come.

import { type Follow, follow, isFollowing, type Row } from '@tailrace/client/timeline';
import { type ReactElement, useEffect, useRef } from 'react';
import { Drawn } from '../drawn.tsx';
import type { KeyName } from '../keys.ts';
import { type Latest, usePane } from '../scroll/use-pane.ts';
import { type Line, markHits, span } from '../text/line.ts';
import { useKeys } from '../use-keys.tsx';
import { canOpen, isOpenAtFirst, isSaid, type PartLook, rowLines } from './part-lines.ts';

export interface TimelinePaneProps {
  readonly rows: readonly Row[];
  readonly width: number;
  readonly height: number;
  readonly cwd: string | null;
  readonly follow: Latest<Follow>;
  /** What the reader has opened or folded, by key. */
  readonly opened: Latest<ReadonlyMap<string, boolean>>;
  /** Threads that the reader has opened or folded. */
  readonly onThread: (threadId: string, isOpen: boolean) => void;
  /** Rows are open unless somebody folds them. */
  readonly isOpenByDefault: boolean;
  /** What is said where there are no rows. */
  readonly nothing: string;
  /** Words that are marked. */
  readonly words: string;
  /** A part that is to be shown; another object each time. */
  readonly target: { readonly id: string } | undefined;
  readonly isActive: boolean;
  /** Told where the reader is. */
  readonly onChosen: (row: Row | undefined) => void;
}

/** The mark at the edge, and room behind it. */
const EDGE = 2;

export function TimelinePane(props: TimelinePaneProps): ReactElement {
  const { rows, width, height, cwd, opened, words, target, isActive, isOpenByDefault, onChosen } = props;
  const reading = props.follow;
  const linesOf = useRowLines(rows, { width: width - EDGE, cwd }, opened.get(), isOpenByDefault);
  const pane = usePane({
    count: rows.length,
    room: height,
    linesOf: (item) => linesOf(item),
    isFollowing: isFollowing(reading.get()),
  });
  const chosen = rows[pane.chosen];
  useEffect(() => onChosen(chosen), [onChosen, chosen]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is gone to once, whatever comes
  useEffect(() => {
    if (!target) return;
    const at = rows.findIndex((row) => row.kind === 'part' && row.part.id === target.id);
    if (at < 0) return;
    reading.set(follow(reading.get(), { type: 'scrolled', isAtEnd: false }));
    pane.choose(at);
  }, [target]);

  // What was just opened is to be seen, as far as there is room.
  const isJustOpened = useRef(false);
  useEffect(() => {
    if (!isJustOpened.current) return;
    isJustOpened.current = false;
    pane.choose(pane.chosen);
  });

  useKeys((key: KeyName) => {
    if (key === '<enter>' && chosen) return toggle(chosen);
    if (key === 'G' || key === '<end>') {
      pane.end();
      return reading.set(follow(reading.get(), { type: 'went-to-end' }));
    }
    const moved = pane.take(key);
    if (moved) reading.set(follow(reading.get(), { type: 'scrolled', isAtEnd: moved.isLast }));
  }, isActive);

  function toggle(row: Row): void {
    if (row.kind === 'thread') return props.onThread(row.threadId, !row.isOpen);
    if (!canOpen(row.part)) return;
    const isOpen = isRowOpen(row, opened.get(), isOpenByDefault);
    isJustOpened.current = !isOpen;
    opened.set(new Map(opened.get()).set(row.key, !isOpen));
    // What is read stays where it is.
    reading.set(follow(reading.get(), { type: 'scrolled', isAtEnd: false }));
  }

  const lines = pane.lines.map(({ item, line }) => edgedLine(line, item === pane.chosen, words));
  const nothing: Line[] = [[], [span(`  ${props.nothing}`, 'muted')]];
  return <Drawn lines={rows.length === 0 ? nothing : lines} width={width} height={height} />;
}

interface Edged {
  readonly words: string;
  readonly isChosen: boolean;
  readonly line: Line;
}

const edgedLines = new WeakMap<Line, Edged>();

/** A line with its mark at the edge and its hits; the same one for as long as nothing of that changes. */
function edgedLine(line: Line, isChosen: boolean, words: string): Line {
  const known = edgedLines.get(line);
  if (known?.words === words && known.isChosen === isChosen) return known.line;
  // Room between two rows belongs to none of them.
  const edged =
    line.length === 0 ? [] : [span(isChosen ? '▌ ' : '  ', isChosen ? 'working' : 'plain'), ...markHits(line, words)];
  edgedLines.set(line, { words, isChosen, line: edged });
  return edged;
}

function isRowOpen(row: Row, opened: ReadonlyMap<string, boolean>, isOpenByDefault: boolean): boolean {
  if (row.kind === 'thread') return row.isOpen;
  return opened.get(row.key) ?? (isOpenByDefault || isOpenAtFirst(row.part));
}

interface Known {
  readonly name: string;
  readonly lines: readonly Line[];
}

/** The lines of rows; those of a part are made again only when it has changed, or is looked at in another way. */
function useRowLines(
  rows: readonly Row[],
  look: Pick<PartLook, 'width' | 'cwd'>,
  opened: ReadonlyMap<string, boolean>,
  isOpenByDefault: boolean,
): (item: number) => readonly Line[] {
  const known = useRef(new WeakMap<object, Known>());
  const endsWithWork = (row: Row | undefined): boolean =>
    row !== undefined &&
    (row.kind === 'thread' || !(isSaid(row.part) || (canOpen(row.part) && isRowOpen(row, opened, isOpenByDefault))));
  return (item) => {
    const row = rows[item];
    if (!row) return [];
    const isOpen = isRowOpen(row, opened, isOpenByDefault);
    const key = row.kind === 'part' ? row.part : row;
    const isBelowWork = endsWithWork(rows[item - 1]);
    const name = `${look.width} ${row.depth} ${isOpen} ${isBelowWork} ${look.cwd}`;
    const before = known.current.get(key);
    if (before?.name === name) return before.lines;
    const lines = rowLines(row, { ...look, isOpen, isBelowWork });
    known.current.set(key, { name, lines });
    return lines;
  };
}
