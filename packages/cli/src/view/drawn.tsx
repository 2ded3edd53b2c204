// Lines, drawn. The only place that knows colours.

import { Box, Text } from 'ink';
import { type FunctionComponent, memo, type ReactElement } from 'react';
import { hasColours } from './colours.ts';
import { fit, type Line, type Span, type SpanTone } from './text/line.ts';

const COLOURS: Readonly<Record<SpanTone, string | undefined>> = {
  plain: undefined,
  muted: undefined,
  working: 'cyan',
  waiting: 'yellow',
  good: 'green',
  bad: 'red',
  code: 'cyan',
};

function Piece({ text, tone = 'plain', isStrong, isTurned, isSlanted, isUnderlined, isStruck }: Span): ReactElement {
  const colour = hasColours ? COLOURS[tone] : undefined;
  return (
    <Text
      {...(colour !== undefined && { color: colour })}
      dimColor={tone === 'muted'}
      bold={isStrong === true}
      inverse={isTurned === true}
      italic={isSlanted === true}
      underline={isUnderlined === true}
      strikethrough={isStruck === true}
    >
      {text}
    </Text>
  );
}

export interface DrawnProps {
  readonly lines: readonly Line[];
  readonly width: number;
  /** Filled up with empty lines. */
  readonly height?: number;
}

/** Lines below each other, none wider or more than there is room for. */
export function Drawn({ lines, width, height = lines.length }: DrawnProps): ReactElement {
  return (
    <Box flexDirection="column" width={width} height={height}>
      {lines.slice(0, height).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is its place
        <OneLine key={index} line={line} width={width} />
      ))}
    </Box>
  );
}

/** Most lines of a frame are those of the frame before: they are not made again. */
const OneLine: FunctionComponent<{ readonly line: Line; readonly width: number }> = memo(({ line, width }) => (
  <Text wrap="truncate">
    {line.length === 0
      ? ' '
      : fit(line, width).map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a span is its place in the line
          <Piece key={at} {...one} />
        ))}
  </Text>
));
