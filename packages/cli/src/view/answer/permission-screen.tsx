// A permission, or a plan: all of it can be read, nothing can be allowed before its end was on the screen, and denying is as near as
// allowing. Another input can be put in the place of what is asked for.

import { usePlan, type WaitingRequest } from '@tailrace/client/react';
import { editableText, readEdited } from '@tailrace/client/timeline';
import { type EventOf, revealHidden } from '@tailrace/core';
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import { Drawn } from '../drawn.tsx';
import { bodyHeight, Frame, rule, type Size, useNotes } from '../screen.tsx';
import { useReading } from '../scroll/use-reading.ts';
import { cutText, type Line, type Span, type SpanTone, span, spread, strong } from '../text/line.ts';
import { approvable, own, shownLine } from '../text/shown.ts';
import { wrap, wrapWhole } from '../text/wrap.ts';
import { useKeys } from '../use-keys.tsx';
import { BOX_EDGE, boxLines, boxRows } from '../write/box-lines.ts';
import { useWriter } from '../write/use-writer.ts';
import { givenLine, nameOf, TOO_LATE, toldLines, useAnswering } from './answering.ts';
import { inputLines, planLines } from './input-lines.ts';

export interface AnswerScreenProps {
  readonly request: WaitingRequest;
  readonly size: Size;
  /** Where it is asked. */
  readonly place: string;
  /** `2 of 3`, where more than one waits. */
  readonly number: string;
  /** The server is not there. */
  readonly isLost: boolean;
  readonly onClose: () => void;
  readonly onLeave: () => void;
}

export interface PermissionScreenProps extends AnswerScreenProps {
  readonly event: EventOf<'permission-request'>;
}

export function PermissionScreen(props: PermissionScreenProps): ReactElement {
  const { request, event, size, place, number } = props;
  const { note, tell } = useNotes();
  const answering = useAnswering(request, tell, props.isLost);
  const { isArmed, isGiven, problem, give } = answering;
  /** What is written for an answer: why not, or another input. */
  const [writing, setWriting] = useState<'reason' | 'input'>();
  const width = size.columns;
  const plan = usePlan(request);
  const always = event.options?.find(({ kind }) => kind === 'allow_always');

  const name = revealHidden(event.toolName ?? 'a tool').replaceAll('\n', '\\n');
  const head: readonly Line[] = [
    spread(
      [
        strong(' ■ ', 'waiting'),
        strong(`${cutText(shownLine(request.agent), 24)} asks to use ${name} in ${shownLine(place)}`, 'waiting'),
      ],
      [span(`${number} `, 'muted')],
      width,
    ),
    rule(width),
  ];
  const why = event.reason ?? event.title;
  // A long one is cut into its lines once, and not with every key.
  const input = useMemo(() => inputLines(event.input, width - 4), [event.input, width]);
  const lines: readonly Line[] = [
    ...(plan.text === null ? [] : planLines(plan.text, width - 4)),
    ...input,
    ...(why === undefined
      ? []
      : wrap(`why it asks: ${revealHidden(why)}`, width - 4).map((row): Line => [span(row, 'muted')])),
    ...(always
      ? wrapWhole(`A: ${approvable(always.name).replaceAll('\n', '\\n')}`, width - 4).map(
          (row): Line => [span(row, 'muted')],
        )
      : []),
  ];
  const isReady = isArmed && !isGiven;
  const isEditing = writing === 'input';
  const writer = useWriter({
    isActive: writing !== undefined && !isGiven,
    columns: width - BOX_EDGE,
    // What is run in the place of something else is seen as far as it can be.
    rows: isEditing ? Math.max(1, size.rows - 6) : boxRows(size.rows),
    take(key, text) {
      if (!isEditing) return false;
      // In what a machine reads, Enter is the next line.
      if (key === '<enter>') return writer.put('\n');
      if (key !== '<ctrl-s>') return false;
      const read = readEdited(text);
      if ('input' in read) give({ decision: 'allow', input: read.input });
      return true;
    },
    onSend(text) {
      if (give({ decision: 'deny', ...(text.trim() !== '' && { reason: text.trim() }) })) setWriting(undefined);
    },
    onLeave: () => setWriting(undefined),
  });
  const read = isEditing ? readEdited(writer.text) : undefined;

  const box = writing === 'reason' && !isGiven ? reasonBox() : undefined;
  const told = toldLines(answering, read ? '' : note, width);
  const room = bodyHeight(size, head, box ?? [[], ...(told.length > 0 ? told : [[]])]);
  // A plan is a part of what is allowed: as long as it is on its way, nothing was seen.
  const about = `${nameOf(request)} ${plan.text}`;
  const reading = useReading({ about, lines, room, isLoading: plan.isLoading });
  const canAllow = isReady && reading.isEndSeen;
  const foot: readonly Line[] = box ?? [rule(width), ...(told.length > 0 ? told : [footLine()])];

  useKeys((key) => {
    if (key !== '<ctrl-c>') tell('');
    if (key === '<escape>') return props.onClose();
    if (key === 'q') return props.onLeave();
    if (reading.take(key) || !isReady) return;
    if (key === 'n') return void give({ decision: 'deny' });
    if (key === 'N') return write('reason', '');
    if (!canAllow)
      return key === 'y' || key === 'A' || key === 'e' ? tell('Read it to its end first: Space goes on.') : undefined;
    if (key === 'y') return void give({ decision: 'allow' });
    if (key === 'A' && always) return void give({ decision: 'allow', always: true });
    if (key === 'e') return write('input', editableText(event.input));
  });

  // Somebody else has answered, or it is asked no more: then a word says where the box has gone.
  const isLost = useRef(false);
  isLost.current = writing !== undefined && !isGiven;
  useEffect(
    () => () => {
      if (isLost.current) tell(TOO_LATE);
    },
    [tell],
  );

  function write(what: 'reason' | 'input', text: string): void {
    writer.write(text, 0);
    setWriting(what);
  }

  function reasonBox(): readonly Line[] {
    return boxLines(writer, {
      title: 'what is it to do instead?',
      keys: [
        ['Enter', 'denies'],
        ['Esc', 'back'],
        ['Alt-Enter', 'next line'],
      ],
      width,
      problem: problem ?? null,
    });
  }

  function footLine(): Line {
    if (isGiven) return givenLine(answering);
    if (read)
      return 'fault' in read
        ? spread([span(` ${own(read.fault)}`, 'bad')], [strong('Esc'), span(' back ', 'muted')], width)
        : [strong(' Ctrl-S'), span(' allow once, as edited   '), strong('Esc'), span(' back', 'muted')];
    return keys({ isReady, isEndSeen: reading.isEndSeen, hasRule: always !== undefined, width });
  }

  const body: readonly Line[] =
    isEditing && !isGiven
      ? [
          [span(' It runs with this input, not with what the agent asked for:')],
          [],
          ...writer.lines.map((line): Line => [span(' ▏ ', 'muted'), ...line]),
        ]
      : reading.lines.map((line): Line => [span('  '), ...line]);
  return (
    <Frame size={size} head={head} foot={foot}>
      <Drawn lines={body} width={width} height={room} />
    </Frame>
  );
}

interface KeyLook {
  readonly isReady: boolean;
  /** Then it can be allowed. */
  readonly isEndSeen: boolean;
  /** It can be allowed for the session. */
  readonly hasRule: boolean;
  readonly width: number;
}

/** The keys in a row. Where there is no room for all of them, long words become shorter before the last ones go. */
function keys({ isReady, isEndSeen, hasRule, width }: KeyLook): Line {
  const tone = isReady ? 'plain' : 'muted';
  const allow = isReady && isEndSeen ? 'plain' : 'muted';
  const rowOf = (rule: string, reason: string): readonly (readonly [key: string, what: string, tone: SpanTone])[] => [
    ['n', 'deny', tone],
    ...(isEndSeen ? [] : [['Space', 'reads on', tone] as const]),
    ['y', 'allow once', allow],
    ...(hasRule ? [['A', rule, allow] as const] : []),
    ['N', reason, tone],
    ['e', 'edit', allow],
    ['Esc', 'later', 'muted'],
  ];
  const rows = [
    rowOf('allow for this session', 'deny and say why'),
    rowOf('allow for this session', 'say why'),
    rowOf('for this session', 'say why'),
  ];
  const widthOfKeys = (row: (typeof rows)[number]): number =>
    row.reduce((sum, [key, what]) => sum + key.length + what.length + 3, 0);
  const all = rows.find((row) => widthOfKeys(row) <= width) ?? rows.at(-1) ?? [];
  const line: Span[] = [];
  let left = width;
  for (const [key, what, own] of all) {
    left -= key.length + what.length + 3;
    if (left < 0) break;
    line.push(strong(` ${key}`, own), span(` ${what} `, own));
  }
  return line;
}
