// What happened beside the talk: errors, notices, retries, summaries of the context, hooks. Each is a small row at its place.

import { shortCount } from '@tailrace/client/timeline';
import {
  type CompactionPart,
  type ErrorPart,
  type HookPart,
  type NoticePart,
  type RetryPart,
  showDuration,
} from '@tailrace/core';
import type { ReactElement, ReactNode } from 'react';
import { Code } from '../text/code.tsx';
import { Markdown } from '../text/markdown.tsx';
import { PlainText } from '../text/plain-text.tsx';
import { withoutAnsi } from './ansi.ts';
import { Card, type CardProps } from './card.tsx';
import { SmallLine, SmallRow } from './small-row.tsx';

type Foldable = Pick<CardProps, 'isOpen' | 'onToggle' | 'tools'>;

export function ErrorRow({ part, tools }: { readonly part: ErrorPart; readonly tools?: ReactNode }): ReactElement {
  const { message, httpStatus, nativeCode } = part.error;
  const codes = [httpStatus === undefined ? '' : `HTTP ${httpStatus}`, nativeCode ?? ''].filter((code) => code !== '');
  return (
    <SmallRow look={part.fatal ? 'error' : 'warning'} tools={tools}>
      <PlainText text={message} isBlock />
      {codes.length > 0 && (
        <span className="text-muted">
          {' '}
          (<PlainText text={codes.join(', ')} />)
        </span>
      )}
    </SmallRow>
  );
}

export function NoticeRow({ part, tools }: { readonly part: NoticePart; readonly tools?: ReactNode }): ReactElement {
  return (
    <SmallRow look={part.severity} tools={tools}>
      <PlainText text={part.title} isBlock />
      {part.description !== undefined && part.description !== '' && (
        <span className="block text-muted">
          <PlainText text={part.description} isBlock />
        </span>
      )}
    </SmallRow>
  );
}

export function RetryRow({ part, tools }: { readonly part: RetryPart; readonly tools?: ReactNode }): ReactElement {
  const { attempt, maxAttempts, delayMs, error, outcome } = part;
  const wait = showDuration(delayMs);
  const count = maxAttempts === undefined ? `${attempt}` : `${attempt} of ${maxAttempts}`;
  return (
    <SmallRow look={outcome === 'error' ? 'warning' : 'again'} tools={tools}>
      {error ? <RetryReason message={error.message} code={error.code} /> : 'the model did not answer'},{' '}
      {outcome === undefined ? 'tries again' : 'tried again'}
      {wait === '' ? '' : ` after ${wait}`} <span className="figures">({count})</span>
      {outcome === 'success' && ', and it answered'}
      {outcome === 'error' && ', in vain'}
    </SmallRow>
  );
}

function RetryReason({ message, code }: { readonly message: string; readonly code: string }): ReactElement {
  if (code === 'overloaded') return <>the API was overloaded</>;
  if (code === 'rate_limit') return <>too much was asked of the API</>;
  return (
    <>
      the API failed (<PlainText text={message} />)
    </>
  );
}

export function CompactionRow({ part, ...card }: Foldable & { readonly part: CompactionPart }): ReactElement {
  const { outcome, tokensBefore, tokensAfter, summary, durationMs, trigger } = part;
  const long = showDuration(durationMs);
  const line = (
    <SmallLine look={outcome === 'error' ? 'warning' : 'info'}>
      {outcome === undefined
        ? 'summarises the context…'
        : outcome === 'success'
          ? 'the context was summarised'
          : 'the context could not be summarised'}
      {trigger === 'manual' && ', as you asked'}
      {tokensBefore !== undefined && tokensAfter !== undefined && (
        <span className="figures">{`: ${shortCount(tokensBefore)} → ${shortCount(tokensAfter)} tokens`}</span>
      )}
      {long !== '' && <span className="figures">{` in ${long}`}</span>}
    </SmallLine>
  );
  if (summary === undefined) return <SmallRowOf tools={card.tools}>{line}</SmallRowOf>;
  return (
    <Card {...card} line={line} label="summary of the context">
      <Markdown text={summary} />
    </Card>
  );
}

export function HookRow({ part, ...card }: Foldable & { readonly part: HookPart }): ReactElement {
  const { name, output, exitCode, outcome } = part;
  const line = (
    <SmallLine look={outcome === 'error' ? 'warning' : 'info'}>
      hook <PlainText text={name} />{' '}
      {outcome === undefined ? 'runs' : outcome === 'success' ? 'ran' : outcome === 'error' ? 'failed' : 'ended'}
      {exitCode !== undefined && exitCode !== 0 && <span className="figures">{`, exit ${exitCode}`}</span>}
    </SmallLine>
  );
  if (output === undefined || output === '') return <SmallRowOf tools={card.tools}>{line}</SmallRowOf>;
  return (
    <Card {...card} line={line} label="hook">
      <Code text={withoutAnsi(output)} maxLines={12} keep="last" isWrapped label="output" />
    </Card>
  );
}

/** A line that stands by itself, as wide as the line of a card. */
function SmallRowOf({ children, tools }: { readonly children: ReactNode; readonly tools: ReactNode }): ReactElement {
  return <Card line={children} isFoldable={false} isOpen={false} onToggle={() => undefined} tools={tools} />;
}
