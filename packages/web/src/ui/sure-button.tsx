import { type ReactElement, useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';

export interface SureButtonProps extends Omit<ButtonProps, 'onClick' | 'children'> {
  readonly words: string;
  /** What it says until the second click. */
  readonly question: string;
  readonly onSure: () => void;
}

/** So long a second click counts as a yes. */
const SURE_MS = 4000;

/** A button for what cannot be taken back: it is pressed twice. */
export function SureButton({ words, question, onSure, ...button }: SureButtonProps): ReactElement {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    const timer = setTimeout(() => setAsked(false), SURE_MS);
    return () => clearTimeout(timer);
  }, [isAsked]);
  return (
    <Button
      kind="danger"
      {...button}
      onClick={() => {
        setAsked(!isAsked);
        if (isAsked) onSure();
      }}
    >
      {isAsked ? question : words}
    </Button>
  );
}
