// Strings that were too long to travel: how long they are, and the whole for whoever wants it.

import { useClient } from '@tailrace/client/react';
import type { CutString } from '@tailrace/protocol';
import { type ReactElement, useState } from 'react';
import { Code } from '../text/code.tsx';
import { showBytes } from '../text/fold.ts';
import { Button } from '../ui/button.tsx';
import { withoutAnsi } from './ansi.ts';
import { cutLabel, placeOf, shownCuts, wholeString } from './whole-string.ts';

export interface CutNotesProps {
  readonly cut?: readonly CutString[] | undefined;
  readonly sessionId: string;
}

export function CutNotes({ cut }: CutNotesProps): ReactElement | null {
  if (!cut || cut.length === 0) return null;
  return (
    <>
      {shownCuts(cut).map((one) => (
        <CutNote key={`${one.ref} ${one.path.join('.')}`} cut={one} />
      ))}
    </>
  );
}

type Whole = { readonly state: 'folded' | 'loading' | 'failed' } | { readonly state: 'loaded'; readonly text: string };

const MOST_LINES = 200;

function CutNote({ cut }: { readonly cut: CutString }): ReactElement {
  const { http } = useClient();
  const [whole, setWhole] = useState<Whole>({ state: 'folded' });
  const label = cutLabel(cut);

  async function load(): Promise<void> {
    setWhole({ state: 'loading' });
    try {
      const place = placeOf(cut);
      const messages = place ? await http.wholeEvents(place.sessionId, place.position) : [];
      const text = wholeString(messages, cut);
      setWhole(text === undefined ? { state: 'failed' } : { state: 'loaded', text });
    } catch {
      setWhole({ state: 'failed' });
    }
  }

  if (whole.state === 'loaded') {
    return <Code text={withoutAnsi(whole.text)} maxLines={MOST_LINES} isWrapped label={`whole ${label}`} />;
  }
  return (
    <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
      {`Only the beginning of the ${label} is here.`}
      <Button size="sm" disabled={whole.state === 'loading'} onClick={() => void load()}>
        {whole.state === 'loading' ? 'loading…' : `show all (${showBytes(cut.bytes)})`}
      </Button>
      {whole.state === 'failed' && (
        <span role="alert" className="text-bad">
          It could not be loaded. Try again.
        </span>
      )}
    </p>
  );
}
