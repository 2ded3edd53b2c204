import type { Call } from '@tailrace/core';
import type { ReactElement } from 'react';
import { Code } from '../../text/code.tsx';
import { Field } from '../card.tsx';

/** What a call was given, in whatever shape; while it is still being written, as far as it has come. */
export function InputText({ call }: { readonly call: Call }): ReactElement | null {
  const { input, inputText } = call;
  if (inputText !== undefined && inputText !== '') {
    return (
      <Field label="input, as far as it has come">
        <Code text={inputText} maxLines={20} keep="last" isWrapped label="input" />
      </Field>
    );
  }
  if (input === undefined || shapeless(input)) return null;
  return (
    <Field label="input">
      {typeof input === 'string' ? (
        <Code text={input} maxLines={20} isWrapped label="input" />
      ) : (
        <Code text={JSON.stringify(input, null, 2) ?? ''} language="json" maxLines={20} isWrapped label="input" />
      )}
    </Field>
  );
}

function shapeless(input: unknown): boolean {
  return typeof input === 'object' && input !== null && Object.keys(input).length === 0;
}
