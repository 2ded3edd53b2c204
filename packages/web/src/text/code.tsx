// A block of code or of output: plain at once, coloured when the colours are there.

import { clsx } from 'clsx';
import { Fragment, memo, type ReactElement, useEffect, useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import type { ColouredLine } from './colours.ts';
import { foldText, showMore } from './fold.ts';
import { languageNamed } from './languages.ts';
import { withMarks } from './plain-text.tsx';
import { useShowable } from './shown.tsx';

export interface CodeProps {
  readonly text: string;
  /** Its name or the end of a file name; without it nothing is coloured. */
  readonly language?: string | undefined;
  /** More lines than these are folded. */
  readonly maxLines?: number;
  /** Which lines are shown while it is folded. */
  readonly keep?: 'first' | 'last';
  /** Long lines go on in the next instead of leading out of sight. */
  readonly isWrapped?: boolean;
  /** What it is, for who copies it and for who hears it. */
  readonly label?: string;
}

export const Code = memo(function Code({
  text,
  language,
  maxLines = Number.POSITIVE_INFINITY,
  keep = 'first',
  isWrapped = false,
  label = 'code',
}: CodeProps): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const { text: shown, more: secrets } = useShowable(text);
  const clean = shown.replaceAll('\r\n', '\n').replace(/\n$/, '');
  const folded = useMemo(
    () => (Number.isFinite(maxLines) ? foldText(clean, maxLines, keep) : { text: clean, lines: 0, characters: 0 }),
    [clean, maxLines, keep],
  );
  const isFolded = folded.characters > 0 && !isWhole;
  const more = folded.characters > 0 && (
    <Button kind="quiet" size="sm" className="m-1 self-start" onClick={() => setWhole(!isWhole)}>
      {isWhole ? 'show less' : showMore(folded)}
    </Button>
  );
  return (
    <div className="relative flex flex-col rounded-md border border-line bg-sunken">
      {keep === 'last' && more}
      <pre
        // What is wider than its box is scrolled by keys as well.
        {...(!isWrapped && { tabIndex: 0 })}
        className={clsx(
          'overflow-x-auto p-2.5 pr-10 text-xs',
          isWrapped && 'wrap-anywhere whitespace-pre-wrap',
          keep === 'last' && isFolded && 'pt-0',
        )}
      >
        <code>
          <Lines text={isFolded ? folded.text.replace(/\n$/, '') : clean} language={language} />
        </code>
      </pre>
      {keep === 'first' && more}
      {secrets}
      <div className="absolute top-1 right-1 rounded-md bg-sunken">
        <CopyButton text={shown} label={`Copy ${label}`} />
      </div>
    </div>
  );
});

/** More is not coloured. */
const MOST_LINES = 2000;
const MOST_CHARACTERS = 100_000;

interface Coloured {
  readonly texts: readonly string[];
  readonly lines: readonly ColouredLine[];
}

function Lines({ text, language }: { readonly text: string; readonly language: string | undefined }): ReactElement {
  const known = language === undefined || text.length > MOST_CHARACTERS ? undefined : languageNamed(language);
  const texts = useMemo(() => (known === undefined ? [] : text.split('\n')), [text, known]);
  const [coloured, setColoured] = useState<Coloured>();
  useEffect(() => {
    if (known === undefined || texts.length > MOST_LINES) return;
    // While it grows this comes again before long.
    const over = new AbortController();
    import('./colours.ts')
      .then(({ colourLines }) =>
        colourLines(
          texts,
          known,
          (lines) => {
            if (!over.signal.aborted) setColoured({ texts, lines });
          },
          over.signal,
        ),
      )
      .catch(() => {
        // Without colours it can be read as well.
      });
    return () => over.abort();
  }, [texts, known]);
  if (!coloured || known === undefined) return <>{withMarks(text, true)}</>;
  return (
    <>
      {texts.map((line, index) => {
        const colours = coloured.texts[index] === line ? coloured.lines[index] : undefined;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of a text has no other name than its number.
          <Fragment key={index}>
            {index > 0 && '\n'}
            {colours ? <ColouredText line={colours} /> : withMarks(line, true)}
          </Fragment>
        );
      })}
    </>
  );
}

const ColouredText = memo(function ColouredText({ line }: { readonly line: ColouredLine }): ReactElement {
  return (
    <>
      {line.map(({ text, colour }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the stretches of a line stay where they are.
        <span key={index} style={colour === undefined ? undefined : { color: colour }}>
          {withMarks(text, true)}
        </span>
      ))}
    </>
  );
});
