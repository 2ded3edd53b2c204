import type { Plan } from '@tailrace/core';
import type { ReactElement } from 'react';
import { Markdown } from '../../text/markdown.tsx';
import { PlainText } from '../../text/plain-text.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

export function PlanView({ plan }: { readonly plan: Plan }): ReactElement {
  return (
    <div className="relative rounded-md border border-line bg-raised p-4 pr-10">
      {plan.text !== undefined && plan.text !== '' ? (
        <Markdown text={plan.text} />
      ) : (
        <p className="text-sm text-muted">The text of the plan was not told.</p>
      )}
      {plan.path !== undefined && (
        <p className="mt-3 font-mono text-xs text-muted wrap-anywhere">
          <PlainText text={plan.path} />
        </p>
      )}
      {plan.text !== undefined && (
        <div className="absolute top-1 right-1">
          <CopyButton text={plan.text} label="Copy plan" />
        </div>
      )}
    </div>
  );
}
