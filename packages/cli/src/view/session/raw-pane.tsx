// Everything that came, event by event, and the line behind the one that is chosen: what the agent really said.

import type { Client } from '@tailrace/client';
import { filterEvents, lineOf, noFilter, type SessionFeedView } from '@tailrace/client/timeline';
import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { Drawn } from '../drawn.tsx';
import { usePane } from '../scroll/use-pane.ts';
import { column, type Line, span, strong } from '../text/line.ts';
import { shown, shownLine } from '../text/shown.ts';
import { wrap } from '../text/wrap.ts';
import { useKeys } from '../use-keys.tsx';

export interface RawPaneProps {
  readonly client: Client;
  readonly sessionId: string;
  readonly feed: SessionFeedView;
  /** Words that an event has to have. */
  readonly words: string;
  readonly width: number;
  readonly height: number;
  readonly isActive: boolean;
}

/** As much of a line as anybody reads here; the whole is one `tailrace export --ndjson` away. */
const MOST_BYTES = 64 * 1024;

export function RawPane({ client, sessionId, feed, words, width, height, isActive }: RawPaneProps): ReactElement {
  const [openAt, setOpenAt] = useState<number>();
  const { events, eventCount } = feed;
  const found = useMemo(
    () => (words.trim() === '' ? undefined : filterEvents(events, eventCount, { ...noFilter, text: words })),
    [events, eventCount, words],
  );
  const raw = useRawLine(client, sessionId, openAt === undefined ? undefined : events[openAt]?.position);
  const below = openAt === undefined ? 0 : Math.max(3, Math.floor(height / 2));
  const pane = usePane({
    count: found?.length ?? eventCount,
    room: height - below,
    linesOf: (item) => [eventLine(found?.[item] ?? item)],
  });

  function eventLine(index: number): Line {
    const message = events[index];
    if (!message) return [];
    const { event } = message;
    const at = event.at ?? event.time;
    return [
      span(`${String(index + 1).padStart(6)} `, 'muted'),
      span(
        width < 60 ? '' : `${at === undefined ? '            ' : new Date(at).toISOString().slice(11, 23)} `,
        'muted',
      ),
      span(`${column(event.type, 20)} `, event.type === 'raw' ? 'bad' : 'plain'),
      span(shownLine(lineOf(message, 2 * width)), 'muted'),
    ];
  }

  useKeys((key) => {
    if (key === '<enter>') {
      const index = found?.[pane.chosen] ?? pane.chosen;
      return setOpenAt(openAt === index ? undefined : index);
    }
    pane.take(key);
  }, isActive);

  const list = pane.lines.map(({ item, line }): Line => [span(item === pane.chosen ? '▌' : ' ', 'working'), ...line]);
  const empty: Line = [span('  No event has these words.', 'muted')];
  const rows = wrap(shown(raw), width - 2).slice(0, Math.max(0, below - 1));
  const detail: readonly Line[] =
    below === 0
      ? []
      : [
          [
            span('── ', 'muted'),
            strong('the line as it came'),
            span(` ${'─'.repeat(Math.max(0, width - 23))}`, 'muted'),
          ],
          ...rows.map((row): Line => [span('  '), span(row)]),
        ];
  const upper = pad(list.length === 0 ? [empty] : list, height - below);
  return <Drawn lines={[...upper, ...detail]} width={width} height={height} />;
}

function pad(lines: readonly Line[], height: number): readonly Line[] {
  return [...lines, ...Array.from({ length: Math.max(0, height - lines.length) }, (): Line => [])];
}

/** A line of the record, as it came. */
function useRawLine(client: Client, sessionId: string, position: number | undefined): string {
  const [line, setLine] = useState({ position: -1, text: '' });
  useEffect(() => {
    if (position === undefined) return;
    const end = new AbortController();
    const ref = `/api/sessions/${encodeURIComponent(sessionId)}/lines/${Math.floor(position)}`;
    client.http
      .line(ref, { range: { from: 0, to: MOST_BYTES }, signal: end.signal })
      .then((response) => response.text())
      .then(
        (text) => setLine({ position, text }),
        () => setLine({ position, text: 'The line cannot be had.' }),
      );
    return () => end.abort();
  }, [client, sessionId, position]);
  return line.position === position ? line.text : '';
}
