import type { ReactElement, ReactNode } from 'react';

export const PANELS = ['todos', 'files', 'cost', 'checkpoints', 'subagents'] as const;
export type PanelName = (typeof PANELS)[number];

export const PANEL_TITLES: Readonly<Record<PanelName, string>> = {
  todos: 'Todos',
  files: 'Files',
  cost: 'Cost',
  checkpoints: 'Checkpoints',
  subagents: 'Sub-agents',
};

export interface PanelProps {
  readonly name: string;
  readonly title: string;
  /** Beside the title: a figure, a bar. */
  readonly figure?: ReactNode;
  readonly children?: ReactNode;
}

/** A section of the side panel. */
export function Panel({ name, title, figure, children }: PanelProps): ReactElement {
  return (
    <section
      id={panelId(name)}
      tabIndex={-1}
      aria-label={title}
      className="border-b border-line px-4 py-3 outline-offset-[-2px] last:border-b-0"
    >
      <div className="flex min-h-6 items-center gap-2">
        <h2 className="text-xs font-semibold tracking-wide text-muted uppercase">{title}</h2>
        <div className="ml-auto flex min-w-0 items-center text-xs text-muted">{figure}</div>
      </div>
      {children}
    </section>
  );
}

export function panelId(name: string): string {
  return `panel-${name}`;
}
