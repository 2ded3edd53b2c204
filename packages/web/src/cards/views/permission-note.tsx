import type { Permission } from '@tailrace/core';
import type { ReactElement } from 'react';
import { PlainText } from '../../text/plain-text.tsx';

const BY: Readonly<Record<NonNullable<Permission['by']>, string>> = {
  user: 'by you',
  policy: 'by a rule',
  agent: 'by the agent',
  unknown: '',
};

/** Who decided on a call, and why. */
export function PermissionNote({ permission }: { readonly permission: Permission }): ReactElement {
  const { decision, by, reason, options, optionId } = permission;
  const option = options?.find((one) => one.optionId === optionId);
  return (
    <p className="text-xs text-muted wrap-anywhere">
      {decision === undefined ? (
        <span className="text-waiting">waits for your answer</span>
      ) : (
        `${decision === 'cancelled' ? 'no longer asked' : decision} ${by === undefined ? '' : BY[by]}`.trim()
      )}
      {option && (
        <>
          : <PlainText text={option.name} />
        </>
      )}
      {reason !== undefined && reason !== '' && (
        <>
          {' · '}
          <PlainText text={reason} />
        </>
      )}
    </p>
  );
}
