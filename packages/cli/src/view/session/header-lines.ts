// The two lines above a session: what it is and what it is at; and its panels.

import { lookOf, shortCount, type Tone } from '@tailrace/client/timeline';
import { type Conversation, callById, showCost } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import { type Line, type Span, span, spread, strong } from '../text/line.ts';
import { shownLine } from '../text/shown.ts';
import { PANEL_TITLES, PANELS, type Panel } from './panels.ts';
import { since } from './part-lines.ts';

const MARKS: Readonly<Record<ReturnType<typeof lookOf>['shape'], string>> = {
  full: '●',
  ring: '○',
  square: '■',
  check: '✓',
  cross: '✖',
};

/** The mark of a state: its shape tells it without its colour. */
export function stateMark(session: SessionInfo): Span {
  const look = lookOf(session);
  return span(MARKS[look.shape], toneOf(look.tone));
}

/** The word of a state. */
export function stateWord(session: SessionInfo): Span {
  const { word, tone } = lookOf(session);
  return span(word, toneOf(tone));
}

function toneOf(tone: Tone): NonNullable<Span['tone']> {
  return tone;
}

export interface TitleLook {
  readonly now: number;
  readonly width: number;
  /** How many other runs wait for the person. */
  readonly othersWaiting: number;
}

export function titleLine(session: SessionInfo, conversation: Conversation, look: TitleLook): Line {
  const { now, width, othersWaiting } = look;
  const { live, project, title, usage } = session;
  const isOn = live !== null && live.state !== 'ended';
  const id = conversation.run?.toolCallIds?.at(-1);
  const doing = live?.state === 'working' && id !== undefined ? callById(conversation, id)?.name : undefined;
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  const figures = [showCost(session.costUsd, session.costState), tokens > 0 ? `${shortCount(tokens)} tok` : '']
    .filter((one) => one !== '')
    .join(' · ');
  // Where somebody is waited for, that is worth more than figures.
  const hasFigures = figures !== '' && width >= (othersWaiting > 0 ? 80 : 50);
  const right: Line = [
    ...othersSpans(othersWaiting),
    stateMark(session),
    span(' '),
    stateWord(session),
    ...(doing === undefined ? [] : [span(`: ${shownLine(doing)}`, 'muted')]),
    ...(isOn && width >= 60 ? [span(` ${since(live.since, now)}`, 'muted')] : []),
    ...(hasFigures ? [span(`  ${figures}`, 'muted')] : []),
    span(' '),
  ];
  return spread(
    [
      span(' ‹ ', 'muted'),
      ...(project === null || width < 60 ? [] : [span(`${shownLine(project)} · `, 'muted')]),
      strong(shownLine(title ?? 'Untitled session')),
    ],
    right,
    width,
  );
}

function othersSpans(count: number): Line {
  if (count === 0) return [];
  return [strong(`■ ${count === 1 ? '1 other waits' : `${count} others wait`}`, 'waiting'), span('  ')];
}

export function panelLine(
  panel: Panel,
  counts: Readonly<Partial<Record<Panel, number>>>,
  right: Line,
  width: number,
): Line {
  const isNarrow = width < 70;
  const tabs = PANELS.flatMap((one, index): readonly Span[] => {
    const count = counts[one];
    const title = isNarrow && one !== panel ? '' : ` ${PANEL_TITLES[one]}`;
    const text = ` ${index + 1}${title}${count === undefined || isNarrow ? '' : ` ${shortCount(count)}`} `;
    return [one === panel ? { text, isTurned: true } : span(text, 'muted')];
  });
  return spread([span(' '), ...tabs], right, width);
}
