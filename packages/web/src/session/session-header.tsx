// The line above a session: what it is, what it is at, what it cost, what went wrong in it, and what can be done with its run.

import { useClient } from '@tailrace/client/react';
import { lookOf, shortCount } from '@tailrace/client/timeline';
import { type Conversation, callById } from '@tailrace/core';
import type { SessionDetail } from '@tailrace/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, GitCompareArrows, Pause, Play, Square, Star } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { Button } from '../ui/button.tsx';
import { Cost, Since } from '../ui/figures.tsx';
import { sessionName } from '../ui/session-name.ts';
import { StateWord } from '../ui/state-word.tsx';
import { useIntent } from './intent.ts';
import { unreadLines } from './unread-lines.ts';
import { sessionKey } from './use-session.ts';

export interface SessionHeaderProps {
  readonly session: SessionDetail;
  readonly conversation: Conversation;
  /** It can be told again. */
  readonly onReplay: (() => void) | undefined;
}

export function SessionHeader({ session, conversation, onReplay }: SessionHeaderProps): ReactElement {
  const { live, title, project, agent, model, costUsd, costState, usage } = session;
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  const doing = live && activityOf(conversation);
  const hasRun = live !== null && live.state !== 'ended';
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
      <Link
        to="/"
        aria-label="All sessions"
        title="All sessions"
        className="-ml-1.5 rounded-md p-1 text-muted hover:bg-sunken hover:text-text"
      >
        <ChevronLeft className="size-4" />
      </Link>
      <h1 className="max-w-full min-w-0 flex-[1_1_16rem] truncate text-base font-semibold">
        {project !== null && (
          <span className="font-normal text-muted">
            <PlainText text={project} /> ·{' '}
          </span>
        )}
        <PlainText text={sessionName(session.id, title)} />
      </h1>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="inline-flex items-center gap-1.5">
          <StateWord look={lookOf(session)} />
          {doing && live.state === 'working' && (
            <span className="max-w-40 truncate text-muted">
              <PlainText text={doing} />
            </span>
          )}
          {hasRun && (
            <span className="text-muted">
              <Since at={live.since} />
            </span>
          )}
        </span>
        <span className="figures whitespace-nowrap text-muted">
          <Cost usd={costUsd} state={costState} />
          {tokens > 0 && (
            <>
              {costUsd !== null && ' · '}
              {shortCount(tokens)} tok
            </>
          )}
        </span>
        <span className="max-w-60 truncate text-xs text-muted max-lg:hidden">
          <PlainText text={model === null ? agent : `${agent} · ${model}`} />
        </span>
        <TroubleCounts session={session} />
      </div>
      <div className="ml-auto flex items-center gap-1">
        {onReplay && (
          <Button size="sm" kind="quiet" onClick={onReplay}>
            <Play className="size-3.5" />
            Replay
          </Button>
        )}
        <Link
          to="/compare"
          search={{ a: session.id }}
          title="Compare with…"
          aria-label="Compare with another session"
          className="flex h-7 items-center rounded-md px-2 text-muted hover:bg-sunken hover:text-text"
        >
          <GitCompareArrows className="size-3.5" aria-hidden="true" />
        </Link>
        {hasRun && live.isOurs && <RunButtons runId={live.runId} />}
        <StarButton session={session} />
      </div>
    </header>
  );
}

/** The tool that is being used. */
function activityOf(conversation: Conversation): string | undefined {
  const id = conversation.run?.toolCallIds?.at(-1);
  return id === undefined ? undefined : callById(conversation, id)?.name;
}

function TroubleCounts({ session: { summary } }: { readonly session: SessionDetail }): ReactElement | null {
  const counts = [
    counted(summary.retries, 'retry', 'retries'),
    counted(summary.permissionDenials, 'denial', 'denials'),
    counted(unreadLines(summary), 'line not understood', 'lines not understood'),
  ].filter((one) => one !== undefined);
  return counts.length === 0 ? null : <span className="figures text-xs text-muted">{counts.join(' · ')}</span>;
}

function counted(count: number, one: string, many: string): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : many}`;
}

/** So long a second click on Stop counts as a yes. */
const SURE_MS = 4000;

function RunButtons({ runId }: { readonly runId: string }): ReactElement {
  const client = useClient();
  const interrupt = useIntent();
  const stop = useIntent();
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    const timer = setTimeout(() => setAsked(false), SURE_MS);
    return () => clearTimeout(timer);
  }, [isAsked]);
  const error = interrupt.error ?? stop.error;
  return (
    <>
      {error && (
        <span role="alert" className="max-w-60 truncate text-xs text-bad" title={error}>
          {error}
        </span>
      )}
      <Button
        size="sm"
        disabled={interrupt.isBusy}
        onClick={() => void interrupt.run((commandId) => client.command({ action: 'interrupt', runId }, { commandId }))}
      >
        <Pause className="size-3.5" />
        Interrupt
      </Button>
      <Button
        size="sm"
        kind="danger"
        disabled={stop.isBusy}
        onClick={() => {
          if (!isAsked) return setAsked(true);
          setAsked(false);
          void stop.run((commandId) => client.command({ action: 'stop', runId }, { commandId }));
        }}
      >
        <Square className="size-3.5" />
        {isAsked ? 'Really stop?' : 'Stop'}
      </Button>
    </>
  );
}

function StarButton({ session }: { readonly session: SessionDetail }): ReactElement {
  const client = useClient();
  const queries = useQueryClient();
  const intent = useIntent();
  const { id, starred } = session;
  return (
    <Button
      kind="quiet"
      size="sm"
      aria-pressed={starred}
      aria-label={starred ? 'Take the star away' : 'Give it a star'}
      title={intent.error ?? (starred ? 'Take the star away' : 'Give it a star')}
      disabled={intent.isBusy}
      onClick={() =>
        void intent
          .run(() => client.http.label(id, { starred: !starred }))
          .then((changed) => changed && queries.setQueryData(sessionKey(id), changed))
      }
    >
      <Star className={starred ? 'size-3.5 fill-current text-text' : 'size-3.5'} />
    </Button>
  );
}
