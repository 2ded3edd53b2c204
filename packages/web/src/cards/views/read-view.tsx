import { textField, textsOf } from '@tailrace/client/timeline';
import type { Call } from '@tailrace/core';
import type { ReactElement } from 'react';
import { Code } from '../../text/code.tsx';
import { languageOfFile } from '../../text/languages.ts';
import { Content } from '../content.tsx';
import { withoutNumbers } from '../numbered.ts';
import { InputText } from './input-text.tsx';

const FIRST_LINES = 20;

export function ReadView({ call }: { readonly call: Call }): ReactElement {
  const { content, locations, input, status, tags } = call;
  const path = locations?.[0]?.path ?? textField(input, 'file_path', 'path', 'filePath');
  const isText = content?.every((part) => part.type === 'text') === true;
  const numbered = isText ? withoutNumbers(textsOf(content)) : undefined;
  const isCode = isText && status === 'completed' && path !== undefined && !tags?.includes('list');
  return (
    <>
      {path === undefined && <InputText call={call} />}
      {numbered && (
        <p className="text-xs text-muted figures">
          {numbered.first === numbered.last ? `line ${numbered.first}` : `lines ${numbered.first} to ${numbered.last}`}
        </p>
      )}
      {isCode ? (
        <Code
          text={numbered?.text ?? textsOf(content)}
          language={languageOfFile(path)}
          maxLines={FIRST_LINES}
          label="content"
        />
      ) : (
        content && <Content parts={content} maxLines={FIRST_LINES} label="content" />
      )}
      {!content?.length && status === 'completed' && <p className="text-xs text-muted">What was read was not told.</p>}
    </>
  );
}
