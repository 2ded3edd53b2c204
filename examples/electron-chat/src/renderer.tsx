// The page: a conversation, what the agent asks, a stop button, the cost.

import { type StreamingMessage, useStreamingMessage } from '@tailrace/client/react';
import { shortJson } from '@tailrace/client/timeline';
import { type RequestEvent, type RunState, showCost } from '@tailrace/core';
import { type BridgeRun, streamSource, type TailraceBridge } from '@tailrace/electron/renderer';
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  StrictMode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { createRoot } from 'react-dom/client';
import { bringIntoView, followEnd } from './following.ts';
import { keep, kept } from './kept.ts';
import { createOwnRun } from './own-run.ts';
import { Request } from './request.tsx';

declare global {
  interface Window {
    readonly tailrace: TailraceBridge;
  }
}

const { tailrace } = window;
const ownRun = createOwnRun(tailrace);
const source = streamSource(ownRun);

interface Turn {
  readonly prompt: string;
  readonly answer?: StreamingMessage;
}

function Chat(): ReactNode {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [run, setRun] = useState<string>();
  /** What the run is doing. Only one that is idle takes a message: so each answer stands under its prompt. */
  const [doing, setDoing] = useState<RunState>('idle');
  const [isStopped, setStopped] = useState(false);
  const [requests, setRequests] = useState<readonly RequestEvent[]>([]);
  /** What was spent before the page was loaded anew is not in it. */
  const [bill, setBill] = useState({ usd: 0, isWhole: ownRun.id === undefined });
  const [fault, setFault] = useState('');
  /** Nothing is sent before it is known whether a run goes on. */
  const [isSending, setSending] = useState(true);
  /** At once, and not with the next render: two messages never start two agents. */
  const sending = useRef(true);
  /** The person ends the run: that is no failure. */
  const isStopping = useRef(false);
  /** The last message has had its answer. */
  const hasAnswered = useRef(true);
  const field = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  const answer = useStreamingMessage(source);

  // What streams is the answer of the last turn.
  useEffect(() => {
    if (answer.isStreaming || answer.end)
      setTurns((all) => all.map((turn, index) => (index === all.length - 1 ? { ...turn, answer } : turn)));
  }, [answer]);

  useEffect(() => {
    const ends = [
      ownRun.onStreamInit(({ sessionId }) => keep('session', sessionId)),
      ownRun.onStreamEvent(({ event }) => {
        if (event.type === 'run-state') setDoing(event.state);
        if (event.type === 'permission-request' || event.type === 'question-request')
          setRequests((all) => [...all.filter(({ requestId }) => requestId !== event.requestId), event]);
        if (event.type === 'permission-resolve' || event.type === 'question-resolve')
          setRequests((all) => all.filter(({ requestId }) => requestId !== event.requestId));
        if (event.type === 'turn-end') {
          const { cost, outcome, error } = event;
          hasAnswered.current = outcome !== 'unknown';
          if (outcome === 'error') setFault(error?.message ?? 'The agent failed, and does not say why.');
          setBill(({ usd, isWhole }) => ({ usd: usd + (cost?.amount ?? 0), isWhole: isWhole && cost !== undefined }));
        }
      }),
      ownRun.onStreamEnd(({ error, aborted }) => {
        setRun(undefined);
        setRequests([]);
        setStopped(aborted ?? false);
        if (!isStopping.current)
          setFault(error ?? (hasAnswered.current ? '' : 'The agent ended without finishing its answer.'));
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);

  // A page that was loaded anew finds its run, if that goes on, and else its session.
  useEffect(() => {
    function find(own: BridgeRun | undefined): void {
      if (own && own.sessionId !== own.runId) keep('session', own.sessionId);
      if (own || kept('session') !== undefined)
        setTurns((all) => (all.length > 0 ? all : [{ prompt: `(a ${own ? 'run' : 'session'} from before goes on)` }]));
      if (own) {
        setRun(own.runId);
        setDoing(own.state);
        setRequests((all) => [...own.requests.filter((one) => !all.some((known) => isSame(known, one))), ...all]);
      } else giveBack(kept('message'));
      keep('message', undefined);
    }

    /** Nobody heard whether it was sent. */
    function giveBack(message: string | undefined): void {
      if (message === undefined || !field.current) return;
      field.current.value ||= message;
      setFault('Your last message may not have reached the agent. It is here to be sent again.');
    }

    tailrace
      .runs()
      .then(
        (runs) => find(runs.find(({ runId }) => runId === ownRun.id)),
        (error: Error) => setFault(error.message),
      )
      .finally(() => setSending(false));
  }, []);

  useEffect(() => {
    sending.current = isSending;
  }, [isSending]);

  /** Whatever fails is said in a sentence. */
  async function attempt(act: () => Promise<unknown>): Promise<boolean> {
    setFault('');
    try {
      await act();
      return true;
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  async function start(prompt: string): Promise<void> {
    const runId = ownRun.begin();
    setRun(runId);
    setDoing('starting');
    setStopped(false);
    isStopping.current = false;
    const session = kept('session');
    try {
      await tailrace.start({ runId, prompt, ...(session !== undefined && { resume: session }) });
    } catch (error) {
      setRun(undefined);
      throw error;
    }
  }

  function ask(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const prompt = field.current?.value.trim() ?? '';
    if (!field.current || prompt === '' || sending.current || isBusy) return;
    sending.current = true;
    setSending(true);
    hasAnswered.current = false;
    field.current.value = '';
    setTurns((all) => [...all, { prompt }]);
    keep('message', prompt);
    attempt(async () => {
      if (run !== undefined) await tailrace.send({ id: run, text: prompt });
      // The process has ended; the conversation goes on in a new one.
      else await start(prompt);
    }).then((isSent) => {
      setSending(false);
      keep('message', undefined);
      if (isSent) return;
      // It was not said: it is there to be sent again.
      setTurns((all) => all.slice(0, -1));
      if (field.current) field.current.value ||= prompt;
    });
  }

  /** An Enter that ends what an input method composes sends nothing. */
  function sendByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  async function stop(): Promise<void> {
    isStopping.current = true;
    if (run !== undefined) await tailrace.stop({ id: run });
  }

  /** The way out of a session that cannot be gone on with, too. */
  async function startAnew(): Promise<void> {
    setSending(true);
    try {
      await stop().catch(async (error: Error) => {
        // It may have ended by itself meanwhile.
        if ((await tailrace.runs()).some(({ runId }) => runId === run)) throw error;
      });
      ownRun.forget();
      keep('session', undefined);
      setRun(undefined);
      setRequests([]);
      setTurns([]);
      setStopped(false);
      setFault('');
      setBill({ usd: 0, isWhole: true });
    } finally {
      setSending(false);
    }
  }

  const isWaiting = requests.length > 0;
  const isBusy = isSending || (run !== undefined && doing !== 'idle');
  const state = isWaiting ? 'waiting for you' : run !== undefined ? doing : isStopped ? 'stopped' : '';
  return (
    <>
      <header>
        <h1>Chat</h1>
        <span className={isWaiting ? 'state waiting' : 'state'}>{state}</span>
        <span>{bill.usd > 0 && showCost(bill.usd, bill.isWhole ? 'reconciled' : 'known')}</span>
        <button type="button" disabled={isSending} onClick={() => attempt(startAnew)}>
          New chat
        </button>
        <button type="button" disabled={run === undefined || isSending} onClick={() => attempt(stop)}>
          Stop
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it has to be scrolled by keys as well */}
      <main ref={followEnd} aria-label="Conversation" tabIndex={0}>
        <div>
          {turns.map(({ prompt, answer: told }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: turns are only ever added
            <article key={index} ref={bringIntoView}>
              <p className="prompt">{prompt}</p>
              {told?.tools.map(({ id, name, input, result }) => (
                <p key={id} className="tool">
                  {name} {shortJson(input)} · {result ? (result.isError ? 'failed' : 'ok') : 'running'}
                </p>
              ))}
              {told && <p className="answer">{told.content}</p>}
            </article>
          ))}
          {run !== undefined &&
            requests.map((request) => (
              // With anything else in it, it is another one: nothing that was seen or pressed counts for it.
              <Request
                key={JSON.stringify(request)}
                request={request}
                about={requests.map(({ requestId, line }) => `${requestId} ${line}`).join()}
                onAnswer={(given) =>
                  attempt(() => tailrace.answer({ id: run, requestId: request.requestId, answer: given }))
                }
              />
            ))}
          {fault !== '' && (
            <p role="alert" ref={bringIntoView}>
              {fault}
            </p>
          )}
        </div>
      </main>
      <form aria-label="Your message" onSubmit={ask}>
        <textarea
          ref={field}
          name="prompt"
          aria-label="Message"
          aria-describedby={hint}
          rows={2}
          placeholder="Send a message…"
          onKeyDown={sendByEnter}
        />
        <button type="submit" disabled={isBusy}>
          Send
        </button>
        <p id={hint} className="muted">
          Enter sends, Shift+Enter begins a new line.
        </p>
      </form>
    </>
  );
}

function isSame(one: RequestEvent, other: RequestEvent): boolean {
  return one.requestId === other.requestId;
}

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Chat />
    </StrictMode>,
  );
