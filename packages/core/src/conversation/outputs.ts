// What one event means to a plain chat: the seven kinds of output, and input of any shape as text.

import type { AgentError, AgentStreamEvent, ContentPart } from '../event/event.ts';
import type { Json } from '../event/json.ts';
import { isPlainText } from './weather.ts';

/** Something to put out. `subagentId` is absent on the main thread. */
export type Output = { readonly subagentId?: string } & (
  | { readonly kind: 'session-started'; readonly sessionId: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'block'; readonly event: AgentStreamEvent }
  | {
      readonly kind: 'question';
      readonly requestId: string;
      readonly message: string;
      readonly choices: readonly string[];
    }
  | { readonly kind: 'tool-result'; readonly toolCallId: string; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'complete' }
  | { readonly kind: 'error'; readonly error: AgentError }
);

/** What there is to put out for an event: nothing, or one thing, or the error and the end. Texts come whole, not as deltas. */
export function outputsOf(event: AgentStreamEvent): readonly Output[] {
  const outputs = kindsOf(event);
  const { subagentId } = event;
  return subagentId === undefined ? outputs : outputs.map((output) => ({ ...output, subagentId }));
}

function kindsOf(event: AgentStreamEvent): readonly Output[] {
  switch (event.type) {
    case 'session-start':
      return event.sessionId === undefined ? [] : [{ kind: 'session-started', sessionId: event.sessionId }];
    case 'text-end':
      return event.text === '' ? [] : [{ kind: 'text', text: event.text }];
    case 'raw':
      // A part of a line whose rest was understood comes out too: every block does.
      if (isPlainText(event)) return [{ kind: 'text', text: event.text ?? '' }];
      return event.reason === 'unknown_block' ? [{ kind: 'block', event }] : [];
    case 'reasoning-end':
    case 'tool-call-input-end':
    case 'file-change':
    case 'todo-update':
    case 'plan-update':
    case 'task-start':
      return [{ kind: 'block', event }];
    case 'question-request':
      return [{ kind: 'question', requestId: event.requestId, message: event.message, choices: event.choices ?? [] }];
    case 'tool-call-end':
      return [
        {
          kind: 'tool-result',
          toolCallId: event.toolCallId,
          text: textOf(event.content),
          isError: event.outcome !== 'success',
        },
      ];
    case 'error':
      return [{ kind: 'error', error: event.error }];
    case 'turn-end':
      return event.outcome === 'error' && event.error ? [{ kind: 'error', error: event.error }] : [];
    case 'session-end': {
      const hasFailed = event.signal !== undefined || (event.exitCode !== undefined && event.exitCode !== 0);
      if (!hasFailed) return [{ kind: 'complete' }];
      const how = event.signal === undefined ? `exit code ${event.exitCode}` : `signal ${event.signal}`;
      return [{ kind: 'error', error: event.error ?? { code: 'unknown', message: `the agent ended with ${how}` } }];
    }
    default:
      return [];
  }
}

/** The text of a result. What is no text is named by what it is. */
function textOf(content: readonly ContentPart[]): string {
  return content
    .map((part) => {
      switch (part.type) {
        case 'text':
          return part.text;
        case 'json':
          return formatInput(part.value);
        case 'resource':
          return part.text ?? part.uri;
        default:
          return `[${part.type}]`;
      }
    })
    .join('\n');
}

/** Input of any shape as JSON for people. Of nothing it is an empty text. */
export function formatInput(input: Json): string {
  // What came from a line can always be written as one; only `undefined` has no JSON.
  return JSON.stringify(input, null, 2) ?? '';
}
