// Words of a person, or of what speaks for one: as they were typed.

import { type ReactElement, useState } from 'react';
import { foldText, showMore } from '../text/fold.ts';
import { Button } from '../ui/button.tsx';

export function Prose({ text, maxLines }: { readonly text: string; readonly maxLines: number }): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const folded = foldText(text, maxLines);
  const isLong = folded.characters > 0;
  return (
    <div className="flex min-w-0 flex-col items-start">
      <p dir="auto" className="max-w-[80ch] wrap-anywhere whitespace-pre-wrap">
        {isLong && !isWhole ? folded.text.trimEnd() : text}
      </p>
      {isLong && (
        <Button kind="quiet" size="sm" className="-ml-2" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'show less' : showMore(folded)}
        </Button>
      )}
    </div>
  );
}
