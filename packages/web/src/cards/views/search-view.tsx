import { shortPath, textField, textsOf } from '@tailrace/client/timeline';
import type { Call } from '@tailrace/core';
import { type ReactElement, useMemo, useState } from 'react';
import { PlainText } from '../../text/plain-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Content } from '../content.tsx';
import { groupHits } from '../hits.ts';
import { InputText } from './input-text.tsx';

const FIRST_FILES = 20;
const HITS_A_FILE = 5;

export function SearchView({ call, cwd }: { readonly call: Call; readonly cwd: string | null }): ReactElement {
  const { input, content } = call;
  const files = useMemo(() => groupHits(textsOf(content)), [content]);
  const [limit, setLimit] = useState(FIRST_FILES);
  const pattern = textField(input, 'pattern', 'query', 'glob', 'regex');
  const place = textField(input, 'path', 'dir_path', 'include');
  return (
    <>
      {pattern === undefined ? (
        <InputText call={call} />
      ) : (
        <p className="text-xs text-muted wrap-anywhere">
          for{' '}
          <code className="rounded-sm bg-sunken px-1 text-text">
            <PlainText text={pattern} />
          </code>
          {place !== undefined && (
            <>
              {' '}
              in <PlainText text={shortPath(place, cwd)} />
            </>
          )}
          {files && <span className="figures">{` · ${files.length === 1 ? '1 file' : `${files.length} files`}`}</span>}
        </p>
      )}
      {files ? (
        <ul className="flex flex-col gap-1 rounded-md border border-line bg-sunken p-2 font-mono text-xs">
          {files.slice(0, limit).map(({ path, hits }) => (
            <li key={path} className="min-w-0">
              <span className="wrap-anywhere">
                <PlainText text={shortPath(path, cwd)} />
              </span>
              {hits.length > 0 && <span className="text-muted figures"> {hits.length}</span>}
              {hits.slice(0, HITS_A_FILE).map(({ line, text }) => (
                <div key={`${line}:${text}`} className="flex gap-2 pl-3 text-muted">
                  <span className="figures select-none">{line}</span>
                  <span className="min-w-0 wrap-anywhere whitespace-pre-wrap text-text">
                    <PlainText text={text.slice(0, 400)} isBlock />
                  </span>
                </div>
              ))}
              {hits.length > HITS_A_FILE && <div className="pl-3 text-muted">… {hits.length - HITS_A_FILE} more</div>}
            </li>
          ))}
          {files.length > limit && (
            <Button kind="quiet" size="sm" className="self-start" onClick={() => setLimit(limit + 10 * FIRST_FILES)}>
              {`… ${files.length - limit} more files`}
            </Button>
          )}
        </ul>
      ) : (
        content && <Content parts={content} maxLines={20} />
      )}
    </>
  );
}
