import { type Json, redactJson } from '@tailrace/core';
import { type ReactElement, useMemo } from 'react';

/** Everywhere else it would be redacted; nobody can say yes to what they do not see. */
export function SecretNote({ input }: { readonly input: Json }): ReactElement | null {
  const hasSecret = useMemo(() => redactJson(input).found.length > 0, [input]);
  if (!hasSecret) return null;
  return (
    <p className="text-xs text-muted">
      There is something like a secret in it. It is not redacted here: you see what you allow.
    </p>
  );
}
