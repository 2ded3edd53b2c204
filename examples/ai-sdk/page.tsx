// A chat in which an agent answers. The types of the message are those of the bridge, so each part is known to the compiler.

import { useChat } from '@ai-sdk/react';
import { revealHidden } from '@tailrace/core';
import type { AgentData, AgentMetadata, ToolFacts, ToolOutput } from '@tailrace/core/ai-sdk';
import type { DynamicToolUIPart, UIMessage } from 'ai';
import { type FormEvent, useState } from 'react';
import { createRoot } from 'react-dom/client';

type Message = UIMessage<AgentMetadata, AgentData>;

const MARKS = { pending: '○', in_progress: '●', completed: '✓', cancelled: '–' };
const WORDS = {
  'input-streaming': 'starting',
  'input-available': 'running',
  'approval-requested': 'asks',
  'approval-responded': 'running',
  'output-available': 'ok',
  'output-error': 'failed',
  'output-denied': 'denied',
};

/** What has failed is said by the chat itself. */
const UNFINISHED: Readonly<Record<string, string>> = {
  cancelled: 'It was stopped before it was done.',
  unknown: 'It ended without a word of how it went.',
};

function Chat() {
  const { messages, sendMessage, status, stop, error } = useChat<Message>();
  const [text, setText] = useState('');
  const isBusy = status === 'submitted' || status === 'streaming';

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() === '' || isBusy) return;
    sendMessage({ text });
    setText('');
  }

  return (
    <>
      {messages.map((message) => (
        <section key={message.id} className={message.role} aria-label={message.role}>
          {message.parts.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id, and keep their place
            <Part key={`${message.id}:${at}`} part={part} />
          ))}
          <Figures metadata={message.metadata} />
        </section>
      ))}
      {error && <p className="failed">{error.message}</p>}
      <form onSubmit={submit}>
        <input aria-label="A message" value={text} onChange={({ target }) => setText(target.value)} />
        {isBusy ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="submit">Send</button>
        )}
      </form>
      <p role="status" className="quiet">
        {isBusy ? 'working' : status}
      </p>
    </>
  );
}

function Part({ part }: { part: Message['parts'][number] }) {
  switch (part.type) {
    case 'text':
      return <p>{part.text}</p>;
    case 'reasoning':
      return (
        <details>
          <summary>thought</summary>
          <p>{part.text}</p>
        </details>
      );
    case 'dynamic-tool':
      return <Call part={part} />;
    case 'data-permission':
      return <Permission data={part.data} />;
    case 'data-todo':
      return (
        <p className="quiet">
          {part.data.entries.map(({ status, content }) => `${MARKS[status]} ${content}`).join('\n')}
        </p>
      );
    case 'data-task':
      return (
        <p className="quiet">{[part.data.name, part.data.description, part.data.status].filter(Boolean).join(' · ')}</p>
      );
    case 'data-error':
      return <p className="failed">{part.data.error.message}</p>;
    default:
      return null;
  }
}

function Call({ part }: { part: DynamicToolUIPart }) {
  const { toolName, title, state } = part;
  const facts = part.toolMetadata?.tailrace as ToolFacts | undefined;
  return (
    <details className={facts?.subagentId && 'subagent'} open={state === 'approval-requested' || undefined}>
      <summary>{[toolName, title, WORDS[state]].filter(Boolean).join('  ')}</summary>
      <Input value={part.input} />
      {state === 'approval-requested' && (
        // What was pressed for another request counts for that one.
        <Approval key={part.approval.id} id={part.approval.id} reason={part.approval.requestReason} />
      )}
      {state === 'output-available' && <pre>{textOf(part.output as ToolOutput)}</pre>}
      {state === 'output-error' && <pre className="failed">{part.errorText}</pre>}
      {state === 'output-denied' && <pre className="failed">{part.approval.reason ?? 'denied'}</pre>}
    </details>
  );
}

/** What is asked about something that is no call of the message. */
function Permission({ data }: { data: AgentData['permission'] }) {
  const { requestId, toolName, title, input, reason, decision } = data;
  return (
    <details open={decision === undefined || undefined}>
      <summary>{[toolName, title, decision ?? 'asks'].filter(Boolean).join('  ')}</summary>
      <Input value={input} />
      {decision === undefined && requestId !== undefined && <Approval id={requestId} reason={reason} />}
    </details>
  );
}

/** Whole, with a mark for each character that hides. */
function Input({ value }: { value: unknown }) {
  return value !== undefined && <pre>{revealHidden(JSON.stringify(value, null, 2))}</pre>;
}

/** What the agent may not do by itself; its input is above. */
function Approval({ id, reason }: { id: string; reason: string | undefined }) {
  const [isAnswered, setAnswered] = useState(false);
  const [fault, setFault] = useState('');
  async function answer(isAllowed: boolean): Promise<void> {
    setAnswered(true);
    setFault('');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ requestId: id, isAllowed });
    const reply = await fetch('/api/answer', { method: 'POST', headers, body }).catch(() => undefined);
    if (reply?.ok) return;
    setFault(reply?.status === 404 ? 'The agent asks this no more.' : 'That did not arrive. Try it again.');
    setAnswered(reply?.status === 404);
  }
  return (
    <p className="waiting">
      waiting for you{reason && `: ${reason}`}{' '}
      <button type="button" disabled={isAnswered} onClick={() => answer(false)}>
        Deny
      </button>{' '}
      <button type="button" disabled={isAnswered} onClick={() => answer(true)}>
        Allow once
      </button>{' '}
      {fault && <span className="failed">{fault}</span>}
    </p>
  );
}

function Figures({ metadata }: { metadata: AgentMetadata | undefined }) {
  if (metadata?.outcome === undefined) return null;
  const { outcome, model, cost, usage } = metadata;
  const tokens = usage && `${usage.inputTokens ?? 0} in, ${usage.outputTokens ?? 0} out`;
  return (
    <>
      {UNFINISHED[outcome] && <p className="failed">{UNFINISHED[outcome]}</p>}
      <p className="quiet">{[model, cost && `$${cost.amount.toFixed(4)}`, tokens].filter(Boolean).join(' · ')}</p>
    </>
  );
}

const textOf = ({ content }: ToolOutput): string =>
  content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n');

const root = document.getElementById('root');
if (root) createRoot(root).render(<Chat />);
