import type { RawPart, RawReason } from '@tailrace/core';
import type { ReactElement } from 'react';
import { Code } from '../text/code.tsx';
import { showBytes } from '../text/fold.ts';
import { PlainText } from '../text/plain-text.tsx';
import { withoutAnsi } from './ansi.ts';
import { Card, type CardProps } from './card.tsx';
import { CutNotes, type CutNotesProps } from './cut-notes.tsx';
import { isFoldable, isShortLine } from './folding.ts';
import { SmallLine } from './small-row.tsx';

export interface RawRowProps extends Pick<CardProps, 'isOpen' | 'onToggle' | 'tools'>, CutNotesProps {
  readonly part: RawPart;
}

const REASONS: Readonly<Record<RawReason, string>> = {
  unknown_type: 'a line of a kind that is not known',
  unknown_block: 'a part of an answer of a kind that is not known',
  not_json: 'printed beside its messages',
  too_long: 'a line too long to read',
  too_deep: 'a line nested too deep to read',
  cut_off: 'a line was cut off here: what followed is missing',
  spliced: 'a line with something else in the middle of it',
  no_counterpart: 'a line that answers nothing known',
};

/** What could not be read: shown as it came, never dropped. */
export function RawRow({ part, isOpen, onToggle, tools, cut, sessionId }: RawRowProps): ReactElement {
  const { reason, text, value, nativeType, bytes } = part;
  const words = text === undefined ? '' : withoutAnsi(text).trim();
  const size = bytes === undefined ? '' : ` (${showBytes(bytes)})`;
  const line = isShortLine(part) ? (
    <span className="min-w-0 font-mono text-xs text-muted wrap-anywhere">
      <PlainText text={words} />
    </span>
  ) : (
    <SmallLine look={reason === 'not_json' ? 'info' : 'unknown'}>
      {REASONS[reason]}
      {nativeType !== undefined && (
        <>
          {': '}
          <PlainText text={nativeType} />
        </>
      )}
      <span className="figures">{size}</span>
    </SmallLine>
  );
  const hasMore = isFoldable(part);
  return (
    <Card
      line={line}
      isFoldable={hasMore}
      isOpen={isOpen && hasMore}
      onToggle={onToggle}
      tools={tools}
      label="raw line"
    >
      {words !== '' && <Code text={words} maxLines={20} isWrapped label="line" />}
      {value !== undefined && (
        <Code text={JSON.stringify(value, null, 2) ?? ''} language="json" maxLines={20} isWrapped label="line" />
      )}
      <CutNotes cut={cut} sessionId={sessionId} />
    </Card>
  );
}
