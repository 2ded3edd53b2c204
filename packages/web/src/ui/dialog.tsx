// A dialog: the one level of elevation. Radix keeps the focus in it and the rest of the page away from screen readers. Its own overlay
// is not used: that writes styles into the page, which the policy of the server forbids.

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { Button } from './button.tsx';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Wider, for what has columns. */
  readonly isWide?: boolean;
}

export function Dialog({ title, isOpen, onClose, children, isWide }: DialogProps): ReactElement {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className="fixed inset-0 z-40 bg-surface/70" aria-hidden="true" />
        <Radix.Content
          aria-describedby={undefined}
          className={`fixed top-[8vh] left-1/2 z-50 flex max-h-[84vh] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col rounded-md border border-line bg-raised shadow-lg ${isWide ? 'max-w-3xl' : 'max-w-lg'}`}
        >
          <div className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4">
            <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <Button kind="quiet" size="sm" aria-label="Close">
                <X className="size-4" aria-hidden="true" />
              </Button>
            </Radix.Close>
          </div>
          <div className="overflow-y-auto p-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
