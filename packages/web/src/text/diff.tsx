// What was changed in a file, line by line: inline or side by side, with signs beside the colours.

import type { FileChange } from '@tailrace/core';
import { clsx } from 'clsx';
import { memo, type ReactElement, useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { changedWords, pairsOf, type Words } from './changed-words.ts';
import { chooseDiffLayout, useDiffLayout } from './diff-layout.ts';
import { type DiffLine, type Hunk, hunksOf } from './hunks.ts';
import { PlainText, withMarks } from './plain-text.tsx';
import { SecretsButton, useRedacting } from './shown.tsx';
import { shownHunks } from './shown-hunks.ts';

const FIRST_LINES = 200;
const NEXT_LINES = 5000;

export const Diff = memo(function Diff({ change }: { readonly change: FileChange }): ReactElement {
  const isRedacting = useRedacting();
  const [isOpen, setOpen] = useState(false);
  const asTheyAre = useMemo(() => hunksOf(change), [change]);
  const redacted = useMemo(
    () => (isRedacting ? shownHunks(asTheyAre) : { hunks: asTheyAre, count: 0 }),
    [asTheyAre, isRedacting],
  );
  const hunks = isOpen ? asTheyAre : redacted.hunks;
  const [limit, setLimit] = useState(FIRST_LINES);
  const { layout, isWide } = useDiffLayout();
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  if (total === 0) return <p className="text-sm text-muted">{withoutLines(change)}</p>;
  const hidden = total - Math.min(limit, total);
  const isWhole = hunks.every(({ lines }) => lines.every(({ kind }) => kind === 'same'));
  return (
    <div className="relative overflow-hidden rounded-md border border-line bg-sunken">
      {isWhole && (
        <p className="border-b border-line px-3 py-1 text-xs text-muted">
          the new text; what stood there before is not known
        </p>
      )}
      {isWide && !isWhole && (
        <div className="flex justify-end border-b border-line px-1 py-0.5">
          <Button
            kind="quiet"
            size="sm"
            onClick={() => chooseDiffLayout(layout === 'inline' ? 'side-by-side' : 'inline')}
          >
            {layout === 'inline' ? 'side by side' : 'inline'}
          </Button>
        </div>
      )}
      {firstLines(hunks, limit).map((hunk, index) => (
        <HunkTable
          // biome-ignore lint/suspicious/noArrayIndexKey: hunks stay where they are.
          key={index}
          hunk={hunk}
          isFirst={index === 0}
          isInline={layout === 'inline' || isWhole}
          path={change.path}
        />
      ))}
      {hidden > 0 && (
        <Button kind="quiet" size="sm" className="m-1" onClick={() => setLimit(limit + NEXT_LINES)}>
          {`show ${Math.min(hidden, NEXT_LINES).toLocaleString('en')} more lines`}
        </Button>
      )}
      {redacted.count > 0 && <SecretsButton count={redacted.count} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />}
    </div>
  );
});

function withoutLines({ operation, fromPath, newText, oldText }: FileChange): ReactElement {
  if (operation === 'move' || operation === 'copy') {
    return (
      <>
        {operation === 'move' ? 'moved' : 'copied'} from <PlainText text={fromPath ?? 'a place that nobody told'} />
      </>
    );
  }
  if (newText === '') return <>The file is empty now.</>;
  if (operation === 'delete') return <>The file was deleted.</>;
  if (oldText !== undefined && oldText === newText) return <>Nothing in it changed.</>;
  return <>What changed in it was not told.</>;
}

function firstLines(hunks: readonly Hunk[], limit: number): readonly Hunk[] {
  const shown: Hunk[] = [];
  let left = limit;
  for (const hunk of hunks) {
    if (left <= 0) break;
    shown.push(hunk.lines.length > left ? { ...hunk, lines: hunk.lines.slice(0, left) } : hunk);
    left -= hunk.lines.length;
  }
  return shown;
}

interface HunkTableProps {
  readonly hunk: Hunk;
  readonly isFirst: boolean;
  readonly isInline: boolean;
  readonly path: string;
}

const HunkTable = memo(function HunkTable({ hunk, isFirst, isInline, path }: HunkTableProps): ReactElement {
  const words = useMemo(() => changedWords(hunk.lines), [hunk]);
  const title = hunk.title === '' ? (isFirst ? '' : '⋯') : hunk.title;
  return (
    <table
      className="w-full table-fixed border-collapse font-mono text-xs leading-[1.5]"
      aria-label={`changes in ${path}`}
    >
      <colgroup>
        <col className="w-11" />
        <col className={isInline ? 'w-11' : undefined} />
        {isInline ? <col /> : <col className="w-11" />}
        {!isInline && <col />}
      </colgroup>
      <tbody>
        {title !== '' && (
          <tr className="text-muted">
            <td colSpan={isInline ? 3 : 4} className="truncate border-y border-line px-3 py-0.5">
              <PlainText text={title} />
            </td>
          </tr>
        )}
        {isInline
          ? hunk.lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines stay where they are.
              <tr key={index} className={TONES[line.kind]}>
                <LineNumber of={line.oldNumber} />
                <LineNumber of={line.newNumber} />
                <LineText line={line} words={words.get(line)} />
              </tr>
            ))
          : pairsOf(hunk.lines).map(({ before, after }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines stay where they are.
              <tr key={index}>
                <LineNumber of={before?.oldNumber} tone={before && TONES[before.kind]} />
                <LineText line={before} words={before && words.get(before)} tone={before && TONES[before.kind]} />
                <LineNumber of={after?.newNumber} tone={after && TONES[after.kind]} />
                <LineText line={after} words={after && words.get(after)} tone={after && TONES[after.kind]} />
              </tr>
            ))}
      </tbody>
    </table>
  );
});

const TONES: Readonly<Record<DiffLine['kind'], string>> = {
  same: '',
  added: 'bg-good-surface',
  removed: 'bg-bad-surface',
};

function LineNumber({
  of,
  tone,
}: {
  readonly of: number | undefined;
  readonly tone?: string | undefined;
}): ReactElement {
  return <td className={clsx('px-1 py-px text-right align-top text-muted select-none figures', tone)}>{of}</td>;
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '−' };

interface LineTextProps {
  readonly line: DiffLine | undefined;
  readonly words: readonly Words[] | undefined;
  readonly tone?: string | undefined;
}

function LineText({ line, words, tone }: LineTextProps): ReactElement {
  if (!line) return <td />;
  const colour = line.kind === 'added' ? 'text-good' : 'text-bad';
  return (
    <td className={clsx('relative py-px pr-3 pl-5 align-top wrap-anywhere whitespace-pre-wrap', tone)}>
      <span className={clsx('absolute left-1.5 select-none', line.kind !== 'same' && colour)} aria-hidden="true">
        {SIGNS[line.kind]}
      </span>
      {line.kind !== 'same' && <span className="sr-only select-none">{line.kind}: </span>}
      {words
        ? words.map(({ text, isChanged }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: words stay where they are.
            <span key={index} className={isChanged ? CHANGED[line.kind] : undefined}>
              {withMarks(text, true)}
            </span>
          ))
        : withMarks(line.text, true)}
      {line.isUnended && <span className="text-muted select-none"> (no line break at the end)</span>}
    </td>
  );
}

const CHANGED: Readonly<Record<DiffLine['kind'], string>> = {
  same: '',
  added: 'rounded-sm bg-good/20 underline decoration-good decoration-1 underline-offset-2',
  removed: 'rounded-sm bg-bad/20 underline decoration-bad decoration-1 underline-offset-2',
};
