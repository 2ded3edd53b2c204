// Signals → the answer as far as it has come.

import type { StreamSignal, StreamSource } from '../stream-source.ts';
import type { Source } from './live-store.ts';

export interface StreamedTool {
  readonly id: string;
  readonly name: string;
  readonly input?: unknown;
  /** What it brought; nothing while it runs. */
  readonly result?: { readonly content: string; readonly isError: boolean } | undefined;
}

export interface StreamingMessage {
  readonly content: string;
  readonly isStreaming: boolean;
  readonly tools: readonly StreamedTool[];
  /** How the last answer ended; null while one streams. */
  readonly end: Omit<Extract<StreamSignal, { readonly type: 'end' }>, 'type' | 'sessionId'> | null;
}

export const noMessage: StreamingMessage = { content: '', isStreaming: false, tools: [], end: null };

/** Of all sessions that the source tells about, or of one. */
export function startStreamingMessage(
  source: StreamSource,
  sessionId: string | undefined,
  touch: () => void,
): Source<StreamingMessage> {
  let pieces: string[] = [];
  let tools = new Map<string, StreamedTool>();
  let isStreaming = false;
  let end: StreamingMessage['end'] = null;
  let hasText = false;
  /** What comes next is a paragraph of its own. */
  let isApart = false;

  function begin(): void {
    pieces = [];
    tools = new Map();
    end = null;
    hasText = false;
    isApart = false;
  }

  function tell(id: string, change: Partial<StreamedTool>): void {
    tools.set(id, { ...(tools.get(id) ?? { id, name: '' }), ...change });
  }

  function take(signal: StreamSignal): void {
    if (signal.type === 'end') {
      const { type: _type, sessionId: _session, ...how } = signal;
      end = how;
      isStreaming = false;
      return;
    }
    if (signal.type === 'tool-end') {
      const { id, content, isError } = signal;
      // Be it late: it belongs to its call, and says nothing where that was told to nobody here.
      if (tools.has(id)) tell(id, { result: { content, isError } });
      return;
    }
    if (signal.type === 'block') {
      isApart = hasText;
      return;
    }
    if (signal.type === 'go-on') end = null;
    // After the end of one answer the next one begins, whether somebody says so or not.
    if (signal.type === 'start' || end !== null) begin();
    isStreaming = true;
    if (signal.type === 'text') {
      pieces.push(isApart ? `\n\n${signal.content}` : signal.content);
      hasText = true;
      isApart = false;
    } else if (signal.type === 'tool') {
      const { id, name, input } = signal;
      tell(id, { ...(name !== undefined && { name }), ...(input !== undefined && { input }) });
    }
  }

  const stop = source.subscribe((signal) => {
    if (sessionId !== undefined && signal.sessionId !== sessionId) return;
    take(signal);
    touch();
  });

  return {
    read() {
      // Once per frame, not once per piece.
      pieces = [pieces.join('')];
      return { content: pieces[0] ?? '', isStreaming, tools: [...tools.values()], end };
    },
    stop,
  };
}
