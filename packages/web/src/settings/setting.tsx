import type { ReactElement, ReactNode } from 'react';

export interface SettingProps {
  readonly title: string;
  readonly says?: ReactNode;
  /** Of the sentence that says it. */
  readonly id?: string;
  readonly control: ReactNode;
}

/** One thing that can be set: what it is on the left, and what it is now on the right. */
export function Setting({ title, says, id, control }: SettingProps): ReactElement {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line py-4">
      <div className="min-w-0 flex-[1_1_20rem]">
        <h3 className="font-medium">{title}</h3>
        {says && (
          <p id={id} className="max-w-[60ch] text-sm text-muted">
            {says}
          </p>
        )}
      </div>
      {control}
    </div>
  );
}

export function SettingsPart({
  title,
  says,
  children,
}: {
  readonly title: string;
  readonly says?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <section aria-label={title}>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mb-3 text-sm text-muted">{says}</p>
      {children}
    </section>
  );
}
