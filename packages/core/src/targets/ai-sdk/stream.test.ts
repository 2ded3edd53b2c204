import { describe, expect, test } from 'vitest';
import { capture, decodeAll } from '../../../test/captures.ts';
import { brokenRules, chunksOf } from '../../../test/ui-messages.ts';
import type { AgentStreamEvent } from '../../event/event.ts';
import { toUIMessageStream, toUIMessageStreamResponse, type UIMessageChunk } from './index.ts';

const events = decodeAll([capture('partial-messages').bytes]);

async function* given(list: readonly AgentStreamEvent[] = events): AsyncGenerator<AgentStreamEvent> {
  yield* list;
}

async function collect(stream: ReadableStream<UIMessageChunk>): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  return chunks;
}

/** Events that say how many were asked for and whether somebody still wants more. */
function counted(list: readonly AgentStreamEvent[]): {
  source: AsyncIterable<AgentStreamEvent>;
  seen: { asked: number; isReleased: boolean };
} {
  const seen = { asked: 0, isReleased: false };
  const left = [...list];
  return {
    seen,
    source: {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          seen.asked += 1;
          const value = left.shift();
          return value ? Promise.resolve({ done: false, value }) : new Promise(() => {});
        },
        return: () => {
          seen.isReleased = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    },
  };
}

describe('the stream', () => {
  test('gives the same chunks for an iterable and for a Web stream', async () => {
    const web = new ReadableStream<AgentStreamEvent>({
      start(controller) {
        for (const event of events) controller.enqueue(event);
        controller.close();
      },
    });
    expect(await collect(toUIMessageStream(given()))).toEqual(chunksOf(events));
    expect(await collect(toUIMessageStream(web))).toEqual(chunksOf(events));
  });

  test('reads nothing before somebody asks, and no more than is asked for', async () => {
    const { source, seen } = counted(events);
    const reader = toUIMessageStream(source).getReader();
    expect(seen.asked).toBe(0);
    await reader.read();
    expect(seen.asked).toBe(1);
  });

  test('lets go of the events when it is cancelled, also while it waits for one', async () => {
    const { source, seen } = counted(events.slice(0, 1));
    const reader = toUIMessageStream(source).getReader();
    for (const type of ['start', 'message-metadata']) expect(await reader.read()).toMatchObject({ value: { type } });
    const waiting = reader.read();
    await reader.cancel();
    expect(await waiting).toMatchObject({ done: true });
    expect(seen.isReleased).toBe(true);

    let isCancelled = false;
    const web = new ReadableStream<AgentStreamEvent>({
      cancel() {
        isCancelled = true;
      },
    });
    await toUIMessageStream(web).cancel();
    expect(isCancelled).toBe(true);
  });

  test('is one message for each turn when the events are cut there, and the rest is left for the next', async () => {
    async function* oneTurn(source: AsyncIterator<AgentStreamEvent>): AsyncGenerator<AgentStreamEvent> {
      for (let next = await source.next(); !next.done; next = await source.next()) {
        yield next.value;
        if (next.value.type === 'turn-end') return;
      }
    }
    const turns = decodeAll([capture('stdin-multiturn').bytes]);
    const source = given(turns);
    const messages = turns.filter(({ type }) => type === 'turn-end').map(() => toUIMessageStream(oneTurn(source)));
    expect(messages.length).toBeGreaterThan(1);
    const said = [];
    for (const message of messages) {
      const chunks = await collect(message);
      expect(brokenRules(chunks)).toEqual([]);
      expect(chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
      said.push(chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : [])).join(''));
    }
    expect(said.join('')).toBe(
      chunksOf(turns)
        .flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : []))
        .join(''),
    );
  });

  test('ends with an error when the events fail, and keeps to itself what it was', async () => {
    async function* failing(): AsyncGenerator<AgentStreamEvent> {
      yield* events.slice(0, 8);
      throw new Error('/home/me/secret is gone');
    }
    const chunks = await collect(toUIMessageStream(failing()));
    expect(chunks.slice(-2)).toMatchObject([
      { type: 'error', errorText: 'The stream of the agent failed.' },
      { type: 'finish', finishReason: 'error' },
    ]);
    const told = await collect(toUIMessageStream(failing(), { onError: (error) => String(error) }));
    expect(told.at(-2)).toEqual({ type: 'error', errorText: 'Error: /home/me/secret is gone' });
    const onError = (): string => {
      throw new Error('no words');
    };
    expect(await collect(toUIMessageStream(failing(), { onError }))).toEqual(chunks);
  });
});

test('the response is what a client of the AI SDK expects: a header, a chunk per event, and the word that it is done', async () => {
  const headers = { 'x-mine': 'yes', 'Content-Type': 'text/html' };
  const response = toUIMessageStreamResponse(given(), { headers });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'x-vercel-ai-ui-message-stream': 'v1',
    'x-mine': 'yes',
  });
  const frames = (await response.text()).split('\n\n');
  expect(frames.splice(-2)).toEqual(['data: [DONE]', '']);
  expect(frames.map((frame) => JSON.parse(frame.slice('data: '.length)))).toEqual(chunksOf(events));
});

test('the response reads nothing before somebody asks, and lets go of the events with them', async () => {
  const { source, seen } = counted(events);
  const reader = toUIMessageStreamResponse(source).body?.getReader();
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen.asked).toBe(0);
  await reader?.read();
  expect(seen.asked).toBe(1);
  await reader?.cancel();
  expect(seen.isReleased).toBe(true);
});
