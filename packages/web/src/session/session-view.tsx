// A session that is there: its header, its timeline, what stands beside it, and what can be said to it.

import { usePermissions } from '@tailrace/client/react';
import type { SessionFeedView } from '@tailrace/client/timeline';
import { findPart, findParts, makerOf, noFilter, type RawFilter, waitersOf } from '@tailrace/client/timeline';
import type { SessionDetail } from '@tailrace/protocol';
import { useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { ArrowDown, Pause } from 'lucide-react';
import { memo, type ReactElement, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { focusedRequest, focusRequest } from '../answer/focus-request.ts';
import { type Surroundings, SurroundingsContext } from '../cards/surroundings.ts';
import { useKeys } from '../shell/keys.ts';
import { tell } from '../shell/note.ts';
import { Button } from '../ui/button.tsx';
import { useHeld } from '../ui/held.ts';
import { Empty } from '../ui/states.tsx';
import { Composer } from './composer.tsx';
import { FindBar } from './find-bar.tsx';
import { LiveRegion } from './live-region.tsx';
import { PANELS, type PanelName, panelId } from './panel.tsx';
import { RawView } from './raw-view.tsx';
import { ReplayPlayer } from './replay-player.tsx';
import { useCalm, useIsWide } from './screen.ts';
import { SessionHeader } from './session-header.tsx';
import { PanelTabs, SidePanel } from './side-panel.tsx';
import { Timeline } from './timeline.tsx';
import type { RowActions } from './timeline-row.tsx';
import { useReplay } from './use-replay.ts';
import { useTimeline } from './use-timeline.ts';

export interface SessionViewProps {
  readonly feed: SessionFeedView;
  readonly session: SessionDetail;
  /** A part to go to. */
  readonly part: string | undefined;
}

/** What stands beside the timeline changes no more often. */
const CALM_MS = 400;

const CalmHeader = memo(SessionHeader);
const CalmSidePanel = memo(SidePanel);
const CalmPanelTabs = memo(PanelTabs);
const CalmComposer = memo(Composer);

export function SessionView({ feed, session, part }: SessionViewProps): ReactElement {
  const navigate = useNavigate();
  const isWide = useIsWide();
  const [isReplaying, setReplaying] = useState(false);
  const [panel, setPanel] = useState<PanelName | null>(null);
  const [raw, setRaw] = useState<RawFilter | null>(null);
  const [find, setFind] = useState<{ readonly words: string; readonly at: number } | null>(null);
  const replay = useReplay(feed, isReplaying);
  const source = replay?.conversation ?? feed.conversation;
  const timeline = useTimeline(source, { startsAtEnd: part === undefined, isTail: feed.isTail });
  const { conversation, rows, reveal, toEnd } = timeline;
  const calm = useCalm(conversation, CALM_MS);
  const calmCount = useCalm(feed.eventCount, CALM_MS);
  const { id } = session;
  const hasRun = session.live !== null && session.live.state !== 'ended';

  const { subagents } = session.summary;
  const isNow = hasRun && !isReplaying;
  const surroundings: Surroundings = useMemo(
    () => ({ isLive: isNow, subagents: new Map(subagents.map((one) => [one.id, one])) }),
    [isNow, subagents],
  );

  // ── What waits ──────────────────────────────────────────────────────────────────────────────────

  const { requests } = useHeld(usePermissions());
  const waiting = useMemo(() => waitersOf(conversation, requests, session), [conversation, requests, session]);
  const [firstWaiting] = waiting.values();
  const [isWaiterSeen, setWaiterSeen] = useState(true);
  const latest = useRef({ feed, rows, waiting });
  latest.current = { feed, rows, waiting };
  const onRange = useCallback((first: number, last: number) => {
    const { rows: now, waiting: open } = latest.current;
    const [waiter] = open.values();
    const seen = now.rows.slice(first, last + 1).some(({ key }) => key === waiter?.partId);
    setWaiterSeen(waiter === undefined || seen);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when what waits or is shown has changed
  useEffect(() => {
    const [first = 0, last = 0] = timeline.handle.current?.range() ?? [];
    onRange(first, last);
  }, [waiting, rows, onRange, timeline.handle]);
  const answer = (): void => {
    const open = [...waiting.values()];
    const here = open.filter(({ request }) => request !== undefined);
    const all = here.length > 0 ? here : open;
    const focused = focusedRequest();
    const next = all[(all.findIndex(({ requestId }) => requestId === focused) + 1) % all.length];
    if (!next || focusRequest(next.requestId)) return;
    reveal(next.partId);
    // It is there when it was scrolled to and drawn.
    requestAnimationFrame(() => requestAnimationFrame(() => focusRequest(next.requestId)));
  };

  // ── Links, raw lines, search ────────────────────────────────────────────────────────────────────

  useEffect(() => {
    if (part === undefined) return;
    if (reveal(part)) return;
    tell('The link leads to something that is not in this session.');
    toEnd();
  }, [part, reveal, toEnd]);

  const showRaw = useCallback((partId: string) => {
    const { feed: now } = latest.current;
    const found = findPart(now.conversation, partId);
    const position = found && makerOf(now, found)?.position;
    setRaw(found ? { ...noFilter, part: { id: found.id, position } } : noFilter);
  }, []);

  const showAllRaw = useCallback(() => setRaw(noFilter), []);

  const { toggle, select } = timeline;
  const actions: RowActions = useMemo(
    () => ({
      toggle,
      select,
      showRaw,
      copyLink(partId) {
        const link = new URL(`/sessions/${encodeURIComponent(id)}`, location.href);
        link.searchParams.set('part', partId);
        navigator.clipboard.writeText(link.href).then(
          () => tell('The link is copied.'),
          () => tell('The link could not be copied.'),
        );
      },
    }),
    [toggle, select, showRaw, id],
  );

  const words = useDeferredValue(find?.words ?? '');
  const hits = useMemo(() => findParts(calm, words), [calm, words]);
  const step = (by: 1 | -1): void => {
    if (!find || hits.length === 0) return;
    // The first step back goes to the last of them.
    const from = find.at < 0 && by < 0 ? 0 : find.at;
    const at = (from + by + hits.length) % hits.length;
    setFind({ ...find, at });
    reveal(hits[at] ?? '');
  };

  // ── Keys ────────────────────────────────────────────────────────────────────────────────────────

  const openPanel = (name: PanelName): void => {
    if (!isWide) return setPanel(panel === name ? null : name);
    const section = document.getElementById(panelId(name));
    section?.scrollIntoView({ block: 'nearest' });
    section?.focus({ preventScroll: true });
  };
  const back = (): void => {
    if (raw) setRaw(null);
    else if (find) setFind(null);
    else if (panel) setPanel(null);
    else if (isReplaying) setReplaying(false);
    else void navigate({ to: '/' });
  };
  const group = 'session';
  useKeys([
    { keys: 'j', label: 'next', group, run: () => timeline.step(1) },
    { keys: 'k', label: 'previous', group, run: () => timeline.step(-1) },
    { keys: 'Enter', label: 'open or fold', group, run: timeline.toggleSelected },
    { keys: 'g g', label: 'to the top', group, run: timeline.toStart },
    { keys: 'G', label: 'to the end, and follow', group, run: toEnd },
    { keys: '/', label: 'find in the session', group, run: () => setFind({ words: '', at: -1 }) },
    { keys: 'n', label: 'next hit', group, run: () => step(1) },
    { keys: 'N', label: 'hit before', group, run: () => step(-1) },
    { keys: ' ', label: 'pause', group, run: replay ? replay.toggle : timeline.togglePause },
    { keys: 't', label: 'todos', group, run: () => openPanel('todos') },
    { keys: 'f', label: 'files', group, run: () => openPanel('files') },
    { keys: 's', label: 'sub-agents', group, run: () => openPanel('subagents') },
    { keys: 'r', label: 'raw events', group, run: () => setRaw(raw ? null : noFilter) },
    { keys: 'a', label: 'answer what waits', group, run: answer },
    ...PANELS.map((name, index) => ({
      keys: String(index + 1),
      label: `panel: ${name}`,
      group,
      run: () => openPanel(name),
    })),
    { keys: 'Escape', label: 'back', group, run: back },
  ]);

  const beside = { conversation: calm, session, eventCount: calmCount, onShow: reveal, onRaw: showAllRaw };
  const startReplay = useCallback(() => {
    setReplaying(true);
    toEnd();
  }, [toEnd]);
  const isEmpty = rows.rows.length === 0;
  return (
    <main className="flex h-full min-h-0 flex-col">
      <CalmHeader
        session={session}
        conversation={calm}
        onReplay={hasRun || isReplaying || isEmpty || feed.isTail ? undefined : startReplay}
      />
      {!isWide && <CalmPanelTabs {...beside} open={panel} onOpen={setPanel} />}
      <div className="relative flex min-h-0 flex-1">
        <div className="relative flex min-w-0 flex-1 flex-col">
          <div className="relative min-h-0 flex-1">
            {isEmpty ? (
              <Empty title="Nothing was said yet">{hasRun ? 'What comes is shown here.' : undefined}</Empty>
            ) : (
              <SurroundingsContext value={surroundings}>
                <Timeline
                  handle={timeline.handle}
                  sessionId={id}
                  rows={rows}
                  conversation={conversation}
                  cuts={feed.cuts}
                  waiting={waiting}
                  folds={timeline.folds}
                  selected={timeline.selected}
                  marked={part}
                  isFollowing={timeline.isFollowing}
                  isTail={feed.isTail}
                  actions={actions}
                  onScrolled={timeline.scrolled}
                  onRange={onRange}
                />
              </SurroundingsContext>
            )}
            {feed.isTail && <EarlierLoads count={feed.loadedCount} />}
            <NewBelow count={timeline.newCount} isPaused={timeline.isPaused} onShow={toEnd} />
            {find && (
              <FindBar
                words={find.words}
                onWords={(next) => setFind({ words: next, at: -1 })}
                hitCount={hits.length}
                at={find.at}
                onStep={step}
                onClose={() => setFind(null)}
              />
            )}
            {raw && (
              <RawView
                sessionId={id}
                events={feed.events}
                eventCount={calmCount}
                filter={raw}
                onFilter={setRaw}
                onClose={() => setRaw(null)}
              />
            )}
          </div>
          {firstWaiting && !isWaiterSeen && (firstWaiting.request || firstWaiting.isElsewhere) && (
            <WaitingBar isElsewhere={firstWaiting.isElsewhere} onShow={answer} />
          )}
          {replay ? (
            <ReplayPlayer replay={replay} onClose={() => setReplaying(false)} />
          ) : (
            <CalmComposer session={session} />
          )}
        </div>
        {isWide && (
          <div className="w-80 shrink-0">
            <CalmSidePanel {...beside} />
          </div>
        )}
      </div>
      {!replay && <LiveRegion conversation={calm} />}
    </main>
  );
}

/** Only the end of the session is there yet. */
function EarlierLoads({ count }: { readonly count: number }): ReactElement {
  return (
    <div className="pointer-events-none absolute inset-x-0 top-2 z-10 flex justify-center">
      <div role="status" className="rounded-full border border-line bg-raised px-3 py-1 text-xs text-muted shadow-sm">
        Loading what came before… <span className="figures">{count > 0 && `${count} events`}</span>
      </div>
    </div>
  );
}

/** Something waits further up or down. */
function WaitingBar({
  isElsewhere,
  onShow,
}: {
  readonly isElsewhere: boolean;
  readonly onShow: () => void;
}): ReactElement {
  return (
    <div
      className={clsx(
        'flex items-center gap-3 border-t px-4 py-2 text-sm',
        isElsewhere ? 'border-line bg-sunken text-muted' : 'border-waiting bg-waiting-surface text-waiting',
      )}
    >
      <span className="font-medium">{isElsewhere ? 'Waiting in its terminal' : 'Waiting for you'}</span>
      <Button size="sm" className="ml-auto" onClick={onShow}>
        Show it
      </Button>
    </div>
  );
}

interface NewBelowProps {
  readonly count: number;
  readonly isPaused: boolean;
  readonly onShow: () => void;
}

/** Tells what came while the reader is elsewhere, and brings them there. */
function NewBelow({ count, isPaused, onShow }: NewBelowProps): ReactElement | null {
  if (count === 0 && !isPaused) return null;
  return (
    <Button
      size="sm"
      className="absolute bottom-3 left-1/2 z-10 -translate-x-1/2 rounded-full shadow-lg"
      onClick={onShow}
    >
      {isPaused && (
        <>
          <Pause className="size-3.5" />
          paused
        </>
      )}
      {isPaused && count > 0 && ' · '}
      {count > 0 && <span className="figures">{count} new</span>}
      <ArrowDown className="size-3.5" aria-label={isPaused ? 'go on' : 'to the end'} />
    </Button>
  );
}
