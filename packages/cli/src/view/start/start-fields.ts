// What a run is started with, as fields that are gone through with Tab. Those that an agent does not take are not there.

import { noFields, type StartFields, startModes } from '@tailrace/client/timeline';
import type { AgentInfo, ProjectInfo } from '@tailrace/protocol';

export type FieldName = keyof StartFields;

interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface StartField {
  readonly name: FieldName;
  readonly label: string;
  /** One of these is chosen; without any, it is typed. */
  readonly choices: readonly Choice[] | undefined;
  /** What it means when nothing is typed. */
  readonly empty: string;
}

/** The fields in their order; the prompt is last, and stands by itself. */
export function startFields(
  projects: readonly ProjectInfo[],
  agents: readonly AgentInfo[],
  { agent }: StartFields,
): readonly StartField[] {
  const takes = agents.find(({ name }) => name === agent)?.takes ?? [];
  const typed = (name: FieldName, label: string, empty: string): StartField => ({
    name,
    label,
    choices: undefined,
    empty,
  });
  const chosen = (name: FieldName, label: string, choices: readonly Choice[]): StartField => ({
    name,
    label,
    choices,
    empty: '',
  });
  return [
    chosen(
      'project',
      'project',
      projects.map(({ id, name, folder }) => ({ value: id, label: `${name}  ${folder}` })),
    ),
    typed('path', 'folder in it', 'the project itself'),
    chosen(
      'agent',
      'agent',
      agents.map(({ name, title }) => ({ value: name, label: title })),
    ),
    typed('model', 'model', 'its own default'),
    ...(takes.includes('permissionMode') ? [chosen('permissionMode', 'permissions', startModes)] : []),
    ...(takes.includes('maxBudgetUsd') ? [typed('budget', 'budget in $', 'none')] : []),
  ];
}

/** What is filled in at first: the project that the person looked at, and an agent that is there. */
export function firstFields(
  projects: readonly ProjectInfo[],
  agents: readonly AgentInfo[],
  projectId: string | null | undefined,
): StartFields {
  const project = projects.find(({ id }) => id === projectId) ?? projects[0];
  const agent = agents.find(({ name }) => name === noFields.agent) ?? agents[0];
  return { ...noFields, project: project?.id ?? '', agent: agent?.name ?? noFields.agent };
}

/** The next choice, or the one before; with words, the next that has them. */
export function nextChoice({ choices = [] }: StartField, value: string, by: 1 | -1, words = ''): string {
  const wanted = words.trim().toLowerCase();
  const fitting = choices.filter(({ label }) => label.toLowerCase().includes(wanted));
  const at = fitting.findIndex((one) => one.value === value);
  const next = fitting[at < 0 ? 0 : (at + by + fitting.length) % fitting.length];
  return next?.value ?? value;
}
