// The view: which screen is on, and what leads from one to the other.

import type { ClientStatus } from '@tailrace/client';
import { usePermissions, useSessions, useStatus, type WaitingRequest } from '@tailrace/client/react';
import { fieldsOf } from '@tailrace/client/timeline';
import { Box } from 'ink';
import { type ReactElement, type ReactNode, useCallback, useMemo, useState } from 'react';
import { STOPPED } from '../serve/until-told.ts';
import { nameOf } from './answer/answering.ts';
import { PermissionScreen } from './answer/permission-screen.tsx';
import { QuestionScreen } from './answer/question-screen.tsx';
import { HelpScreen } from './help-screen.tsx';
import { ListScreen } from './list/list-screen.tsx';
import { NotesContext, useSize } from './screen.tsx';
import { SessionScreen } from './session/session-screen.tsx';
import { SignInScreen } from './sign-in-screen.tsx';
import { shownLine } from './text/shown.ts';
import { KeyBoardProvider, useKeys } from './use-keys.tsx';

export interface AppProps {
  /** Where the server is. */
  readonly url: string;
  /** The code for whoever else is to come in; nothing where it is another process's server. */
  readonly code: () => string | undefined;
  /** Why leaving would end something; nothing when it does not. */
  readonly warning: () => string | undefined;
  readonly onLeave: (code: number) => void;
  readonly onCopy: (text: string) => void;
}

export function App(props: AppProps): ReactElement {
  const [note, setNote] = useState('');
  const tell = useCallback((text: string) => setNote(text), []);
  const notes = useMemo(() => ({ note, tell }), [note, tell]);
  return (
    <KeyBoardProvider>
      <NotesContext value={notes}>
        <Screens {...props} tell={tell} />
      </NotesContext>
    </KeyBoardProvider>
  );
}

function Screens({ url, code, warning, onLeave, onCopy, tell }: AppProps & { tell(note: string): void }): ReactElement {
  const size = useSize();
  const status = useStatus();
  const { sessions, isLoading, hasMore, loadMore } = useSessions();
  const { requests } = usePermissions();
  const [openId, setOpenId] = useState<string>();
  const [isHelp, setHelp] = useState(false);
  /** Answering: of one session, or of any. */
  const [answering, setAnswering] = useState<{ readonly sessionId: string | undefined }>();
  const [isWarned, setWarned] = useState(false);

  const open = sessions.find(({ id }) => id === openId);
  const waiting = requests.filter(
    ({ sessionId }) =>
      answering !== undefined && (answering.sessionId === undefined || sessionId === answering.sessionId),
  );
  const [request] = waiting;

  /** Leaves with an exit code; where something would end with it, when it is asked for twice. */
  function leave(exitCode = 0): void {
    const words = warning();
    if (words === undefined || isWarned) return onLeave(exitCode);
    setWarned(true);
    tell(`${words} Once more to leave all the same.`);
  }

  useKeys((key) => {
    if (key === '<ctrl-c>') leave(STOPPED);
  });

  function answer(sessionId: string | undefined): void {
    const own = requests.filter((one) => sessionId === undefined || one.sessionId === sessionId);
    const elsewhere = sessions.find(({ id, live }) => id === sessionId && live?.state === 'waiting' && !live.isOurs);
    if (own.length > 0) setAnswering({ sessionId });
    else if (elsewhere) tell('It waits in the terminal of its own run, and is answered there.');
    else if (requests.length > 0 && openId === undefined) setAnswering({ sessionId: undefined });
    else tell('Nothing waits for an answer.');
  }

  function asks(sessionId: string): string | undefined {
    const one = requests.find((waits) => waits.sessionId === sessionId);
    if (one) return asksText(one);
    const elsewhere = sessions.find(({ id, live }) => id === sessionId && live?.state === 'waiting' && !live.isOurs);
    return elsewhere && 'waits in the terminal of its own run';
  }

  if (status.state === 'signed-out') return <SignInScreen url={url} size={size} onLeave={() => onLeave(0)} />;
  const isAnswering = answering !== undefined && request !== undefined;
  const front = isHelp ? 'help' : isAnswering ? 'answer' : open ? 'session' : 'list';

  function answerScreen(one: WaitingRequest): ReactElement {
    const session = sessions.find(({ id }) => id === one.sessionId);
    const shared = {
      request: one,
      size,
      place: session?.project ?? 'its folder',
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

  const own = code();
  const about: readonly (readonly [string, string])[] = [
    ['address', url],
    ...(own === undefined ? [] : [['code', own] as const]),
  ];
  // What is behind stays as it is: whoever comes back is where they were.
  return (
    <>
      <Layer isFront={front === 'list'}>
        <ListScreen
          sessions={sessions}
          isLoading={isLoading}
          hasMore={hasMore}
          onMore={loadMore}
          size={size}
          status={statusWords(status)}
          asks={asks}
          isActive={front === 'list'}
          onOpen={setOpenId}
          onAnswer={answer}
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
            status={statusWords(status)}
            waiting={asks(open.id)}
            isActive={front === 'session'}
            onBack={() => setOpenId(undefined)}
            onAnswer={() => answer(open.id)}
            onHelp={() => setHelp(true)}
            onLeave={() => leave()}
            onCopy={onCopy}
          />
        </Layer>
      )}
      {front === 'answer' && request && answerScreen(request)}
      {isHelp && <HelpScreen size={size} about={about} onClose={() => setHelp(false)} />}
    </>
  );
}

function Layer({ isFront, children }: { readonly isFront: boolean; readonly children: ReactNode }): ReactElement {
  return <Box display={isFront ? 'flex' : 'none'}>{children}</Box>;
}

/** `Bash: rm -rf build/`, on a line. */
function asksText({ request }: WaitingRequest): string {
  if (request.type === 'question-request') return shownLine(request.message);
  // What will be run comes first.
  const [field] = fieldsOf(request.input);
  return shownLine(`${request.toolName ?? 'a tool'}: ${field?.text ?? request.title ?? ''}`);
}

function statusWords(status: ClientStatus): string {
  if (status.state === 'waiting') return 'the server cannot be reached';
  if (status.state === 'incompatible') return 'the server speaks another protocol';
  return '';
}
