// The bridge as Web streams: chunks for whoever merges them, and the answer of a server as `useChat` reads it.

import type { AgentStreamEvent } from '../../event/event.ts';
import type { UIMessageChunk } from './chunk.ts';
import { createUIMessageWriter, type UIMessageOptions } from './writer.ts';

export interface UIMessageStreamOptions extends UIMessageOptions {
  /**
   * What the reader is told when the events themselves fail: an exception of the server's is nobody else's business, so that
   * without this it is told that much and no more.
   */
  readonly onError?: (error: unknown) => string;
}

export type EventSource = AsyncIterable<AgentStreamEvent> | ReadableStream<AgentStreamEvent>;

/**
 * Events as one UI message of the AI SDK. It reads when somebody asks for more, and lets go of the events when nobody does any more.
 *
 * @example
 * writer.merge(toUIMessageStream(decode(agent.stdout)));
 */
export function toUIMessageStream(
  events: EventSource,
  options: UIMessageStreamOptions = {},
): ReadableStream<UIMessageChunk> {
  const { onError = () => FAILED } = options;
  const writer = createUIMessageWriter(options);
  const source = readerOf(events);
  let isLeft = false;

  /** Whoever finds words for a failure may fail at it. */
  function wordsOf(error: unknown): string {
    try {
      return onError(error);
    } catch {
      return FAILED;
    }
  }

  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        let chunks: readonly UIMessageChunk[] = [];
        let isDone = false;
        // An event may give nothing, and a pull that gives nothing is not repeated.
        while (chunks.length === 0 && !isDone) {
          try {
            const next = await source.read();
            isDone = next.done === true;
            chunks = next.value === undefined ? writer.end() : writer.write(next.value);
          } catch (error) {
            isDone = true;
            chunks = writer.end(wordsOf(error));
          }
        }
        if (isLeft) return;
        for (const chunk of chunks) controller.enqueue(chunk);
        if (isDone) controller.close();
      },
      cancel(reason) {
        isLeft = true;
        return source.cancel(reason);
      },
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}

const FAILED = 'The stream of the agent failed.';

/** How `useChat` knows such an answer. */
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-vercel-ai-ui-message-stream': 'v1',
  // A proxy that gathers would hold back what is meant to be seen now.
  'x-accel-buffering': 'no',
};

/**
 * Events as the answer to a request of `useChat`: server-sent events, one chunk each, and a last line that says it is done.
 *
 * @example
 * return toUIMessageStreamResponse(decode(agent.stdout));
 */
export function toUIMessageStreamResponse(
  events: EventSource,
  options: UIMessageStreamOptions & { readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const encoder = new TextEncoder();
  const chunks = toUIMessageStream(events, options).getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.read();
        controller.enqueue(encoder.encode(`data: ${done ? '[DONE]' : JSON.stringify(value)}\n\n`));
        if (done) controller.close();
      },
      cancel: (reason) => chunks.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  // Names of headers have no letter case: ours take the place of theirs.
  const headers = new Headers(options.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  return new Response(body, { headers });
}

interface EventReader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: AgentStreamEvent | undefined }>;
  cancel(reason: unknown): Promise<void>;
}

function readerOf(events: EventSource): EventReader {
  if ('getReader' in events) return events.getReader();
  const iterator = events[Symbol.asyncIterator]();
  return {
    async read() {
      const { done, value } = await iterator.next();
      return done ? { done: true } : { value };
    },
    async cancel() {
      // A generator that waits answers only when it goes on: whoever leaves does not wait for that.
      iterator.return?.().then(undefined, () => {});
    },
  };
}
