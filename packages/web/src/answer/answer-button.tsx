import type { ReactElement } from 'react';
import { Button, type ButtonProps } from '../ui/button.tsx';

export interface AnswerButtonProps extends Omit<ButtonProps, 'onClick' | 'disabled'> {
  /** The id of the sentence that says why it cannot be pressed. */
  readonly lockedBy?: string | undefined;
  /** An answer was given. */
  readonly isDead: boolean;
  readonly onPress: () => void;
}

/** A button that answers. The second half of a double click and a key that is held down are no answers. */
export function AnswerButton({ lockedBy, isDead, onPress, className = '', ...rest }: AnswerButtonProps): ReactElement {
  const isLocked = lockedBy !== undefined;
  return (
    <Button
      {...rest}
      className={`max-sm:h-11 max-sm:flex-1 ${className}`}
      disabled={isDead}
      {...(isLocked && { 'aria-disabled': true, 'aria-describedby': lockedBy })}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
      onClick={(event) => {
        if (event.detail <= 1 && !isLocked) onPress();
      }}
    />
  );
}
