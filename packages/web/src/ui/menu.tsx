// A menu at a button. It is not modal: what Radix does for that writes styles into the page, which the policy of the server forbids.

import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export interface MenuProps {
  /** The button; it needs a name. */
  readonly trigger: ReactElement;
  readonly label: string;
  readonly children: ReactNode;
}

export function Menu({ trigger, label, children }: MenuProps): ReactElement {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {/* In the content, so that whoever goes from landmark to landmark comes by it. */}
      <Radix.Portal container={document.querySelector('main')}>
        <Radix.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="z-50 min-w-40 rounded-md border border-line bg-raised p-1 text-sm shadow-lg"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const ITEM =
  'flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2 outline-none select-none data-[highlighted]:bg-sunken';

export interface MenuItemProps {
  readonly children: ReactNode;
  readonly onSelect: () => void;
  readonly className?: string;
}

export function MenuItem({ children, onSelect, className = '' }: MenuItemProps): ReactElement {
  return (
    <Radix.Item className={`${ITEM} ${className}`} onSelect={onSelect}>
      {children}
    </Radix.Item>
  );
}

export interface MenuChoiceProps<T extends string> {
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

/** One of several; a mark is beside the one that holds. */
export function MenuChoice<T extends string>({ value, options, onChange }: MenuChoiceProps<T>): ReactElement {
  return (
    <Radix.RadioGroup value={value}>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          className={`${ITEM} pl-7`}
          onSelect={() => onChange(option.value)}
        >
          <Radix.ItemIndicator className="absolute -ml-5">
            <Check className="size-3.5" aria-hidden="true" />
          </Radix.ItemIndicator>
          {option.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}
