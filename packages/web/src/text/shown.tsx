// The one gate before everything that is shown of an agent: secrets are marks, unless the person switched that off in this browser (T-28).
// What waits for an approval is shown as it is: nobody can say yes to what they do not see.

import { createRedactor, type Json, redact, redactJson } from '@tailrace/core';
import { createContext, type ReactElement, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { createKeptChoice, type KeptChoice, useKeptChoice } from '../ui/kept-choice.ts';

export const redaction: KeptChoice<'on' | 'off'> = createKeptChoice('tailrace-redaction', ['on', 'off']);

/** A text as it may be shown. Inside a component `useShown` is better: it sees the choice change, and what is to be approved. */
export function shown(text: string): string {
  return redaction.get() === 'off' ? text : redact(text).text;
}

/** What does the same for a text here. */
export function useShown(): (text: string) => string {
  const isRedacting = useRedacting();
  return useCallback((text: string) => (isRedacting ? redact(text).text : text), [isRedacting]);
}

/** The same for a value: what stands under a name that sounds secret is one. */
export function useShownJson(value: Json): Json {
  const isRedacting = useRedacting();
  return useMemo(() => (isRedacting ? redactJson(value).value : value), [value, isRedacting]);
}

export interface Showable {
  readonly text: string;
  /** The person wants to see it as it is. */
  readonly isOpen: boolean;
  /** A button to see what was taken out; nothing where nothing was. */
  readonly more: ReactElement | null;
}

/** A text of which the person can see the whole, by a click. While it grows, what may become a secret is held back. */
export function useShowable(text: string, isGrowing = false): Showable {
  const isRedacting = useRedacting();
  const [isOpen, setOpen] = useState(false);
  const { text: shownText, count } = useMemo(() => {
    if (!isRedacting) return { text, count: 0 };
    let found = 0;
    const redactor = createRedactor(() => found++);
    const first = redactor.push(text);
    const rest = isGrowing ? '' : redactor.flush();
    return { text: first + rest, count: found };
  }, [text, isRedacting, isGrowing]);
  return {
    text: isOpen ? text : shownText,
    isOpen,
    more: count === 0 ? null : <SecretsButton count={count} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />,
  };
}

export interface SecretsButtonProps {
  readonly count: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function SecretsButton({ count, isOpen, onToggle }: SecretsButtonProps): ReactElement {
  const what = count === 1 ? 'what was redacted' : `${count} things that were redacted`;
  return (
    <Button kind="quiet" size="sm" className="m-1 self-start" aria-pressed={isOpen} onClick={onToggle}>
      {isOpen ? 'redact it again' : `show ${what}`}
    </Button>
  );
}

const AsItIsContext = createContext(false);

export interface AsItIsProps {
  readonly isSo?: boolean;
  readonly children: ReactNode;
}

/** Whatever waits for a yes stands in this, and is not redacted. */
export function AsItIs({ isSo = true, children }: AsItIsProps): ReactElement {
  const isSoAround = useContext(AsItIsContext);
  return <AsItIsContext value={isSo || isSoAround}>{children}</AsItIsContext>;
}

export function useRedacting(): boolean {
  const isAsItIs = useContext(AsItIsContext);
  return useKeptChoice(redaction) === 'on' && !isAsItIs;
}
