// One session: its panels, what stands beside them, and what keys do.

import { useClient } from '@tailrace/client/react';
import {
  composerMode,
  countShown,
  createRows,
  type Follow,
  findPart,
  follow,
  followFromStart,
  newCount,
  type Row,
  type ThreadFolds,
  threadsAround,
} from '@tailrace/client/timeline';
import { filesChanged } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import { Box } from 'ink';
import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { TrustScreen } from '../answer/trust-screen.tsx';
import { Drawn } from '../drawn.tsx';
import { type KeyName, typed } from '../keys.ts';
import { bodyHeight, Frame, keyLine, noteLines, rule, type Size, useNotes, useNow } from '../screen.tsx';
import { useLatest } from '../scroll/use-pane.ts';
import { type Line, span, spread, strong } from '../text/line.ts';
import { shownLine } from '../text/shown.ts';
import { useKeys } from '../use-keys.tsx';
import type { KeptDrafts } from '../write/kept-drafts.ts';
import { aboutLines } from './about-lines.ts';
import { figureLines } from './figure-lines.ts';
import { panelLine, titleLine } from './header-lines.ts';
import { type ListName, ListPane } from './list-pane.tsx';
import { isTimeline, PANELS, type Panel, rowsOf, rowsWith } from './panels.ts';
import { RawPane } from './raw-pane.tsx';
import { resumeText } from './resume-text.ts';
import { useDetail, useFeed } from './session-data.ts';
import { branchesOf, sideLines } from './side-lines.ts';
import { StaticPane } from './static-pane.tsx';
import { TimelinePane } from './timeline-pane.tsx';
import { useComposer } from './use-composer.ts';
import { useFinding } from './use-finding.ts';
import { useRun } from './use-run.ts';

export interface SessionScreenProps {
  readonly session: SessionInfo;
  readonly size: Size;
  /** What was written to sessions and not sent. */
  readonly drafts: KeptDrafts;
  /** What of it waits for the person, in a few words. */
  readonly waiting: string | undefined;
  /** It can be answered here, and not only in a terminal of its own. */
  readonly canAnswer: boolean;
  /** How many other runs wait for the person. */
  readonly othersWaiting: number;
  readonly isActive: boolean;
  readonly onBack: () => void;
  /** Leads to another session. */
  readonly onOpen: (sessionId: string) => void;
  readonly onAnswer: () => void;
  /** Starts a run, in the same project. */
  readonly onStart: () => void;
  readonly onHelp: () => void;
  readonly onLeave: () => void;
  /** Puts a text where people paste from. */
  readonly onCopy: (text: string) => void;
}

/** From here on there is room for what stands beside. */
const WIDE = 120;
const SIDE = 40;
const WIDEST = 140;

const NOTHING: Readonly<Record<Panel, string>> = {
  calls: 'No tool was used.',
  reasoning: 'It did not tell what it thought.',
  output: 'Nothing was said yet.',
  figures: '',
  session: '',
};

/** What is typed at the foot. */
interface Typing {
  readonly what: 'find' | 'only';
  readonly text: string;
}

export function SessionScreen(props: SessionScreenProps): ReactElement {
  const { session, size, drafts, waiting, isActive } = props;
  const client = useClient();
  const { note, tell } = useNotes();
  const feed = useFeed(client, session.id);
  const detail = useDetail(client, session);
  const { conversation } = feed;
  const [panel, setPanel] = useState<Panel>('output');
  const [list, setList] = useState<ListName>();
  const [isRaw, setRaw] = useState(false);
  const [isIdShown, setIdShown] = useState(false);
  const [only, setOnly] = useState('');
  const [target, setTarget] = useState<{ readonly id: string }>();
  const typing = useLatest<Typing | undefined>(undefined);
  const opened = useLatest<ReadonlyMap<string, boolean>>(new Map());
  const reading = useLatest<Follow>(followFromStart);
  const [folds, setFolds] = useState<ThreadFolds>(new Map());
  const chosen = useRef<Row | undefined>(undefined);
  const onChosen = useCallback((row: Row | undefined) => {
    chosen.current = row;
  }, []);

  const run = useRun(session);
  const composer = useComposer({
    session,
    size,
    drafts,
    isActive,
    onOpen: props.onOpen,
    onSent() {
      setRaw(false);
      setList(undefined);
      if (!isTimeline(panel)) setPanel('output');
      reading.set(follow(reading.get(), { type: 'went-to-end' }));
    },
  });

  const { onOpen } = props;
  useEffect(() => {
    if (feed.movedTo === null) return;
    drafts.move(session.id, feed.movedTo);
    onOpen(feed.movedTo);
  }, [feed.movedTo, onOpen, drafts, session.id]);

  const makeRows = useMemo(() => createRows(), []);
  const { rows } = makeRows(conversation, folds);
  const shownRows = useMemo(() => rowsWith(rowsOf(rows, panel), only, conversation), [rows, panel, only, conversation]);
  const isWide = size.columns >= WIDE;
  const files = useMemo(() => filesChanged(conversation), [conversation]);
  const branches = useMemo(() => branchesOf(conversation), [conversation]);
  const callCount = useMemo(() => rows.filter((row) => row.kind === 'part' && 'toolCallId' in row.part).length, [rows]);
  const thoughtCount = useMemo(() => rowsOf(rows, 'reasoning').length, [rows]);
  const now = useNow(session.live !== null && session.live.state !== 'ended');

  // What came is seen while it is followed, and counted while it is not. All that was there before is nothing new.
  const count = countShown(conversation);
  const wasTail = useRef(feed.isTail);
  reading.put(follow(reading.get(), { type: feed.isLive && !wasTail.current ? 'grew' : 'loaded', count }));
  useEffect(() => {
    wasTail.current = feed.isTail || !feed.isLive;
  });

  const finding = useFinding({ conversation, rows, reading, chosen: () => chosen.current, tell, show });

  /** Leads to a part, wherever it is. */
  function show(id: string): void {
    const part = findPart(conversation, id);
    if (!part) return;
    const around = threadsAround(conversation, part).filter((thread) => folds.get(thread) !== true);
    if (around.length > 0) setFolds(new Map([...folds, ...around.map((thread) => [thread, true] as const)]));
    setList(undefined);
    setRaw(false);
    if (!shownRows.some((row) => row.key === id)) {
      setOnly('');
      setPanel('output');
    }
    setTarget({ id });
  }

  function takeTyped(key: KeyName, { what, text }: Typing): void {
    if (key === '<escape>') return typing.set(undefined);
    if (key === '<enter>') {
      typing.set(undefined);
      if (what === 'only' || isRaw) return setOnly(text);
      return finding.find(text);
    }
    const next = typed(text, key);
    if (next !== undefined) typing.set({ what, text: next });
  }

  function back(): void {
    if (isRaw) setRaw(false);
    else if (list !== undefined) setList(undefined);
    else if (only !== '') setOnly('');
    else if (finding.words !== '') finding.end();
    else props.onBack();
  }

  useKeys((key) => {
    const now = typing.get();
    if (now) return takeTyped(key, now);
    if (key !== '<ctrl-c>') tell('');
    const number = PANELS[Number(key) - 1];
    if (number) {
      setList(undefined);
      setRaw(false);
      return setPanel(number);
    }
    switch (key) {
      case '<tab>':
        return setPanel(PANELS[(PANELS.indexOf(panel) + 1) % PANELS.length] ?? 'output');
      case '/':
        return typing.set({ what: 'find', text: '' });
      case '&':
        return typing.set({ what: 'only', text: '' });
      case 'n':
        return finding.step(1);
      case 'N':
        return finding.step(-1);
      case ' ':
        return reading.set(follow(reading.get(), { type: reading.get().isPaused ? 'resumed' : 'paused' }));
      case 's':
        return setList(list === 'sub-agents' ? undefined : 'sub-agents');
      case 't':
        return setList(list === 'todo' ? undefined : 'todo');
      case 'f':
        return setList(list === 'files' ? undefined : 'files');
      case 'r':
        return setRaw(!isRaw);
      case 'i':
        if (panel === 'session') setIdShown(!isIdShown);
        return;
      case 'y': {
        const text = resumeText(session);
        if (text === undefined) return tell('Nobody knows how to go on with it.');
        props.onCopy(text);
        return tell('The command that goes on with it was copied.');
      }
      case 'a':
        return props.onAnswer();
      case 'c':
        return props.onStart();
      case 'm':
        return composer.open();
      case 'x':
        return run.interrupt();
      case 'X':
        return run.stop();
      case '?':
        return props.onHelp();
      case '<escape>':
      case '<left>':
        return back();
      case 'q':
        return props.onLeave();
    }
  }, isActive);

  const state = reading.get();
  const fresh = newCount(state);
  const right: Line = [
    ...(feed.isTail ? [span(`loading ${feed.loadedCount.toLocaleString('en')} `, 'muted')] : []),
    ...(only === '' ? [] : [span(`only "${shownLine(only)}" `, 'working')]),
    ...(state.isPaused ? [strong('paused ')] : []),
    ...(fresh > 0 && isTimeline(panel) ? [span(`${fresh} new ↓ `, 'working')] : []),
  ];
  const head: readonly Line[] = [
    titleLine(session, conversation, { now, width: size.columns, othersWaiting: props.othersWaiting }),
    panelLine(panel, { calls: callCount, reasoning: thoughtCount }, right, size.columns),
    rule(size.columns),
  ];
  const foot: readonly Line[] = [
    ...(waiting === undefined
      ? []
      : [
          spread(
            [strong(' ■ ', 'waiting'), span(waiting, 'waiting')],
            props.canAnswer ? [strong('a', 'waiting'), span(' answers ', 'waiting')] : [],
            size.columns,
          ),
        ]),
    ...(composer.isOpen ? composer.lines : footLines(typing.get(), note, session, size.columns)),
  ];
  const height = bodyHeight(size, head, foot);
  const isListening = isActive && typing.get() === undefined;

  function body(): ReactElement {
    const width = size.columns;
    if (feed.isGone) return <Message text="This session is not there any more." size={size} height={height} />;
    if (isRaw)
      return (
        <RawPane
          client={client}
          sessionId={session.id}
          feed={feed}
          words={only}
          width={width}
          height={height}
          isActive={isListening}
        />
      );
    if (list !== undefined)
      return (
        <ListPane
          name={list}
          conversation={conversation}
          files={files}
          branches={branches}
          width={width}
          height={height}
          isActive={isListening}
          onShow={show}
        />
      );
    if (panel === 'figures')
      return (
        <StaticPane
          lines={figureLines({ session, conversation, summary: detail?.summary, width })}
          width={width}
          height={height}
          isActive={isListening}
        />
      );
    if (panel === 'session')
      return (
        <StaticPane
          lines={aboutLines({ session, conversation, isIdShown, width: width - 4 })}
          width={width}
          height={height}
          isActive={isListening}
        />
      );
    if (!feed.isLive && !feed.isTail) {
      const text = feed.problem ? `It cannot be shown: ${feed.problem.title}` : 'Reading …';
      return <Message text={text} size={size} height={height} />;
    }
    const side = isWide ? sideLines({ conversation, files, branches }, SIDE - 3, height) : [];
    const hasSide = side.length > 0;
    // On a very wide screen nobody's eyes follow a line from one end to the other.
    const mainWidth = Math.min(hasSide ? width - SIDE : width, WIDEST);
    return (
      <Box>
        <TimelinePane
          key={panel}
          rows={shownRows}
          width={mainWidth}
          height={height}
          cwd={conversation.cwd}
          follow={reading}
          opened={opened}
          onThread={(threadId, isOpen) => setFolds(new Map(folds).set(threadId, isOpen))}
          isOpenByDefault={panel === 'reasoning'}
          nothing={only === '' ? NOTHING[panel] : 'No row has these words. Esc shows all.'}
          words={finding.words}
          target={target}
          isActive={isListening}
          onChosen={onChosen}
        />
        {hasSide && (
          <Drawn
            lines={Array.from({ length: height }, (_, row): Line => [span(' │ ', 'muted'), ...(side[row] ?? [])])}
            width={SIDE}
            height={height}
          />
        )}
      </Box>
    );
  }

  if (composer.folder)
    return <TrustScreen folder={composer.folder} size={size} onTrust={composer.trust} onRefuse={composer.refuse} />;
  return (
    <Frame size={size} head={head} foot={foot}>
      {body()}
    </Frame>
  );
}

function footLines(typing: Typing | undefined, note: string, session: SessionInfo, width: number): readonly Line[] {
  if (typing) {
    const label = typing.what === 'find' ? ' find: ' : ' only rows with: ';
    return [[strong(label), span(typing.text), { text: ' ', isTurned: true }]];
  }
  if (note !== '') return noteLines(note, width);
  const mode = composerMode(session).kind;
  const isRunning = session.live !== null && session.live.state !== 'ended' && session.live.isOurs;
  return [
    keyLine(
      [
        ['?', 'keys'],
        ['Esc', 'back'],
        ['Enter', 'open'],
        // What would be refused is not offered.
        ...(mode === 'none' ? [] : [['m', mode === 'start' ? 'go on' : 'message'] as const]),
        ...(isRunning ? [['x', 'interrupt'] as const, ['X', 'stop'] as const] : []),
        ['/', 'find'],
        ['Space', 'pause'],
        ['s', 'sub-agents'],
        ['t', 'todo'],
        ['f', 'files'],
        ['r', 'raw'],
        ['&', 'only'],
        ['y', 'copy resume'],
        ['q', 'leave'],
      ],
      width,
    ),
  ];
}

function Message({
  text,
  size,
  height,
}: {
  readonly text: string;
  readonly size: Size;
  readonly height: number;
}): ReactElement {
  return <Drawn lines={[[], [span(`  ${shownLine(text)}`, 'muted')]]} width={size.columns} height={height} />;
}
