// What somebody filled in, as the command that it means.

import type { AgentInfo, StartRun } from '@tailrace/protocol';

export interface StartFields {
  readonly project: string;
  readonly path: string;
  readonly prompt: string;
  readonly agent: string;
  readonly model: string;
  readonly permissionMode: string;
  readonly budget: string;
}

export const noFields: StartFields = {
  project: '',
  path: '',
  prompt: '',
  agent: 'claude',
  model: '',
  permissionMode: '',
  budget: '',
};

export type StartWish = { readonly command: StartRun } | { readonly fault: string };

/** What cannot be asked of the agent is left out; what is wrong is said. */
export function startWish(fields: StartFields, agent: AgentInfo | undefined): StartWish {
  if (fields.project === '') return { fault: 'Choose a project.' };
  if (fields.prompt.trim() === '') return { fault: 'Say what is to be done.' };
  const path = fields.path.trim().replace(/^\.?\/+|\/+$/g, '');
  const model = fields.model.trim();
  if (/^-|\s/.test(model)) return { fault: 'The name of a model has no spaces, and begins with no dash.' };
  const budget = fields.budget.trim() === '' ? undefined : Number(fields.budget.trim().replace(/^\$/, ''));
  const takes = (option: string): boolean => agent?.takes.includes(option) ?? false;
  if (budget !== undefined && takes('maxBudgetUsd') && !(Number.isFinite(budget) && budget > 0))
    return { fault: 'The budget is an amount in dollars, like 2.50.' };
  return {
    command: {
      action: 'start',
      project: fields.project,
      prompt: fields.prompt,
      agent: fields.agent,
      isConversation: true,
      ...(path !== '' && { path }),
      ...(model !== '' && { model }),
      ...(fields.permissionMode !== '' && takes('permissionMode') && { permissionMode: fields.permissionMode }),
      ...(budget !== undefined && takes('maxBudgetUsd') && { budgetUsd: budget }),
    },
  };
}

/** What a run may do without asking, in the words of whoever starts it. The first is the agent's own default. */
export const startModes: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'asks you (its own default)' },
  { value: 'plan', label: 'plan: looks, and puts a plan forward' },
  { value: 'acceptEdits', label: 'acceptEdits: changes files without asking' },
];
