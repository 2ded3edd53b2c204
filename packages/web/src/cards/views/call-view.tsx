// What an open call shows: the view of its kind, and below it whatever else is known of how it went.

import type { Call } from '@tailrace/core';
import { memo, type ReactElement } from 'react';
import { PlainText } from '../../text/plain-text.tsx';
import { ChangesView } from './changes-view.tsx';
import { CommandView } from './command-view.tsx';
import { FetchView } from './fetch-view.tsx';
import { OtherView } from './other-view.tsx';
import { PermissionNote } from './permission-note.tsx';
import { PlanView } from './plan-view.tsx';
import { QuestionView } from './question-view.tsx';
import { ReadView } from './read-view.tsx';
import { SearchView } from './search-view.tsx';
import { SubagentView } from './subagent-view.tsx';
import { TodoView } from './todo-view.tsx';

export interface CallViewProps {
  readonly call: Call;
  readonly cwd: string | null;
}

export const CallView = memo(function CallView({ call, cwd }: CallViewProps): ReactElement {
  const { error, permission, changes, kind } = call;
  return (
    <>
      <KindView call={call} cwd={cwd} />
      {changes && changes.length > 0 && kind !== 'edit' && (
        <ChangesView changes={changes} cwd={cwd} outcome={call.changesOutcome} />
      )}
      {error && !isShownAlready(call) && (
        <p className="text-sm text-bad wrap-anywhere">
          <PlainText text={error.message} isBlock />
        </p>
      )}
      {permission && <PermissionNote permission={permission} />}
    </>
  );
});

function KindView({ call, cwd }: CallViewProps): ReactElement {
  const { tags, kind } = call;
  if (call.question) return <QuestionView question={call.question} />;
  if (call.plan) return <PlanView plan={call.plan} />;
  if (call.todos && call.todos.length > 0) return <TodoView entries={call.todos} />;
  if (call.task || tags?.includes('subagent')) return <SubagentView call={call} />;
  if (call.mcp) return <OtherView call={call} isTree />;
  switch (kind) {
    case 'execute':
      return <CommandView call={call} />;
    case 'edit':
      if (!call.changes || call.changes.length === 0) return <OtherView call={call} />;
      return <ChangesView changes={call.changes} cwd={cwd} outcome={call.changesOutcome} />;
    case 'read':
      return <ReadView call={call} />;
    case 'search':
      return tags?.includes('tool_search') ? <OtherView call={call} /> : <SearchView call={call} cwd={cwd} />;
    case 'fetch':
      return <FetchView call={call} />;
    default:
      return <OtherView call={call} />;
  }
}

/** An error often says what the content has said. */
function isShownAlready({ error, content }: Call): boolean {
  const message = error?.message.trim() ?? '';
  return (content ?? []).some((part) => part.type === 'text' && part.text.includes(message));
}
