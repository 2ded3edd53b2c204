// Lines that are only read: keys move the page.

import type { ReactElement } from 'react';
import { Drawn } from '../drawn.tsx';
import { usePane } from '../scroll/use-pane.ts';
import { type Line, span } from '../text/line.ts';
import { useKeys } from '../use-keys.tsx';

export interface StaticPaneProps {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
  readonly isActive: boolean;
}

export function StaticPane({ lines, width, height, isActive }: StaticPaneProps): ReactElement {
  const pane = usePane({ count: lines.length, room: height, linesOf: (item) => [lines[item] ?? []] });
  useKeys((key) => {
    pane.take(key === 'j' || key === '<down>' ? '<ctrl-d>' : key === 'k' || key === '<up>' ? '<ctrl-u>' : key);
  }, isActive);
  return <Drawn lines={pane.lines.map(({ line }): Line => [span('  '), ...line])} width={width} height={height} />;
}
