import { clsx } from 'clsx';
import { type ReactElement, useId } from 'react';

export interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

/** One of a few, all of them to be seen. */
export function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>): ReactElement {
  const name = useId();
  return (
    <fieldset className="inline-flex w-fit flex-wrap rounded-md border border-line bg-raised p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={clsx(
            'flex h-8 cursor-pointer items-center rounded-sm px-3 text-sm whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-working',
            option.value === value ? 'bg-sunken font-medium text-text' : 'text-muted hover:text-text',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
