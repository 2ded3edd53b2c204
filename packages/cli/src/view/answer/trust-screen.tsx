// The folder would make the agent run or obey something, and nobody said yes to that: all of it, and yes or no.

import type { FolderBrings } from '@tailrace/protocol';
import type { ReactElement } from 'react';
import { Drawn } from '../drawn.tsx';
import { bodyHeight, Frame, rule, type Size, useNotes } from '../screen.tsx';
import { useReading } from '../scroll/use-reading.ts';
import { type Line, span, strong } from '../text/line.ts';
import { approvable } from '../text/shown.ts';
import { wrap, wrapWhole } from '../text/wrap.ts';
import { useAllKeys } from '../use-keys.tsx';
import { useArmed } from './answering.ts';

export interface TrustScreenProps {
  readonly folder: FolderBrings;
  readonly size: Size;
  /** The person has seen what the digest stands for. */
  readonly onTrust: (digest: string) => void;
  readonly onRefuse: () => void;
}

export function TrustScreen({ folder, size, onTrust, onRefuse }: TrustScreenProps): ReactElement {
  const { note, tell } = useNotes();
  const width = size.columns;
  const head: readonly Line[] = [
    [strong(' ■ ', 'waiting'), strong('This folder brings things that run', 'waiting')],
    rule(width),
  ];
  const text = 'An agent that is started here runs or obeys these. Go on only if you know where they are from.';
  const lines: readonly Line[] = [
    ...wrap(text, width - 4).map((row): Line => [span(row)]),
    ...folder.brought.flatMap(({ kind, name, detail, file }): readonly Line[] => [
      [],
      ...wrapWhole(`${kind} ${oneLine(name)}`, width - 4).map((row): Line => [strong(row)]),
      ...(detail === '' ? [] : wrapWhole(approvable(detail), width - 6)).map((row): Line => [span('  '), span(row)]),
      ...wrapWhole(oneLine(file), width - 6).map((row): Line => [span('  '), span(row, 'muted')]),
    ]),
  ];
  const room = bodyHeight(size, head, [[], []]);
  const reading = useReading({ about: folder.digest, lines, room });
  const isArmed = useArmed(folder.digest);
  const canTrust = isArmed && reading.isEndSeen;

  useAllKeys((key) => {
    if (key === '<escape>' || key === '<ctrl-c>' || key === 'n' || key === 'q') {
      tell('');
      return onRefuse();
    }
    if (reading.take(key)) return tell('');
    if (key !== 'y' || !isArmed) return;
    if (!reading.isEndSeen) return tell('Read it to its end first: Space goes on.');
    tell('');
    onTrust(folder.digest);
  });

  const tone = canTrust ? 'plain' : 'muted';
  const foot: readonly Line[] = [
    rule(width),
    note !== ''
      ? [span(` ${note}`)]
      : [strong(' n'), span(' do not start   '), strong('y', tone), span(' trust it and start', tone)],
  ];
  return (
    <Frame size={size} head={head} foot={foot}>
      <Drawn lines={reading.lines.map((line): Line => [span('  '), ...line])} width={width} height={room} />
    </Frame>
  );
}

function oneLine(text: string): string {
  return approvable(text).replaceAll('\n', '\\n');
}
