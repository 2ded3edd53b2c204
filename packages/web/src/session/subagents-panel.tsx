import { shortCount } from '@tailrace/client/timeline';
import { type Conversation, type Subagent, subagentsOf } from '@tailrace/core';
import type { SessionDetail } from '@tailrace/protocol';
import { type ReactElement, useMemo } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { Cost, Duration } from '../ui/figures.tsx';
import { Panel } from './panel.tsx';

type Figures = ReadonlyMap<string, SessionDetail['summary']['subagents'][number]>;

export interface SubagentsPanelProps {
  readonly conversation: Conversation;
  readonly session: SessionDetail;
  readonly onShow: (partId: string) => void;
}

/** Who worked for the agent, as a tree, with what each has cost. */
export function SubagentsPanel({ conversation, session, onShow }: SubagentsPanelProps): ReactElement {
  // A task may change with every word; the tree is made of all parts, so it is made when something is shown of it.
  const tree = useMemo(() => subagentsOf(conversation), [conversation]);
  const figures: Figures = useMemo(
    () => new Map(session.summary.subagents.map((one) => [one.id, one])),
    [session.summary.subagents],
  );
  const count = countOf(tree);
  return (
    <Panel name="subagents" title="Sub-agents" figure={count > 0 && <span className="figures">{count}</span>}>
      {count === 0 ? (
        <p className="text-sm text-muted">None were started.</p>
      ) : (
        <Tree agents={tree} figures={figures} onShow={onShow} />
      )}
    </Panel>
  );
}

function Tree({
  agents,
  figures,
  onShow,
}: {
  readonly agents: readonly Subagent[];
  readonly figures: Figures;
  readonly onShow: (partId: string) => void;
}): ReactElement {
  return (
    <ul className="mt-1 space-y-0.5 text-sm">
      {agents.map((agent) => (
        <li key={agent.task.taskId}>
          <button
            type="button"
            className="-mx-1.5 w-[calc(100%+12px)] rounded-sm px-1.5 py-0.5 text-left hover:bg-sunken"
            onClick={() => onShow(agent.part.id)}
          >
            <span className="line-clamp-2 break-words">
              <PlainText text={agent.task.description ?? agent.task.name ?? 'sub-agent'} />
            </span>
            <span className="flex flex-wrap gap-x-2 text-xs text-muted">
              <span>{WORDS[agent.task.status]}</span>
              <FiguresOf agent={agent} figures={figures} />
            </span>
          </button>
          {agent.children.length > 0 && (
            <div className="ml-1.5 border-l border-line pl-3">
              <Tree agents={agent.children} figures={figures} onShow={onShow} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function FiguresOf({ agent, figures }: { readonly agent: Subagent; readonly figures: Figures }): ReactElement {
  const known = figures.get(agent.task.taskId);
  const usage = known?.usage ?? agent.usage;
  const tokens = usage.totalTokens ?? (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  return (
    <>
      {known && <Cost usd={known.costUsd} state={known.costState} />}
      {tokens > 0 && <span className="figures">{shortCount(tokens)} tok</span>}
      {agent.calls.length > 0 && (
        <span className="figures">
          {agent.calls.length} {agent.calls.length === 1 ? 'call' : 'calls'}
        </span>
      )}
      <Duration ms={agent.task.durationMs} />
    </>
  );
}

const WORDS: Readonly<Record<Subagent['task']['status'], string>> = {
  running: 'working',
  completed: 'ended well',
  failed: 'failed',
  denied: 'denied',
  cancelled: 'stopped',
  unknown: 'ended',
};

function countOf(agents: readonly Subagent[]): number {
  return agents.reduce((sum, { children }) => sum + 1 + countOf(children), 0);
}
