// @vitest-environment happy-dom
// An answer as it streams: from a server, and from the bridge of a desktop app.

import { cleanup, render } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from '../src/client.ts';
import {
  type StreamingMessage,
  type StreamSignal,
  type StreamSource,
  sessionStream,
  useStreamingMessage,
} from '../src/react/index.ts';
import { startTestServer } from './test-server.ts';
import { eventMessage, until } from './tools.ts';

afterEach(cleanup);

/** What a preload script would give: calls its listeners, and knows how many there are. */
function createBridge(): StreamSource & { readonly listeners: number; say(signal: StreamSignal): void } {
  const listeners = new Set<(signal: StreamSignal) => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    say(signal) {
      for (const listener of listeners) listener(signal);
    },
    get listeners() {
      return listeners.size;
    },
  };
}

/** Shows a source, and gives what is seen of it. */
function show(source: StreamSource, sessionId?: string) {
  const seen: StreamingMessage[] = [];
  function Page(): ReactNode {
    const message = useStreamingMessage(source, sessionId);
    seen.push(message);
    return message.content;
  }
  const page = (
    <StrictMode>
      <Page />
    </StrictMode>
  );
  return { ...render(page), last: () => seen.at(-1) as StreamingMessage };
}

test('[G-13] accumulates the text of one session, says whether it streams, and lists the tools', async () => {
  const bridge = createBridge();
  const { last, unmount } = show(bridge, 'mine');
  expect(last()).toEqual({ content: '', isStreaming: false, tools: [], end: null });
  expect(bridge.listeners).toBe(1);
  const own = { sessionId: 'mine' } as const;
  bridge.say({ ...own, type: 'text', content: 'Hello ' });
  bridge.say({ sessionId: 'other', type: 'text', content: 'not for us' });
  bridge.say({ ...own, type: 'tool', id: 'c1', name: 'Read', input: { path: 'a' } });
  bridge.say({ ...own, type: 'text', content: 'you' });
  bridge.say({ ...own, type: 'tool-end', id: 'c1', content: 'text of a', isError: false });
  bridge.say({ ...own, type: 'tool', id: 'c2', name: 'Bash' });
  await until(() => last().content === 'Hello you');
  expect(last()).toEqual({
    content: 'Hello you',
    isStreaming: true,
    tools: [
      { id: 'c1', name: 'Read', input: { path: 'a' }, result: { content: 'text of a', isError: false } },
      { id: 'c2', name: 'Bash' },
    ],
    end: null,
  });
  bridge.say({ ...own, type: 'end', success: true, totalTokens: { input: 3, output: 4 }, costUsd: 0.1 });
  await until(() => !last().isStreaming);
  expect(last()).toMatchObject({ content: 'Hello you', end: { success: true, costUsd: 0.1 } });
  // A result that comes late belongs to its call; one of a call that was told to nobody here is none.
  bridge.say({ ...own, type: 'tool-end', id: 'c2', content: 'late', isError: true });
  bridge.say({ ...own, type: 'tool-end', id: 'c9', content: 'of another answer', isError: false });
  await until(() => last().tools[1]?.result !== undefined);
  expect(last()).toMatchObject({ content: 'Hello you', isStreaming: false, end: { success: true } });
  expect(last().tools.map(({ id, result }) => [id, result?.content])).toEqual([
    ['c1', 'text of a'],
    ['c2', 'late'],
  ]);
  // The next answer begins with nothing, whether its beginning is told or not.
  bridge.say({ ...own, type: 'text', content: 'Again' });
  await until(() => last().content === 'Again');
  expect(last()).toEqual({ content: 'Again', isStreaming: true, tools: [], end: null });
  unmount();
  await until(() => bridge.listeners === 0);
});

test('another source takes the place of the first', async () => {
  const [one, other] = [createBridge(), createBridge()];
  function Page({ source }: { readonly source: StreamSource }): ReactNode {
    return useStreamingMessage(source).content;
  }
  const { container, rerender } = render(<Page source={one} />);
  one.say({ sessionId: 's', type: 'text', content: 'one' });
  await until(() => container.textContent === 'one');
  rerender(<Page source={other} />);
  expect(container.textContent).toBe('');
  other.say({ sessionId: 's', type: 'text', content: 'other' });
  await until(() => container.textContent === 'other');
  await until(() => one.listeners === 0);
});

test('a session of the server is such a source', async () => {
  const server = await startTestServer();
  const client = createClient({ url: server.url, WebSocket });
  const { last } = show(sessionStream(client, 's'));
  const block = { messageId: 'm', blockId: 'b' };
  let position = 0;
  const say = (event: object): void => server.add([eventMessage(++position, event)]);
  say({ type: 'turn-start', turnId: 't0' });
  say({ type: 'text-end', ...block, blockId: 'old', text: 'an old answer' });
  say({ type: 'turn-end', turnId: 't0', outcome: 'success' });
  say({ type: 'turn-start', turnId: 't' });
  say({ type: 'text-delta', ...block, delta: 'Hel' });
  say({ type: 'text-delta', ...block, delta: 'lo' });
  say({ type: 'text-delta', ...block, delta: 'of a helper', subagentId: 'task' });
  say({ type: 'text-end', ...block, text: 'Hello you' });
  say({ type: 'tool-call-start', toolCallId: 'c', toolName: 'Bash', kind: 'execute' });
  say({ type: 'tool-call-input-end', toolCallId: 'c', input: { command: 'ls' } });
  const content = [
    { type: 'text', text: 'a' },
    { type: 'json', value: 1 },
    { type: 'image', mediaType: 'image/png' },
  ];
  say({ type: 'tool-call-end', toolCallId: 'c', toolName: 'Bash', outcome: 'error', content });
  await until(() => last()?.tools[0]?.result);
  expect(last()).toEqual({
    content: 'Hello you',
    isStreaming: true,
    tools: [{ id: 'c', name: 'Bash', input: { command: 'ls' }, result: { content: 'a\n1\n[image]', isError: true } }],
    end: null,
  });
  const usage = { inputTokens: 5, outputTokens: 6 };
  say({ type: 'turn-end', turnId: 't', outcome: 'cancelled', usage, cost: { amount: 0.5, currency: 'USD' } });
  await until(() => !last().isStreaming);
  expect(last().end).toMatchObject({
    success: false,
    aborted: true,
    totalTokens: { input: 5, output: 6 },
    costUsd: 0.5,
  });
  // Turns may overlap: what goes on is not told twice.
  const other = { messageId: 'm2', blockId: 'b2' };
  say({ type: 'turn-start', turnId: 'u' });
  say({ type: 'text-start', ...other });
  say({ type: 'text-delta', ...other, delta: 'Hel' });
  say({ type: 'turn-start', turnId: 'v' });
  say({ type: 'text-delta', ...other, delta: 'lo' });
  say({ type: 'text-end', ...other, text: 'Hello' });
  say({ type: 'turn-end', turnId: 'v', outcome: 'success' });
  await until(() => last().end?.success);
  expect(last().content).toBe('Hello');
  client.close();
  await server.close();
});
