import { textField } from '@tailrace/client/timeline';
import type { Call } from '@tailrace/core';
import type { ReactElement } from 'react';
import { PlainText } from '../../text/plain-text.tsx';
import { SafeLink } from '../../text/safe-link.tsx';
import { Content } from '../content.tsx';
import { InputText } from './input-text.tsx';

export function FetchView({ call }: { readonly call: Call }): ReactElement {
  const { input, content, status } = call;
  const address = textField(input, 'url');
  const query = textField(input, 'query');
  const wish = textField(input, 'prompt');
  return (
    <>
      {address !== undefined ? (
        <p className="text-sm">
          <SafeLink address={address} />
        </p>
      ) : query !== undefined ? (
        <p className="text-sm">
          searched for{' '}
          <strong className="font-medium wrap-anywhere">
            <PlainText text={query} />
          </strong>
        </p>
      ) : (
        <InputText call={call} />
      )}
      {wish !== undefined && (
        <p className="text-xs text-muted wrap-anywhere">
          asked of the page: <PlainText text={wish} />
        </p>
      )}
      {content && <Content parts={content} maxLines={12} />}
      {!content?.length && status === 'completed' && <p className="text-xs text-muted">What was found was not told.</p>}
    </>
  );
}
