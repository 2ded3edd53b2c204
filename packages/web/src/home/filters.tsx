// What narrows the list of earlier sessions, and how it is ordered.

import { revealHidden } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import { Star } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import type { HomeSearch, Sort } from './search.ts';

export interface FiltersProps {
  readonly search: HomeSearch;
  readonly onChange: (change: HomeSearch) => void;
  /** Those that there are to choose from. */
  readonly sessions: readonly SessionInfo[];
}

const STATUSES: readonly Choice[] = [
  { value: 'success', label: 'ended well' },
  { value: 'error', label: 'ended with an error' },
  { value: 'cancelled', label: 'stopped' },
  { value: 'incomplete', label: 'broke off' },
];
const SORTS: readonly (Choice & { readonly value: Sort })[] = [
  { value: 'active', label: 'last active first' },
  { value: 'cost', label: 'dearest first' },
  { value: 'duration', label: 'longest first' },
  { value: 'tokens', label: 'most tokens first' },
];

export function Filters({ search, onChange, sessions }: FiltersProps): ReactElement {
  const { project, model, agent, status, starred, period, sort, by } = search;
  return (
    <fieldset className="flex min-w-0 items-center gap-1.5 max-sm:-mx-2 max-sm:w-[calc(100%+1rem)] max-sm:overflow-x-auto max-sm:px-2 max-sm:py-1 sm:ml-auto sm:flex-wrap">
      <legend className="sr-only">Which sessions, and in what order</legend>
      <Choose
        label="Project"
        all="all projects"
        value={project}
        choices={choicesOf(sessions, ({ projectId, project: name, cwd }) =>
          projectId === null ? undefined : { value: projectId, label: name ?? cwd ?? projectId },
        )}
        onChange={(value) => onChange({ project: value })}
      />
      <Choose
        label="Model"
        all="all models"
        value={model}
        choices={choicesOf(sessions, ({ model: name }) => (name === null ? undefined : { value: name, label: name }))}
        onChange={(value) => onChange({ model: value })}
      />
      <Choose
        label="Agent"
        all="all agents"
        value={agent}
        choices={choicesOf(sessions, ({ agent: name }) => ({ value: name, label: name }))}
        onChange={(value) => onChange({ agent: value })}
      />
      <Choose
        label="How it went"
        all="however it went"
        value={status}
        choices={STATUSES}
        onChange={(value) => onChange({ status: value })}
      />
      <Choose
        label="Period"
        all="30 days"
        value={period}
        choices={[{ value: 'all', label: 'all the time' }]}
        onChange={(value) => onChange({ period: value === 'all' ? 'all' : undefined })}
      />
      <Choose
        label="Groups"
        all="by project"
        value={by}
        choices={[{ value: 'day', label: 'by day' }]}
        onChange={(value) => onChange({ by: value === 'day' ? 'day' : undefined })}
      />
      <Choose
        label="Order"
        all="last active first"
        value={sort}
        choices={SORTS.filter(({ value }) => value !== 'active')}
        onChange={(value) => onChange({ sort: SORTS.map((one) => one.value).find(isRare(value)) })}
      />
      <Button
        size="sm"
        aria-pressed={starred ?? false}
        onClick={() => onChange({ starred: starred ? undefined : true })}
        className={starred ? 'border-strong-line!' : 'text-muted!'}
      >
        <Star className={`size-3.5 ${starred ? 'fill-current' : ''}`} aria-hidden="true" />
        starred
      </Button>
    </fieldset>
  );
}

function isRare(wanted: string | undefined) {
  return (sort: Sort): sort is Exclude<Sort, 'active'> => sort !== 'active' && sort === wanted;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

function choicesOf(
  sessions: readonly SessionInfo[],
  read: (session: SessionInfo) => Choice | undefined,
): readonly Choice[] {
  const choices = new Map<string, Choice>();
  for (const session of sessions) {
    const choice = read(session);
    if (choice) choices.set(choice.value, choice);
  }
  return [...choices.values()].sort((a, b) => a.label.localeCompare(b.label));
}

interface ChooseProps {
  readonly label: string;
  /** What stands for no choice. */
  readonly all: string;
  readonly value: string | undefined;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string | undefined) => void;
}

function Choose({ label, all, value, choices, onChange }: ChooseProps): ReactElement | null {
  // Where there is nothing to choose from, nobody is asked.
  if (value === undefined && choices.length < 1) return null;
  const isListed = value === undefined || choices.some((choice) => choice.value === value);
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
      className={`h-7 max-w-[9rem] rounded-md border bg-raised px-1.5 text-xs hover:border-strong-line ${value === undefined ? 'border-line text-muted' : 'border-strong-line text-text'}`}
    >
      <option value="">{all}</option>
      {!isListed && <option value={value}>{revealHidden(value)}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {revealHidden(choice.label)}
        </option>
      ))}
    </select>
  );
}
