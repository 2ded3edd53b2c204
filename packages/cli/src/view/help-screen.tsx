// The keys, on one screen.

import type { ReactElement } from 'react';
import { Drawn } from './drawn.tsx';
import { bodyHeight, Frame, keyLine, rule, type Size } from './screen.tsx';
import { usePane } from './scroll/use-pane.ts';
import { column, type Line, span, strong } from './text/line.ts';
import { own } from './text/shown.ts';
import { useKeys } from './use-keys.tsx';

const KEYS: readonly (readonly [title: string, keys: readonly (readonly [key: string, what: string])[]])[] = [
  [
    'Everywhere',
    [
      ['j k ↓ ↑', 'next, previous'],
      ['Enter', 'open or fold'],
      ['g G', 'top, end; the end is followed'],
      ['PgDn PgUp', 'by screens; Ctrl-D Ctrl-U by halves'],
      ['/', 'find; in the list: only what has these words'],
      ['a', 'answer what waits for you'],
      ['c', 'start a new run'],
      ['Esc', 'back'],
      ['?', 'these keys'],
      ['q', 'leave; Ctrl-C too'],
    ],
  ],
  [
    'In a session',
    [
      ['1 … 5', 'calls, reasoning, output, figures, session; Tab: the next one'],
      ['n N', 'next hit, previous hit'],
      ['&', 'only rows with these words; empty: all'],
      ['Space', 'pause, and go on'],
      ['s t f', 'sub-agents, todo list, files'],
      ['r', 'raw events, and the lines they came in'],
      ['m', 'send a message; go on with what is over'],
      ['x X', 'interrupt what it does; stop it (asks once)'],
      ['y', 'copy the command that goes on with it'],
      ['i', 'tell its id (in panel 5)'],
    ],
  ],
  [
    'Answering',
    [
      ['y', 'allow once, when all of it was on the screen'],
      ['n', 'deny'],
      ['N', 'deny, and say what to do instead'],
      ['A', 'allow for this session, where a rule is offered'],
      ['e', 'edit the input (JSON); Ctrl-S allows it so'],
    ],
  ],
  [
    'Writing',
    [
      ['Enter', 'send; Alt-Enter or Ctrl-J: next line'],
      ['Esc', 'leave; what was written stays. Ctrl-C too'],
      ['← → ↑ ↓', 'move; Alt-B Alt-F by words, Ctrl-A Ctrl-E to the ends'],
      ['Ctrl-W', 'take a word back; Ctrl-U Ctrl-K the line before, behind'],
      ['Ctrl-O', 'go on in a copy of what is over'],
    ],
  ],
];

export interface HelpScreenProps {
  readonly size: Size;
  /** Where the server is, and the code for whoever else is to come in. */
  readonly about: readonly (readonly [label: string, text: string])[];
  /** Has a new code made; nothing where the server is another's. */
  readonly onCode: (() => void) | undefined;
  readonly onClose: () => void;
}

export function HelpScreen({ size, about, onCode, onClose }: HelpScreenProps): ReactElement {
  const head: readonly Line[] = [[span(' ‹ ', 'muted'), strong('Keys')], rule(size.columns)];
  const lines: readonly Line[] = [
    ...KEYS.flatMap(([title, keys], index): readonly Line[] => [
      ...(index === 0 ? [] : [[]]),
      [strong(` ${title}`)],
      ...keys.map(([key, what]): Line => [span(`   ${column(key, 12)}`), span(what, 'muted')]),
    ]),
    ...(about.length === 0 ? [] : [[], [strong(' Server')]]),
    ...about.map(([label, text]): Line => [span(`   ${column(label, 12)}`), span(own(text), 'muted')]),
  ];
  const height = bodyHeight(size, head, [[]]);
  const pane = usePane({ count: lines.length, room: height, linesOf: (item) => [lines[item] ?? []] });
  const below = lines.length - 1 - (pane.lines.at(-1)?.item ?? 0);
  const foot: readonly Line[] = [
    keyLine([['Esc', 'back'], ...(below > 0 ? [['j', `${below} more below`] as const] : [])], size.columns),
  ];
  useKeys((key) => {
    if (key === '<escape>' || key === '?' || key === 'q') return onClose();
    if (key === 'c') return onCode?.();
    // There is nothing to choose: keys move the page.
    pane.take(key === 'j' || key === '<down>' ? '<ctrl-d>' : key === 'k' || key === '<up>' ? '<ctrl-u>' : key);
  });
  return (
    <Frame size={size} head={head} foot={foot}>
      <Drawn lines={pane.lines.map(({ line }) => line)} width={size.columns} height={height} />
    </Frame>
  );
}
