// The lines that a replay makes itself, where what happens was not recorded: in the program's own words (2.1.325).

import type { RecordedLine, Recording } from './recording.ts';

/** The answer to what a host asked. */
export function reply(id: string, response: object): string {
  return lineOf({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
}

export function refusal(id: string, error: string): string {
  return lineOf({ type: 'control_response', response: { subtype: 'error', request_id: id, error } });
}

/** A request that nobody has to answer any more. */
export function withdrawal(requestId: string): string {
  return lineOf({ type: 'control_cancel_request', request_id: requestId });
}

export interface Here {
  readonly sessionId: string;
  createId(): string;
  now(): string;
}

/** A turn that is interrupted: its open calls are refused, and the result says what became of it. */
export function interruption(calls: readonly string[], { sessionId, createId, now }: Here): readonly string[] {
  const said = (content: object, more: object = {}): string =>
    lineOf({
      type: 'user',
      message: { role: 'user', content: [content] },
      parent_tool_use_id: null,
      session_id: sessionId,
      uuid: createId(),
      timestamp: now(),
      ...more,
    });
  const isInCall = calls.length > 0;
  const text = isInCall ? '[Request interrupted by user for tool use]' : '[Request interrupted by user]';
  return [
    ...calls.map((id) =>
      said(
        { type: 'tool_result', content: REJECTED, is_error: true, tool_use_id: id },
        {
          tool_use_result: 'User rejected tool use',
          tool_result_meta: [{ id, non_execution_kind: 'user-rejected' }],
        },
      ),
    ),
    said({ type: 'text', text }),
    // Without figures: what it had come to by then was not recorded.
    lineOf({
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      session_id: sessionId,
      uuid: createId(),
      permission_denials: [],
      terminal_reason: isInCall ? 'aborted_tools' : 'aborted_streaming',
      errors: [],
    }),
  ];
}

const REJECTED = 'The turn was interrupted before this call was made.';

/** What is played where nothing more was recorded, behind the line that a process begins with. Its ids become others each time. */
export function epilogue(sessionId: string, start: RecordedLine | undefined): Recording {
  const text = 'This is a replay, and what was recorded ends here.';
  const own = (number: number): object => ({
    session_id: sessionId,
    uuid: `00000000-0000-4000-8000-00000000000${number}`,
    timestamp: '1970-01-01T00:00:00.000Z',
  });
  const prompt = { type: 'user', message: { role: 'user', content: '' }, parent_tool_use_id: null, ...own(1) };
  const messages = [
    { ...prompt, isReplay: true },
    {
      type: 'assistant',
      message: {
        id: 'msg_replay_ends',
        type: 'message',
        role: 'assistant',
        model: '<synthetic>',
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      },
      parent_tool_use_id: null,
      ...own(2),
    },
    { type: 'result', subtype: 'success', is_error: false, result: text, permission_denials: [], ...own(3) },
  ];
  const printed = messages.map((message) => ({ text: lineOf(message), wait: 0 }));
  return { printed: [...(start ? [start] : []), ...printed], heard: [lineOf(prompt)] };
}

function lineOf(message: object): string {
  return JSON.stringify(message);
}
