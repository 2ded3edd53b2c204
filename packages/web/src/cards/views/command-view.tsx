import { fieldOf, textField } from '@tailrace/client/timeline';
import type { Call } from '@tailrace/core';
import type { ReactElement } from 'react';
import { Code } from '../../text/code.tsx';
import { PlainText } from '../../text/plain-text.tsx';
import { withoutAnsi } from '../ansi.ts';
import { Content } from '../content.tsx';
import { InputText } from './input-text.tsx';

/** Of what is printed, the end tells how it went. */
const LAST_LINES = 8;

export function CommandView({ call }: { readonly call: Call }): ReactElement {
  const { input, content, outputText, exitCode, status } = call;
  const command = textField(input, 'command', 'cmd', 'code', 'script');
  const description = textField(input, 'description');
  const printed = outputText ?? '';
  const isBackground = fieldOf(input, 'run_in_background') === true || fieldOf(input, 'is_background') === true;
  const isSilent =
    printed.trim() === '' && !(content ?? []).some((part) => part.type !== 'text' || part.text.trim() !== '');
  return (
    <>
      {command === undefined ? (
        <InputText call={call} />
      ) : (
        <Code text={command} language="bash" maxLines={20} isWrapped label="command" />
      )}
      {(description !== undefined || isBackground || exitCode !== undefined) && (
        <p className="text-xs text-muted wrap-anywhere">
          {exitCode !== undefined && <span className="figures">exit code {exitCode}</span>}
          {exitCode !== undefined && (description !== undefined || isBackground) && ' · '}
          {isBackground && 'in the background'}
          {isBackground && description !== undefined && ' · '}
          {description !== undefined && <PlainText text={description} />}
        </p>
      )}
      {printed !== '' && (
        <Code text={withoutAnsi(printed)} maxLines={LAST_LINES} keep="last" isWrapped label="output" />
      )}
      {content && <Content parts={content} maxLines={LAST_LINES} keep="last" />}
      {isSilent && status === 'completed' && <p className="text-xs text-muted">It printed nothing.</p>}
    </>
  );
}
