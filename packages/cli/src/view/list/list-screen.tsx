// The first screen: every session, what waits first.

import type { SessionInfo } from '@tailrace/protocol';
import { type ReactElement, useEffect, useMemo } from 'react';
import { Drawn } from '../drawn.tsx';
import { typed } from '../keys.ts';
import { bodyHeight, Frame, keyLine, noteLines, rule, type Size, useNotes, useNow } from '../screen.tsx';
import { useLatest, usePane } from '../scroll/use-pane.ts';
import { type Line, span, spread, strong } from '../text/line.ts';
import { shownLine } from '../text/shown.ts';
import { useKeys } from '../use-keys.tsx';
import { arrange } from './sections.ts';
import { keepSelection, placeOf, type Selection, selectAt } from './selection.ts';
import { headingLines, type ListLook, listedLines } from './session-lines.ts';

export interface ListScreenProps {
  readonly sessions: readonly SessionInfo[];
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  readonly size: Size;
  asks(sessionId: string): string | undefined;
  /** How many runs wait for the person. */
  readonly waiting: number;
  /** Some of them can be answered here. */
  readonly canAnswer: boolean;
  /** The session that is looked at while the list is behind it: whoever comes back stands on it. */
  readonly openId: string | undefined;
  readonly isActive: boolean;
  readonly onOpen: (sessionId: string) => void;
  readonly onAnswer: (sessionId: string | undefined) => void;
  /** Starts a run, in the project of what is chosen. */
  readonly onStart: (projectId: string | null | undefined) => void;
  readonly onHelp: () => void;
  readonly onLeave: () => void;
}

export function ListScreen(props: ListScreenProps): ReactElement {
  const { sessions, isLoading, hasMore, onMore, size, isActive } = props;
  const { note, tell } = useNotes();
  const words = useLatest('');
  const isTyping = useLatest(false);
  const now = useNow(true);
  const wanted = words.get();
  const listed = useMemo(() => arrange(sessions, wanted), [sessions, wanted]);
  const look: ListLook = { width: size.columns - 2, now, asks: props.asks };

  const found = wanted.trim() === '' ? '' : `${listed.length} of `;
  const head: readonly Line[] = [
    spread(
      [strong(' Tailrace'), ...waitingSpans(props)],
      [
        span(
          `${found}${sessions.length}${hasMore ? '+' : ''} ${sessions.length === 1 ? 'session' : 'sessions'} `,
          'muted',
        ),
      ],
      size.columns,
    ),
    rule(size.columns),
  ];
  const isNoted = note !== '' && !isTyping.get();
  const foot: readonly Line[] = isNoted ? noteLines(note, size.columns) : [footLine()];
  const height = bodyHeight(size, head, foot);
  const order = useMemo(() => listed.map(({ session }) => session), [listed]);
  const selection = useLatest<Selection | undefined>(undefined);
  const open = placeOf(order, props.openId);
  selection.put(open < 0 ? keepSelection(selection.get(), order) : selectAt(order, open));
  const pane = usePane({
    chosen: placeOf(order, selection.get()?.id),
    count: listed.length,
    room: height,
    linesOf: (item) => {
      const one = listed[item];
      return one ? listedLines(one, look) : [];
    },
  });
  const chosen = listed[pane.chosen];

  useEffect(() => {
    if (hasMore && pane.chosen > listed.length - height) onMore();
  }, [hasMore, onMore, pane.chosen, listed.length, height]);

  function footLine(): Line {
    if (isTyping.get()) return [strong(' only: '), span(words.get()), { text: ' ', isTurned: true }];
    if (words.get() !== '')
      return [span(` only "${shownLine(words.get())}"`, 'working'), span('   Esc shows all', 'muted')];
    return keyLine(
      [
        ['?', 'keys'],
        ['Enter', 'open'],
        ['j/k', 'move'],
        ['/', 'filter'],
        ['a', 'answer'],
        ['c', 'new run'],
        ['q', 'leave'],
      ],
      size.columns,
    );
  }

  useKeys((key) => {
    if (isTyping.get()) {
      if (key === '<enter>' || key === '<down>') return isTyping.set(false);
      if (key === '<escape>') {
        words.put('');
        return isTyping.set(false);
      }
      const next = typed(words.get(), key);
      return next === undefined ? undefined : words.set(next);
    }
    if (key !== '<ctrl-c>') tell('');
    const taken = pane.take(key);
    if (taken) return selection.put(selectAt(order, taken.chosen));
    switch (key) {
      case '<enter>':
      case '<right>':
        return chosen ? props.onOpen(chosen.session.id) : undefined;
      case '/':
        words.put('');
        return isTyping.set(true);
      case '<escape>':
        return words.set('');
      case 'a':
        return props.onAnswer(chosen?.session.id);
      case 'c':
        return props.onStart(chosen?.session.projectId);
      case '?':
        return props.onHelp();
      case 'q':
        return props.onLeave();
    }
  }, isActive);

  const lines = lineUp();
  return (
    <Frame size={size} head={head} foot={foot}>
      <Drawn lines={lines} width={size.columns} height={height} />
    </Frame>
  );

  function lineUp(): readonly Line[] {
    if (listed.length === 0) return emptyLines(isLoading, words.get());
    const seen = new Map<number, number>();
    return pane.lines.map(({ item, line }): Line => {
      const one = listed[item];
      const all = one ? listedLines(one, look) : [];
      const at = seen.get(item) ?? all.length - pane.lines.filter((other) => other.item === item).length;
      seen.set(item, at + 1);
      const isOwn = one !== undefined && at >= headingLines(one);
      const isChosen = item === pane.chosen && isOwn;
      return [span(isChosen ? '▌ ' : isOwn ? '  ' : ' ', 'working'), ...line];
    });
  }
}

/** How many wait, wherever the list has been moved to, and the key that leads to them. */
function waitingSpans({ waiting, canAnswer }: ListScreenProps): Line {
  if (waiting === 0) return [];
  return [
    strong(`  ■ ${waiting} waiting`, 'waiting'),
    ...(canAnswer ? [strong('  a', 'waiting'), span(' answers', 'waiting')] : []),
  ];
}

function emptyLines(isLoading: boolean, words: string): readonly Line[] {
  if (isLoading) return [[], [span('  Reading …', 'muted')]];
  if (words !== '') return [[], [span('  No session has these words.', 'muted')]];
  return [
    [],
    [span('  There are no sessions yet.')],
    [],
    [span('  claude -p "…" --output-format stream-json --verbose | tailrace --record', 'muted')],
    [span('  tailrace run "…"     tailrace import     tailrace demo', 'muted')],
  ];
}
