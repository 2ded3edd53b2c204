// The view: which screen is on, and what leads from one to the other.

import { useClient, usePermissions, useSessions, useStatus, type WaitingRequest } from '@tailrace/client/react';
import { fieldsOf, sentenceOf } from '@tailrace/client/timeline';
import { Box } from 'ink';
import { type ReactElement, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { STOPPED } from '../serve/until-told.ts';
import { nameOf } from './answer/answering.ts';
import { PermissionScreen } from './answer/permission-screen.tsx';
import { QuestionScreen } from './answer/question-screen.tsx';
import { CodeLine, useCode } from './code-line.tsx';
import type { Codes } from './connect/codes.ts';
import { Drawn } from './drawn.tsx';
import { HelpScreen } from './help-screen.tsx';
import { ListScreen } from './list/list-screen.tsx';
import { lostLines, useLost } from './lost-line.tsx';
import { NotesContext, useNotes, useSize } from './screen.tsx';
import { SessionScreen } from './session/session-screen.tsx';
import { useOpenSession } from './session/use-open-session.ts';
import { SignInScreen } from './sign-in-screen.tsx';
import { StartScreen } from './start/start-screen.tsx';
import { saidLine, shownLine } from './text/shown.ts';
import { KeyBoardProvider, useKeys } from './use-keys.tsx';
import { askingOf, countWaiting, elsewhereOf, useBell, waitsElsewhere } from './waiting.ts';
import { createKeptDrafts } from './write/kept-drafts.ts';

export interface AppProps {
  /** Where the server is. */
  readonly url: string;
  /** Codes for whoever else is to come in; none where it is another process's server. */
  readonly codes: Codes;
  readonly isOwnServer: boolean;
  /** Why leaving would end something; nothing when it does not. */
  readonly warning: () => string | undefined;
  readonly onLeave: (code: number) => void;
  readonly onCopy: (text: string) => void;
  /** Something waits that is not on the screen. */
  readonly onRing: () => void;
}

export function App(props: AppProps): ReactElement {
  const [{ note, isForNow }, setNote] = useState({ note: '', isForNow: false });
  const tell = useCallback((text: string) => setNote({ note: text, isForNow: false }), []);
  const tellForNow = useCallback((text: string) => setNote({ note: text, isForNow: true }), []);
  const onNews = useCallback(() => setNote((now) => (now.isForNow ? { note: '', isForNow: false } : now)), []);
  const notes = useMemo(() => ({ note, tell, tellForNow }), [note, tell, tellForNow]);
  return (
    <KeyBoardProvider>
      <NotesContext value={notes}>
        <Screens {...props} onNews={isForNow ? onNews : undefined} />
      </NotesContext>
    </KeyBoardProvider>
  );
}

function Screens(props: AppProps & { readonly onNews: (() => void) | undefined }): ReactElement {
  const { url, codes, isOwnServer, warning, onLeave, onCopy, onRing, onNews } = props;
  const { note, tell, tellForNow } = useNotes();
  const client = useClient();
  const screen = useSize();
  const code = useCode(codes);
  const asked = code?.isAsked ? code : undefined;
  const status = useStatus();
  const isLost = useLost();
  const lost = lostLines({ status, isLost, isOwnServer, width: screen.columns });
  // The last lines of any screen: what is wrong with the server, and a code as long as somebody waits for it.
  const size = { ...screen, rows: screen.rows - lost.length - (asked ? 1 : 0) };
  const { sessions, isLoading, hasMore, loadMore, error } = useSessions();
  const permissions = usePermissions();
  const { requests } = permissions;
  const [openId, setOpenId] = useState<string>();
  /** The run that was started last. */
  const [startedRun, setStartedRun] = useState<string>();
  const [isHelp, setHelp] = useState(false);
  /** Starting a run, in the project that was looked at. */
  const [starting, setStarting] = useState<{ readonly projectId: string | null | undefined }>();
  /** Answering: of one session, or of any. */
  const [answering, setAnswering] = useState<{ readonly sessionId: string | undefined }>();

  const [drafts] = useState(createKeptDrafts);
  const onMoved = useCallback(
    (sessionId: string) => {
      if (openId !== undefined) drafts.move(openId, sessionId);
      setOpenId(sessionId);
    },
    [drafts, openId],
  );
  const open = useOpenSession({ sessions, openId, startedRun, onMoved });
  const waiting = requests.filter(
    ({ sessionId }) =>
      answering !== undefined && (answering.sessionId === undefined || sessionId === answering.sessionId),
  );
  const [request] = waiting;

  /** Leaves with an exit code; where something would end with it, when it is asked for while the question is on the screen. */
  function leave(exitCode = 0): void {
    const words = warning();
    const question = `${words} Once more to leave all the same.`;
    if (words === undefined || note === question) return onLeave(exitCode);
    tellForNow(question);
  }

  useKeys((key) => {
    if (key === '<ctrl-c>') leave(STOPPED);
  });

  // What was told of runs and requests goes when they are others: all of them in the list, in a session its own.
  const isShown = (id: string | null): boolean => openId === undefined || id === openId;
  const news = JSON.stringify([
    requests.filter(({ sessionId }) => isShown(sessionId)).map(nameOf),
    sessions.flatMap(({ id, live }) =>
      live === null || live.state === 'ended' || !isShown(id) ? [] : [[live.runId, live.state === 'waiting']],
    ),
  ]);
  const heard = useRef(news);
  useEffect(() => {
    if (heard.current !== news) onNews?.();
    heard.current = news;
  }, [news, onNews]);

  function answer(sessionId: string | undefined): void {
    const own = requests.filter((one) => sessionId === undefined || one.sessionId === sessionId);
    const elsewhere = sessions.find((one) => one.id === sessionId && waitsElsewhere(one));
    if (own.length > 0) setAnswering({ sessionId });
    else if (elsewhere) tellForNow('It waits in the terminal of its own run, and is answered there.');
    else if (requests.length > 0 && openId === undefined) setAnswering({ sessionId: undefined });
    else if (openId === undefined && sessions.some(waitsElsewhere))
      tellForNow('What waits is answered in the terminal of its own run.');
    else tellForNow('Nothing waits for an answer.');
  }

  function asks(sessionId: string): string | undefined {
    const one = requests.find((waits) => waits.sessionId === sessionId);
    if (one) return asksText(one);
    const elsewhere = sessions.find((one) => one.id === sessionId && waitsElsewhere(one));
    return elsewhere && 'waits in the terminal of its own run';
  }

  const isAnswering = answering !== undefined && request !== undefined;
  const front = isHelp ? 'help' : starting ? 'start' : isAnswering ? 'answer' : open ? 'session' : 'list';
  const shownSession = front === 'session' ? open?.id : front === 'answer' ? request?.sessionId : undefined;
  useBell(askingOf(requests), !permissions.isLoading && permissions.error === null, shownSession, onRing);
  useBell(elsewhereOf(sessions), !isLoading && error === null, shownSession, onRing);

  if (status.state === 'signed-out') return <SignInScreen url={url} size={size} onLeave={() => onLeave(0)} />;

  function answerScreen(one: WaitingRequest): ReactElement {
    const session = sessions.find(({ id }) => id === one.sessionId);
    const shared = {
      request: one,
      size,
      place: session?.project ?? 'its folder',
      isLost,
      number: waiting.length > 1 ? `1 of ${waiting.length}` : '',
      onClose: () => setAnswering(undefined),
      onLeave: () => leave(),
    };
    return one.request.type === 'permission-request' ? (
      <PermissionScreen key={nameOf(one)} {...shared} event={one.request} />
    ) : (
      <QuestionScreen key={nameOf(one)} {...shared} event={one.request} />
    );
  }

  const about: readonly (readonly [string, string])[] = [
    ['address', url],
    ...(isOwnServer ? [['code', code?.text ?? 'c makes a new one, for a minute'] as const] : []),
  ];

  async function makeCode(): Promise<void> {
    try {
      await client.http.askForCode();
    } catch (error) {
      tell(sentenceOf(error));
    }
  }
  // What is behind stays as it is: whoever comes back is where they were.
  return (
    <Box flexDirection="column">
      <Layer isFront={front === 'list'}>
        <ListScreen
          sessions={sessions}
          isLoading={isLoading}
          hasMore={hasMore}
          onMore={loadMore}
          size={size}
          asks={asks}
          waiting={countWaiting(requests, sessions)}
          canAnswer={requests.some(({ isAnswered }) => !isAnswered)}
          openId={openId}
          isActive={front === 'list'}
          onOpen={setOpenId}
          onAnswer={answer}
          onStart={(projectId) => setStarting({ projectId })}
          onHelp={() => setHelp(true)}
          onLeave={() => leave()}
        />
      </Layer>
      {open && (
        <Layer isFront={front === 'session'}>
          <SessionScreen
            key={open.id}
            session={open}
            size={size}
            drafts={drafts}
            waiting={asks(open.id)}
            canAnswer={requests.some(({ sessionId }) => sessionId === open.id)}
            othersWaiting={countWaiting(requests, sessions, open.id)}
            isActive={front === 'session'}
            onBack={() => setOpenId(undefined)}
            onOpen={setOpenId}
            onStart={() => setStarting({ projectId: open.projectId })}
            onAnswer={() => answer(open.id)}
            onHelp={() => setHelp(true)}
            onLeave={() => leave()}
            onCopy={onCopy}
          />
        </Layer>
      )}
      {front === 'answer' && request && answerScreen(request)}
      {front === 'start' && starting && (
        <StartScreen
          size={size}
          projectId={starting.projectId}
          onStarted={(sessionId, runId) => {
            setStarting(undefined);
            setStartedRun(runId);
            setOpenId(sessionId);
          }}
          onClose={() => setStarting(undefined)}
        />
      )}
      {isHelp && (
        <HelpScreen
          size={size}
          about={about}
          onCode={isOwnServer ? () => void makeCode() : undefined}
          onClose={() => setHelp(false)}
        />
      )}
      {lost.length > 0 && <Drawn lines={lost} width={size.columns} />}
      {asked && <CodeLine code={asked} width={size.columns} />}
    </Box>
  );
}

function Layer({ isFront, children }: { readonly isFront: boolean; readonly children: ReactNode }): ReactElement {
  return <Box display={isFront ? 'flex' : 'none'}>{children}</Box>;
}

/** `Bash: rm -rf build/`, on a line. */
function asksText({ request }: WaitingRequest): string {
  if (request.type === 'question-request') return saidLine(request.message);
  // What will be run comes first.
  const [field] = fieldsOf(request.input);
  return shownLine(`${request.toolName ?? 'a tool'}: ${field?.text ?? request.title ?? ''}`);
}
