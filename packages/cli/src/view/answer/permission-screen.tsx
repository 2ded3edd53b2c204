// A permission, or a plan: all of it can be read, nothing can be allowed before its end was on the screen, and denying is as near as
// allowing.

import { usePlan, type WaitingRequest } from '@tailrace/client/react';
import { type EventOf, revealHidden } from '@tailrace/core';
import { type ReactElement, useEffect, useState } from 'react';
import { Drawn } from '../drawn.tsx';
import { typed } from '../keys.ts';
import { bodyHeight, Frame, rule, type Size, useNotes } from '../screen.tsx';
import { AT_TOP, type Heights, isAtEnd, moved, type Place, seenFrom } from '../scroll/place.ts';
import { useLatest } from '../scroll/use-pane.ts';
import { type Line, span, spread, strong } from '../text/line.ts';
import { shownLine } from '../text/shown.ts';
import { wrap } from '../text/wrap.ts';
import { useKeys } from '../use-keys.tsx';
import { nameOf, useAnswering } from './answering.ts';
import { inputLines, planLines } from './input-lines.ts';

export interface AnswerScreenProps {
  readonly request: WaitingRequest;
  readonly size: Size;
  /** Where it is asked. */
  readonly place: string;
  /** `2 of 3`, where more than one waits. */
  readonly number: string;
  readonly onClose: () => void;
  readonly onLeave: () => void;
}

export interface PermissionScreenProps extends AnswerScreenProps {
  readonly event: EventOf<'permission-request'>;
}

export function PermissionScreen(props: PermissionScreenProps): ReactElement {
  const { request, event, size, place, number } = props;
  const { note, tell } = useNotes();
  const { isArmed, isGiven, problem, give } = useAnswering(request, tell);
  const reason = useLatest<string | undefined>(undefined);
  const at = useLatest<Place>(AT_TOP);
  const width = size.columns;
  const plan = usePlan(request);
  const always = event.options?.find(({ kind }) => kind === 'allow_always');

  const name = revealHidden(event.toolName ?? 'a tool').replaceAll('\n', '\\n');
  const head: readonly Line[] = [
    spread(
      [
        strong(' ■ ', 'waiting'),
        strong(`${shownLine(request.agent)} asks to use ${name} in ${shownLine(place)}`, 'waiting'),
      ],
      [span(`${number} `, 'muted')],
      width,
    ),
    rule(width),
  ];
  const why = event.reason ?? event.title;
  const lines: readonly Line[] = [
    ...(plan.text === null ? [] : planLines(plan.text, width - 4)),
    ...inputLines(event.input, width - 4),
    ...(why === undefined
      ? []
      : wrap(`why it asks: ${revealHidden(why)}`, width - 4).map((row): Line => [span(row, 'muted')])),
    ...(always ? [[span(`A: ${revealHidden(always.name).replaceAll('\n', '\\n')}`, 'muted')]] : []),
  ];
  // The last two lines of the screen are for keys.
  const heights: Heights = { count: lines.length, room: bodyHeight(size, head, [[], []]), heightOf: () => 1 };
  const shownFrom = moved(at.get(), 0, heights);
  // A plan is a part of what is allowed: as long as it is on its way, nothing was seen.
  const isEndSeen = useSeen(`${nameOf(request)} ${plan.text}`, !plan.isLoading && isAtEnd(shownFrom, heights));
  const isReady = isArmed && !isGiven;
  const canAllow = isReady && isEndSeen;

  useKeys((key) => {
    const words = reason.get();
    if (words !== undefined) {
      if (key === '<escape>') return reason.set(undefined);
      if (key === '<enter>') {
        reason.set(undefined);
        return give({ decision: 'deny', ...(words.trim() !== '' && { reason: words.trim() }) });
      }
      const next = typed(words, key);
      return next === undefined ? undefined : reason.set(next);
    }
    if (key === '<escape>') return props.onClose();
    if (key === 'q') return props.onLeave();
    const page = Math.max(1, heights.room - 1);
    const by = { j: 1, '<down>': 1, k: -1, '<up>': -1, '<page-down>': page, '<page-up>': -page, ' ': page }[key];
    if (by !== undefined) return at.set(moved(at.get(), by, heights));
    if (key === 'G' || key === '<end>') return at.set(moved(at.get(), lines.length, heights));
    if (key === 'g' || key === '<home>') return at.set(AT_TOP);
    if (!isReady) return;
    if (key === 'n') return give({ decision: 'deny' });
    if (key === 'N') return reason.set('');
    if (!canAllow) return key === 'y' || key === 'A' ? tell('Read it to its end first: Space goes on.') : undefined;
    if (key === 'y') return give({ decision: 'allow' });
    if (key === 'A' && always) return give({ decision: 'allow', always: true });
  });

  const foot: readonly Line[] = [
    rule(width),
    reason.get() !== undefined
      ? [strong(' deny, and say instead: '), span(reason.get() ?? ''), { text: ' ', isTurned: true }]
      : problem !== undefined
        ? [span(` It did not arrive: ${shownLine(problem)}`, 'bad')]
        : isGiven
          ? [span(' Your answer is on its way …', 'muted')]
          : note !== ''
            ? [span(` ${shownLine(note)}`)]
            : keys(isReady, canAllow, always !== undefined),
  ];
  return (
    <Frame size={size} head={head} foot={foot}>
      <Drawn
        lines={seenFrom(shownFrom, heights).map(({ item }): Line => [span('  '), ...(lines[item] ?? [])])}
        width={width}
        height={heights.room}
      />
    </Frame>
  );
}

/** Whether it was so once, since `about` is what it is. */
function useSeen(about: string, isSeen: boolean): boolean {
  const [seen, setSeen] = useState('');
  useEffect(() => {
    if (isSeen) setSeen(about);
  }, [about, isSeen]);
  return seen === about;
}

function keys(isReady: boolean, canAllow: boolean, hasRule: boolean): Line {
  const tone = isReady ? 'plain' : 'muted';
  return [
    strong(' n', tone),
    span(' deny   ', tone),
    strong('N', tone),
    span(' deny and say why   ', tone),
    strong('y', canAllow ? 'plain' : 'muted'),
    span(` allow once${isReady && !canAllow ? ' (after its end)' : ''}   `, canAllow ? 'plain' : 'muted'),
    ...(hasRule
      ? [strong('A', canAllow ? 'plain' : 'muted'), span(' allow always   ', canAllow ? 'plain' : 'muted')]
      : []),
    span('Esc later', 'muted'),
  ];
}
