import type { Call } from '@tailrace/core';
import type { ReactElement } from 'react';
import { Code } from '../../text/code.tsx';
import { Field } from '../card.tsx';
import { Content } from '../content.tsx';
import { JsonTree } from '../json-tree.tsx';
import { InputText } from './input-text.tsx';

export interface OtherViewProps {
  readonly call: Call;
  /** Values can be opened level by level. */
  readonly isTree?: boolean;
}

/** A call of no known kind: what went in and what came out, as they are. */
export function OtherView({ call, isTree = false }: OtherViewProps): ReactElement {
  const { input, content, output, outputText } = call;
  const hasContent = (content ?? []).length > 0;
  return (
    <>
      {isTree && typeof input === 'object' && input !== null ? (
        <Field label="input">
          <JsonTree value={input} label="input" />
        </Field>
      ) : (
        <InputText call={call} />
      )}
      {(hasContent || output !== undefined || outputText !== undefined) && (
        <Field label="result">
          {outputText !== undefined && <Code text={outputText} maxLines={12} keep="last" isWrapped label="output" />}
          {hasContent && <Content parts={content ?? []} maxLines={20} />}
          {output !== undefined && (isTree ? typeof output === 'object' && !Array.isArray(output) : !hasContent) && (
            <Output value={output} isTree={isTree} />
          )}
        </Field>
      )}
    </>
  );
}

function Output({ value, isTree }: { readonly value: unknown; readonly isTree: boolean }): ReactElement {
  if (isTree) return <JsonTree value={value} label="result" />;
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  return (
    <Code
      text={text}
      language={typeof value === 'string' ? undefined : 'json'}
      maxLines={20}
      isWrapped
      label="result"
    />
  );
}
