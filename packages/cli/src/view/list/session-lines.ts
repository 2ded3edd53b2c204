// A session as it stands in the list, and the heading above the first of a section.

import { clockOf, lookOf, progressLabel } from '@tailrace/client/timeline';
import { showCost } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import { stateMark, stateWord } from '../session/header-lines.ts';
import { column, type Line, span, spread, strong, widthOf } from '../text/line.ts';
import { oneLine } from '../text/markdown.ts';
import { shownLine } from '../text/shown.ts';
import type { Listed, Section } from './sections.ts';

const TITLES: Readonly<Record<Section, string>> = {
  waiting: 'WAITING FOR YOU',
  working: 'WORKING',
  earlier: 'EARLIER',
};

export interface ListLook {
  readonly width: number;
  readonly now: number;
  /** What a session asks, in a few words. */
  asks(sessionId: string): string | undefined;
}

/** From these widths on there is room for more. */
const HAS_STATE = 60;
const HAS_DOING = 100;
const HAS_PROJECT = 50;
const HAS_LAST_WORDS = 140;
const PROJECT = 14;
/** `≥ $0.00123`: no cost moves the others. */
const COST = 10;

export function listedLines({ session, section, isFirst, isTop, count }: Listed, look: ListLook): readonly Line[] {
  const heading: Line = [strong(`${TITLES[section]} (${count})`, section === 'waiting' ? 'waiting' : 'muted')];
  const asked = section === 'waiting' ? look.asks(session.id) : undefined;
  return [
    ...(isFirst ? [...(isTop ? [] : [[]]), heading] : []),
    sessionLine(session, look),
    ...(asked === undefined ? [] : [[span(`    ${asked}`, 'waiting')] as Line]),
  ];
}

/** How many lines stand above the session's own. */
export function headingLines({ isFirst, isTop }: Listed): number {
  return isFirst ? (isTop ? 1 : 2) : 0;
}

function sessionLine(session: SessionInfo, { width, now }: ListLook): Line {
  const { project, title, live, lastText } = session;
  const isOn = live !== null && live.state !== 'ended';
  const isBusy = isOn && (live.state === 'working' || live.state === 'starting' || live.state === 'finishing');
  const progress = isBusy && live.progress ? progressLabel(live.progress) : '';
  const doing = isBusy && live.progress ? shownLine(live.progress.activity ?? live.progress.phase) : '';
  const state = stateWord(session);
  // The heading says it already.
  const isTold = state.text === 'working' || state.text === 'waiting for you';
  const right: Line = [
    ...(width >= HAS_DOING && doing !== '' ? [span(`${column(doing, 24)} `, 'muted')] : []),
    ...(width >= HAS_STATE && progress !== '' ? [span(`${progress.padStart(9)} `, 'muted')] : []),
    ...(width >= HAS_STATE && !isTold ? [{ ...state, text: stateText(state.text, width) }] : []),
    span(showCost(session.costUsd, session.costState).padStart(COST)),
    span(` ${timeOf(session, now).padStart(7)} `, 'muted'),
  ];
  const name = shownLine(title ?? 'Untitled session');
  const last = lastText === null || width < HAS_LAST_WORDS ? '' : oneLine(lastText);
  return spread(
    [
      stateMark(session),
      span(' '),
      ...(width >= HAS_PROJECT ? [span(`${column(shownLine(project ?? ''), PROJECT)} `, 'muted')] : []),
      strong(name),
      ...(last === '' || widthOf(name) > width / 2 ? [] : [span(`  ${last}`, 'muted')]),
    ],
    right,
    width,
  );
}

/** Where there is little room, what the heading says is left out. */
function stateText(word: string, width: number): string {
  if (width >= HAS_DOING) return `${column(word, 19)} `;
  return `${column(SHORT[word] ?? word, 9)} `;
}

const SHORT: Readonly<Record<string, string>> = {
  'ended well': 'well',
  'ended with an error': 'error',
  'waiting in its terminal': 'elsewhere',
};

/** How long it goes on; of what is over, when that was. */
function timeOf(session: SessionInfo, now: number): string {
  const { live, startedAt, endedAt } = session;
  if (live !== null && live.state !== 'ended')
    return clockOf(
      Math.max(
        0,
        Math.floor((now - (lookOf(session).tone === 'waiting' ? live.since : (startedAt ?? live.since))) / 1000),
      ),
    );
  const at = endedAt ?? startedAt;
  return at === null ? '' : ago(at, now);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `4m ago`, or the day. */
function ago(at: number, now: number): string {
  const past = Math.max(0, now - at);
  if (past < MINUTE) return 'now';
  if (past < HOUR) return `${Math.floor(past / MINUTE)}m ago`;
  if (past < DAY) return `${Math.floor(past / HOUR)}h ago`;
  if (past < 7 * DAY) return `${Math.floor(past / DAY)}d ago`;
  const date = new Date(at);
  const month = date.toLocaleDateString('en', { month: 'short' });
  return date.getFullYear() === new Date(now).getFullYear()
    ? `${month} ${date.getDate()}`
    : `${month} ${String(date.getFullYear()).slice(2)}`;
}
