// A session in a list: one link over the whole row.

import { useClient } from '@tailrace/client/react';
import { lookOf, progressLabel, shortCount } from '@tailrace/client/timeline';
import type { SessionInfo } from '@tailrace/protocol';
import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { tell } from '../shell/note.ts';
import { PlainText } from '../text/plain-text.tsx';
import { useShown } from '../text/shown.tsx';
import { Cost, Duration, Since, Time } from '../ui/figures.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { sessionName } from '../ui/session-name.ts';
import { StateWord } from '../ui/state-word.tsx';
import { durationOf, lastActiveAt, tokensOf } from './arrange.ts';

/** Every row that keys go to has this attribute, at its link. */
export const ROW_ATTRIBUTE = 'data-row';

const ROW =
  'group/row relative flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-3 py-2 hover:bg-sunken ' +
  'has-[a:focus-visible]:bg-sunken has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-working lg:grid lg:gap-x-4';

/** One that is at work, with how far it is. */
export function WorkingRow({ session }: { readonly session: SessionInfo }): ReactElement {
  const { live, startedAt, model, costUsd, costState } = session;
  const progress = live?.progress;
  const tokens = tokensOf(session);
  return (
    <div
      className={`${ROW} lg:grid-cols-[minmax(0,1fr)_10.5rem_minmax(12rem,18rem)_4.5rem_4.5rem] xl:grid-cols-[minmax(0,1fr)_10.5rem_minmax(10rem,14rem)_8rem_4.5rem_3.5rem_4.5rem]`}
    >
      <TitleCell session={session} hasProject />
      <StateWord look={lookOf(session)} className="text-sm" />
      <span className="min-w-0 max-lg:basis-full">
        {progress && (
          <span className="flex flex-col gap-0.5">
            <span className="truncate text-xs text-muted" title={progress.phase}>
              <PlainText text={progress.activity ?? progress.phase} />
              {live.subagents > 0 && ` · ${count(live.subagents, 'sub-agent')}`}
            </span>
            <ProgressBar percentage={progress.percentage} label={progressLabel(progress)} className="w-full" />
          </span>
        )}
      </span>
      <span className="min-w-0 truncate text-xs text-muted max-xl:hidden">
        {model !== null && <PlainText text={model} />}
      </span>
      <Figure>
        <Cost usd={costUsd} state={costState} />
      </Figure>
      <Figure title="tokens in and out" className="max-xl:hidden">
        {tokens !== null && shortCount(tokens)}
      </Figure>
      <Figure title="since it began">{startedAt !== null && <Since at={startedAt} />}</Figure>
    </div>
  );
}

export interface EarlierRowProps {
  readonly session: SessionInfo;
  /** The group above does not tell it. */
  readonly hasProject: boolean;
}

export function EarlierRow({ session, hasProject }: EarlierRowProps): ReactElement {
  const { model, costUsd, costState, files } = session;
  const tokens = tokensOf(session);
  const at = lastActiveAt(session);
  return (
    <div className={`${ROW} lg:grid-cols-[minmax(0,1fr)_9.5rem_8rem_4.5rem_3.5rem_4.5rem_4rem_7.25rem]`}>
      <TitleCell session={session} hasProject={hasProject} hasStar />
      <StateWord look={lookOf(session)} className="text-xs" />
      <span className="min-w-0 truncate text-xs text-muted max-lg:hidden">
        {model !== null && <PlainText text={model} />}
      </span>
      <Figure>
        <Cost usd={costUsd} state={costState} />
      </Figure>
      <Figure title="tokens in and out" className="max-lg:hidden">
        {tokens !== null && shortCount(tokens)}
      </Figure>
      <Figure>
        <Duration ms={durationOf(session)} />
      </Figure>
      <Figure className="max-sm:hidden">{files > 0 && count(files, 'file')}</Figure>
      <Figure>{at !== null && <Time at={at} />}</Figure>
    </div>
  );
}

interface TitleCellProps {
  readonly session: SessionInfo;
  readonly hasProject?: boolean;
  readonly hasStar?: boolean;
}

function TitleCell({ session, hasProject, hasStar }: TitleCellProps): ReactElement {
  const { id, title, project, lastText } = session;
  return (
    <span className="flex min-w-0 basis-full items-start gap-2">
      {hasStar && <StarButton session={session} />}
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-baseline gap-2">
          {hasProject && project !== null && (
            <span className="max-w-40 shrink-0 truncate text-sm text-muted">
              <PlainText text={project} />
            </span>
          )}
          <Link
            to="/sessions/$sessionId"
            params={{ sessionId: id }}
            {...{ [ROW_ATTRIBUTE]: '' }}
            className="min-w-0 truncate font-medium outline-none after:absolute after:inset-0"
          >
            <PlainText text={sessionName(id, title)} />
          </Link>
        </span>
        {lastText !== null && (
          <span className="block truncate text-xs text-muted">
            <PlainText text={withoutMarks(lastText)} />
          </span>
        )}
      </span>
    </span>
  );
}

/** Bold, slanted, code and headings are only words on a single line. A star with room around it is one. */
function withoutMarks(text: string): string {
  return text.replace(/\*\*|\*(?=\S)|(?<=\S)\*|`|^#+ /g, '');
}

function StarButton({ session: { id, starred, title } }: { readonly session: SessionInfo }): ReactElement {
  const { http } = useClient();
  const shown = useShown();
  return (
    <button
      type="button"
      aria-pressed={starred}
      aria-label={`Star ${shown(sessionName(id, title))}`}
      title={starred ? 'Take the star away' : 'Star it'}
      onClick={() =>
        void http
          .label(id, { starred: !starred })
          .catch(() => tell('The star could not be set: the server does not answer.'))
      }
      className={`relative z-10 -m-1 shrink-0 rounded-sm p-1.5 ${starred ? 'text-text' : 'text-muted/75 group-hover/row:text-muted focus-visible:text-muted'}`}
    >
      <Star className={`size-3.5 ${starred ? 'fill-current' : ''}`} aria-hidden="true" />
    </button>
  );
}

interface FigureProps {
  readonly children: ReactNode;
  readonly title?: string;
  readonly className?: string;
}

function Figure({ children, title, className = '' }: FigureProps): ReactElement {
  return (
    <span
      title={title}
      className={`figures text-xs whitespace-nowrap text-muted empty:max-lg:hidden lg:text-right ${className}`}
    >
      {children}
    </span>
  );
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
