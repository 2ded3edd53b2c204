import type { ReactElement } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { boundKeys, type KeyBinding } from './keys.ts';

export interface KeysDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The keys of what is on the screen. */
export function KeysDialog({ isOpen, onClose }: KeysDialogProps): ReactElement {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose} isWide>
      <div className="gap-6 sm:columns-2">
        {groupsOf(isOpen ? boundKeys() : []).map(([group, bindings]) => (
          <section key={group} aria-label={group} className="mb-6">
            <h3 className="mb-2 text-xs font-medium text-muted">{group}</h3>
            <dl className="text-sm">
              {bindings.map(({ keys, label }) => (
                <div key={keys} className="flex items-baseline gap-4 py-0.5">
                  <dt className="w-20 shrink-0">
                    <Keys keys={keys} />
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Keys as they stand on a keyboard. */
function Keys({ keys }: { readonly keys: string }): ReactElement {
  return (
    <span className="inline-flex gap-1">
      {(keys === ' ' ? ['Space'] : keys.split(/[ +]/)).map((key, index) => (
        // The keys of one binding never change their places.
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice
        <kbd key={index} className="rounded-sm border border-line bg-sunken px-1.5 text-xs">
          {NAMES[key] ?? key}
        </kbd>
      ))}
    </span>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  ctrl: 'Ctrl',
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
};

function groupsOf(bindings: readonly KeyBinding[]): readonly (readonly [string, readonly KeyBinding[]])[] {
  const groups = new Map<string, KeyBinding[]>();
  for (const binding of bindings) groups.set(binding.group, [...(groups.get(binding.group) ?? []), binding]);
  return [...groups];
}
