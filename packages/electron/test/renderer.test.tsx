// @vitest-environment happy-dom
// The hook of a page, fed by the bridge.

import { randomUUID } from 'node:crypto';
import { useStreamingMessage } from '@tailrace/client/react';
import { cleanup, render } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { createBroadcast, createStreamParser } from '../src/main/index.ts';
import { streamSource } from '../src/renderer/index.ts';
import { capture, captureNames, openPipe, piped } from './captures.ts';
import { FakeMain, FakeWindow, PAGE } from './fake-electron.ts';
import { createGate, createPlace, type Place, SESSION, type Step, until } from './place.ts';

afterEach(cleanup);

type Message = ReturnType<typeof useStreamingMessage>;

function show(window: FakeWindow, { runId, sessionId }: { readonly runId?: string; readonly sessionId?: string } = {}) {
  const source = streamSource(window.bridge, runId);
  let last: Message | undefined;
  function Page(): ReactNode {
    last = useStreamingMessage(source, sessionId);
    return last.content;
  }
  const page = (
    <StrictMode>
      <Page />
    </StrictMode>
  );
  return { ...render(page), last: () => last as Message };
}

const chunk = (sessionId: string, content: string) => ({ sessionId, type: 'text', content });

test('[G-13] the hook filters by session, accumulates text, says whether it streams, and lists the tools', async () => {
  const window = new FakeWindow(new FakeMain());
  const { webContents } = window;
  const { last, unmount } = show(window, { sessionId: SESSION });
  const own = { sessionId: SESSION };
  webContents.send('stream:init', { ...own, tools: ['Read'] });
  await until(() => last().isStreaming);
  webContents.send('stream:chunk', chunk(SESSION, 'Hello '));
  webContents.send('stream:chunk', chunk('99999999-2222-4333-8444-555555555555', 'not for us'));
  webContents.send('stream:tool', {
    ...own,
    type: 'tool_use',
    toolUse: { type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'a' } },
  });
  webContents.send('stream:tool', {
    ...own,
    type: 'tool_use',
    subagentId: 'task',
    toolUse: { type: 'tool_use', id: 'c2', name: 'Grep', input: {} },
  });
  webContents.send('stream:tool', {
    ...own,
    type: 'tool_result',
    toolResult: { type: 'tool_result', tool_use_id: 'c1', content: 'text of a', is_error: false },
  });
  webContents.send('stream:chunk', chunk(SESSION, 'you'));
  await until(() => last().content === 'Hello you');
  expect(last()).toEqual({
    content: 'Hello you',
    isStreaming: true,
    tools: [{ id: 'c1', name: 'Read', input: { path: 'a' }, result: { content: 'text of a', isError: false } }],
    end: null,
  });
  webContents.send('stream:end', { ...own, success: false, aborted: true, error: 'signal SIGTERM', costUsd: 0.1 });
  await until(() => !last().isStreaming);
  expect(last()).toMatchObject({ content: 'Hello you', end: { success: false, aborted: true, costUsd: 0.1 } });
  expect(last().end).not.toHaveProperty('sessionId');
  unmount();
  await until(() => window.renderer.listenerCount('stream:chunk') === 0);
  for (const name of ['stream:init', 'stream:tool', 'stream:end', 'stream:event'])
    expect(window.renderer.listenerCount(name)).toBe(0);
});

test('[G-13] a run is followed by its own id, before and after its session is known, and over its turns', async () => {
  const place: Place = createPlace([['reply-to-prompts']], {}, { conversation: true });
  const { bridge } = place.window;
  const { runId } = await bridge.start({ prompt: 'One' });
  const { last } = show(place.window, { runId });
  await until(() => last().end);
  // What came before somebody listened is not told again.
  await bridge.send({ id: runId, text: 'Two' });
  await until(() => last().content === 'You said: Two' && last().end);
  expect(last()).toMatchObject({ isStreaming: false, end: { success: true, costUsd: expect.any(Number) } });
  const other = await bridge.start({ prompt: 'Another' });
  await until(() => place.window.on('stream:chunk').some(({ runId: id }) => id === other.runId));
  expect(last().content).toBe('You said: Two');
  await bridge.send({ id: runId, text: 'Three' });
  await until(() => last().content === 'You said: Three' && !last().isStreaming);
  await bridge.stop({ id: runId });
  await bridge.stop({ id: other.runId });
});

test('[G-13] blocks of text are paragraphs where the events tell them apart', async () => {
  const place: Place = createPlace([
    ['init'],
    ['prompt'],
    ['text', 'First.'],
    ['call', 'c', 'Read'],
    ['done', 'c'],
    ['text', 'Second.'],
    ['result'],
  ]);
  const { last } = show(place.window);
  await place.window.bridge.start({ prompt: 'Do it' });
  await until(() => last().end);
  expect(last().content).toBe('First.\n\nSecond.');
});

test('a run that ends before it has said anything has no part in the answer before', async () => {
  const place = createPlace([['init'], ['prompt'], ['text', 'Answer one'], ['result']]);
  const { last } = show(place.window);
  await place.window.bridge.start({ prompt: 'One' });
  await until(() => place.window.on('stream:end').length === 1 && last().content === 'Answer one');
  place.script([
    ['stderr', 'boom'],
    ['exit', 1],
  ]);
  await place.window.bridge.start({ prompt: 'Two' });
  await until(() => place.window.on('stream:end').length === 2 && last().end?.success === false);
  expect(last()).toMatchObject({ content: '', isStreaming: false, end: { error: expect.stringContaining('boom') } });
});

test('[G-13] what the agent says without being asked goes on with the answer, and takes nothing of it away', async () => {
  const place: Place = createPlace([
    ['init'],
    ['prompt'],
    ['text', 'First.'],
    ['call', 'c', 'Read'],
    ['done', 'c'],
    ['result'],
    ['init'],
    ['text', 'By itself.'],
    ['result'],
  ]);
  const { last } = show(place.window);
  await place.window.bridge.start({ prompt: 'Do it' });
  await until(() => place.window.on('stream:end').length === 1 && last().content.includes('By itself'));
  expect(last()).toMatchObject({ content: 'First.\n\nBy itself.', tools: [{ id: 'c' }], end: { success: true } });
});

test.each(['kimi', 'copilot', 'grok'])(
  '[G-13] of %s, which tells its session last, the answer and its tools stay, and none has failed',
  async (agent) => {
    const name = captureNames(agent).find((path) => path.endsWith('/tool-ok.ndjson')) ?? '';
    const window = new FakeWindow(new FakeMain());
    const { last } = show(window);
    const send = createBroadcast({ windows: () => [window], pages: PAGE });
    const stdout = piped(capture(name));
    const parser = createStreamParser({ sessionId: SESSION, stdout, agent, send });
    await new Promise<void>((resolve) => parser.once('close', () => resolve()));
    expect(window.on('stream:init')).toHaveLength(1);
    window.webContents.send('stream:end', { sessionId: SESSION, success: true });
    await until(() => last().end);
    expect(last().content).not.toBe('');
    expect(last().tools.map(({ result }) => result?.isError)).toEqual([false]);
  },
);

test.each(['kimi', 'copilot', 'grok'])(
  '[G-13] of %s, which tells its session last, the answer and its tools stay also where no events travel',
  async (agent) => {
    const name = captureNames(agent).find((path) => path.endsWith('/tool-ok.ndjson')) ?? '';
    const window = new FakeWindow(new FakeMain());
    const { last } = show(window);
    const send = createBroadcast({ windows: () => [window], pages: PAGE });
    for (const _run of ['one', 'two']) {
      const parser = createStreamParser({
        sessionId: randomUUID(),
        stdout: piped(capture(name)),
        agent,
        send: (...message) => message[0] !== 'stream:event' && send(...message),
      });
      await new Promise<void>((resolve) => parser.once('close', () => resolve()));
      const { sessionId = '' } = window.on('stream:init').at(-1) ?? {};
      window.webContents.send('stream:end', { sessionId, success: true });
      await until(() => last().end);
      expect(last().content).not.toBe('');
      expect(last().tools.map(({ result }) => result?.isError)).toEqual([false]);
    }
  },
);

test('[G-13] an agent that an app starts by itself and that dies before its turn has no part in the answer before', async () => {
  const window = new FakeWindow(new FakeMain());
  const { last } = show(window);
  const send = createBroadcast({ windows: () => [window], pages: PAGE });
  const whole = capture('codex/0.166.0/reasoning.ndjson');
  for (const bytes of [whole, whole.subarray(0, whole.indexOf(10) + 1)]) {
    const parser = createStreamParser({ sessionId: randomUUID(), stdout: piped(bytes), agent: 'codex', send });
    await new Promise<void>((resolve) => parser.once('close', () => resolve()));
    const { sessionId = '' } = window.on('stream:init').at(-1) ?? {};
    window.webContents.send('stream:end', { sessionId, success: bytes === whole });
    await until(() => last().end?.success === (bytes === whole));
  }
  expect(window.on('stream:init')).toHaveLength(2);
  expect(last().content).toBe('');
});

const OTHER = '99999999-2222-4333-8444-555555555555';

/** An agent that an app starts by itself, told to the window. */
function startPipe(window: FakeWindow, sessionId: string) {
  const { stdout, say } = openPipe();
  const send = createBroadcast({ windows: () => [window], pages: PAGE });
  createStreamParser({ sessionId: randomUUID(), stdout, agent: 'claude', send });
  const line = (message: object): void => say({ session_id: sessionId, uuid: randomUUID(), ...message });
  return {
    init: () => line({ type: 'system', subtype: 'init', tools: ['Read'], model: 'm' }),
    prompt: (content: string) => line({ type: 'user', isReplay: true, message: { role: 'user', content } }),
    text: (text: string) =>
      line({ type: 'assistant', message: { id: `msg_${text}`, role: 'assistant', content: [{ type: 'text', text }] } }),
    result: () => line({ type: 'result', subtype: 'success', is_error: false }),
  };
}

test('[G-13] of sessions that an app runs by itself, each one has answers of its own, whatever the others echo', async () => {
  const window = new FakeWindow(new FakeMain());
  const { last } = show(window, { sessionId: OTHER });
  const [echoes, silent] = [startPipe(window, SESSION), startPipe(window, OTHER)];
  echoes.init();
  echoes.prompt('One');
  echoes.text('An answer to one.');
  echoes.result();
  await until(() => window.on('stream:event').some(({ event }) => event.type === 'turn-end'));
  for (const answer of ['First.', 'Second.']) {
    silent.init();
    await until(() => last().isStreaming && last().content === '');
    silent.text(answer);
    silent.result();
    await until(() => last().end);
    expect(last().content).toBe(answer);
  }
});

test('[G-13] of sessions that an app runs by itself, one streams from its first line on while another is at work', async () => {
  const window = new FakeWindow(new FakeMain());
  const { last } = show(window, { sessionId: OTHER });
  const [first, second] = [startPipe(window, SESSION), startPipe(window, OTHER)];
  second.init();
  second.text('First.');
  second.result();
  await until(() => last().end);
  first.init();
  first.text('Somebody else.');
  second.init();
  await until(() => last().isStreaming && last().content === '');
  first.result();
  second.text('Second.');
  await until(() => last().content === 'Second.');
  expect(last().isStreaming).toBe(true);
});

test('[G-11] [G-13] the end of a run that is still being kept is told before the next one in its session begins', async () => {
  const keeping = createGate();
  const metadata = { create: async () => {}, add: () => keeping.promise.then(() => 'added') };
  const answers = (text: string, sessionId = SESSION): readonly Step[] => [
    ['session', sessionId],
    ['init'],
    ['prompt'],
    ['text', text],
    ['result'],
  ];
  const place = createPlace(answers('First.'), { metadata });
  const { bridge } = place.window;
  const { last } = show(place.window, { sessionId: SESSION });
  const { runId: first } = await bridge.start({ prompt: 'One' });
  await until(() => place.tailrace.registry.runs.length === 0);
  const started = bridge.start({ prompt: 'Two', resume: SESSION });
  place.script(answers('Of another session, which waits for nobody.', OTHER));
  await bridge.start({ prompt: 'Three' });
  await until(() => place.window.on('stream:init').length === 2);
  place.script(answers('Second.'));
  expect(place.window.on('stream:end')).toEqual([]);
  keeping.open();
  const { runId: second } = await started;
  await until(() => place.window.on('stream:end').length === 3 && last().end);
  const runs = place.window.messages.map(([, { runId }]) => runId);
  expect(runs.lastIndexOf(first)).toBeLessThan(runs.indexOf(second));
  expect(last().content).toBe('Second.');
});
