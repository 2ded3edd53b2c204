import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type ReactElement, useEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';

export interface FindBarProps {
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly hitCount: number;
  /** Which of them is shown, from 0; none yet where it is less. */
  readonly at: number;
  readonly onStep: (step: 1 | -1) => void;
  readonly onClose: () => void;
}

/** Finds words in the session. */
export function FindBar({ words, onWords, hitCount, at, onStep, onClose }: FindBarProps): ReactElement {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <search className="absolute top-2 right-3 z-10 flex items-center gap-1 rounded-md border border-line bg-raised p-1 shadow-lg">
      <input
        ref={field}
        type="text"
        value={words}
        placeholder="Find in this session"
        aria-label="Find in this session"
        onChange={(event) => onWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onStep(event.shiftKey ? -1 : 1);
        }}
        className="h-7 w-44 rounded-sm bg-transparent px-2 text-sm placeholder:text-muted"
      />
      <span role="status" className="figures min-w-14 text-center text-xs text-muted">
        {words.trim() === ''
          ? ''
          : hitCount === 0
            ? 'none'
            : at < 0
              ? `${hitCount} ${hitCount === 1 ? 'hit' : 'hits'}`
              : `${at + 1} of ${hitCount}`}
      </span>
      <Button kind="quiet" size="sm" aria-label="Hit before" disabled={hitCount === 0} onClick={() => onStep(-1)}>
        <ChevronUp className="size-3.5" />
      </Button>
      <Button kind="quiet" size="sm" aria-label="Next hit" disabled={hitCount === 0} onClick={() => onStep(1)}>
        <ChevronDown className="size-3.5" />
      </Button>
      <Button kind="quiet" size="sm" aria-label="Close the search" onClick={onClose}>
        <X className="size-3.5" />
      </Button>
    </search>
  );
}
