// A project, found by parts of its name or of its folder.

import { revealHidden } from '@tailrace/core';
import type { ProjectInfo } from '@tailrace/protocol';
import { clsx } from 'clsx';
import { type ReactElement, useId, useState } from 'react';
import { findBy } from '../home/find.ts';
import { PlainText } from '../text/plain-text.tsx';
import { FIELD_LOOK } from '../ui/field.tsx';

export interface ProjectFieldProps {
  readonly id: string;
  readonly projects: readonly ProjectInfo[];
  /** The id of the one that is chosen. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

const MOST_SHOWN = 50;

export function ProjectField({ id, projects, value, onChange }: ProjectFieldProps): ReactElement {
  const listId = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const chosen = projects.find((project) => project.id === value);
  const isOpen = typed !== null;
  const found = isOpen ? findBy(projects, textOf, typed).slice(0, MOST_SHOWN) : [];
  const current = found[Math.min(at, found.length - 1)];

  function choose(project: ProjectInfo | undefined): void {
    if (project) onChange(project.id);
    setTyped(null);
  }

  function move(step: number): void {
    setAt(Math.min(Math.max(0, at + step), found.length - 1));
  }

  return (
    <div className="relative">
      <input
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && current ? `${listId}-${current.id}` : undefined}
        aria-describedby={`${id}-hint`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Find a project"
        value={typed ?? (chosen ? revealHidden(chosen.name) : '')}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => typed === null && open()}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            if (typed === null) open();
            else move(event.key === 'ArrowDown' ? 1 : -1);
          } else if (event.key === 'Enter' && isOpen && !event.ctrlKey && !event.metaKey) {
            event.preventDefault();
            choose(current);
          } else if (event.key === 'Escape' && isOpen) {
            event.stopPropagation();
            setTyped(null);
          }
        }}
        className={`${FIELD_LOOK} h-10`}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Projects"
        hidden={!isOpen || found.length === 0}
        className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-lg"
      >
        {found.map((project) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the one that is chosen
          <div
            key={project.id}
            id={`${listId}-${project.id}`}
            role="option"
            aria-selected={project === current}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(project)}
            className={clsx(
              'flex cursor-pointer flex-wrap items-baseline gap-x-3 rounded-sm px-2 py-1.5',
              project === current && 'bg-sunken',
            )}
          >
            <span className="font-medium">
              <PlainText text={project.name} />
            </span>
            <span className="min-w-0 text-xs text-muted wrap-anywhere">
              <PlainText text={project.folder} />
            </span>
          </div>
        ))}
      </div>
      {isOpen && found.length === 0 && (
        <p role="status" className="mt-1 text-sm text-muted">
          No project is like that.
        </p>
      )}
    </div>
  );

  function open(): void {
    setTyped('');
    setAt(
      Math.max(
        0,
        projects.findIndex((project) => project.id === value),
      ),
    );
  }
}

function textOf({ name, folder }: ProjectInfo): string {
  return `${name} · ${folder}`;
}
