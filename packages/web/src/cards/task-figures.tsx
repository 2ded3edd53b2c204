import { shortCount } from '@tailrace/client/timeline';
import type { Task, Usage } from '@tailrace/core';
import { type ReactElement, useContext } from 'react';
import { Cost } from '../ui/figures.tsx';
import { SurroundingsContext } from './surroundings.ts';

/** What a sub-agent has used so far: calls, tokens, cost. */
export function TaskFigures({ task }: { readonly task: Task }): ReactElement | null {
  const known = useContext(SurroundingsContext).subagents.get(task.taskId);
  const { toolUses, cost } = task;
  const tokens = tokensOf(known?.usage) || tokensOf(task.usage);
  if (toolUses === undefined && tokens === 0 && !cost && !known) return null;
  return (
    <>
      {toolUses !== undefined && <span className="figures">{toolUses === 1 ? '1 call' : `${toolUses} calls`}</span>}
      {tokens > 0 && <span className="figures">{shortCount(tokens)} tokens</span>}
      {known ? (
        <Cost usd={known.costUsd} state={known.costState} />
      ) : (
        cost?.currency === 'USD' && <Cost usd={cost.amount} state={cost.estimated ? 'estimated' : 'reconciled'} />
      )}
    </>
  );
}

function tokensOf(usage: Usage | undefined): number {
  return usage?.totalTokens ?? (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
}
