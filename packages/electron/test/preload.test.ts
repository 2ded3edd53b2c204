// What a page finds on its window, and what it does not.

import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeMain, FakeWindow } from './fake-electron.ts';

const SESSION = '11111111-2222-4333-8444-555555555555';

test('[G-14] each way of listening gives back what ends it, and it alone', () => {
  const window = new FakeWindow(new FakeMain());
  const { bridge, webContents } = window;
  const own = { sessionId: SESSION };
  const channels = [
    ['stream:init', bridge.onStreamInit, { ...own, tools: [] }],
    ['stream:chunk', bridge.onStreamChunk, { ...own, type: 'text', content: 'a' }],
    ['stream:tool', bridge.onStreamTool, { ...own, type: 'tool_use', toolUse: {} }],
    ['stream:end', bridge.onStreamEnd, { ...own, success: true }],
    ['stream:event', bridge.onStreamEvent, { ...own, event: { type: 'raw', seq: 0, reason: 'not_json' } }],
  ] as const;
  for (const [channel, listen, message] of channels) {
    const [first, second]: [unknown[][], unknown[][]] = [[], []];
    const endFirst = listen((...words: unknown[]) => void first.push(words));
    const endSecond = listen((...words: unknown[]) => void second.push(words));
    webContents.send(channel, message);
    // [T-22] The event that comes with it leads to Electron: the page gets the message and nothing else.
    expect(first).toEqual([[message]]);
    endFirst();
    webContents.send(channel, message);
    expect(first).toHaveLength(1);
    expect(second).toHaveLength(2);
    endFirst();
    endSecond();
    webContents.send(channel, message);
    expect(second).toHaveLength(2);
    expect(window.renderer.listenerCount(channel)).toBe(0);
  }
});

test('a listener that fails robs no other of what is told', () => {
  const { bridge, webContents } = new FakeWindow(new FakeMain());
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => said.mockRestore());
  const heard: unknown[] = [];
  bridge.onStreamEnd(() => {
    throw new Error('no');
  });
  bridge.onStreamEnd((message) => void heard.push(message));
  webContents.send('stream:end', { sessionId: SESSION, success: true });
  expect(heard).toHaveLength(1);
  expect(said.mock.calls).toEqual([['a listener of stream:end failed:', new Error('no')]]);
});

test('[T-22] the page gets these functions and nothing else', () => {
  const { world } = new FakeWindow(new FakeMain());
  expect([...world.keys()]).toEqual(['tailrace']);
  const api = world.get('tailrace') as object;
  expect(Object.values(api).every((one) => typeof one === 'function')).toBe(true);
  expect(Object.keys(api).sort()).toEqual(
    [
      ...['onStreamInit', 'onStreamChunk', 'onStreamTool', 'onStreamEnd', 'onStreamEvent'],
      ...['start', 'send', 'answer', 'interrupt', 'stop', 'runs'],
      ...['checkpoints', 'previewRewind', 'rewind', 'openExternal'],
    ].sort(),
  );
});

test('a call that does not get over is told as what it is', async () => {
  const main = new FakeMain();
  const { bridge, renderer } = new FakeWindow(main);
  await expect(bridge.runs()).rejects.toThrow('the app takes no calls: it is about to end, or has not begun to');
  renderer.invoke = async () => {
    throw new Error('An object could not be cloned.');
  };
  await expect(bridge.runs()).rejects.toThrow('the call could not be sent to the app: An object could not be cloned.');
});

test('as one file it needs nothing but electron, has no schemas in it, and works', async () => {
  const entry = fileURLToPath(new URL('fixture-preload.ts', import.meta.url));
  const bundle = await rolldown({ input: entry, external: ['electron'], platform: 'node' });
  const { output } = await bundle.generate({ format: 'cjs' });
  await bundle.close();
  expect(output).toHaveLength(1);
  const { code } = output[0];
  expect(code.length).toBeLessThan(8_000);
  expect([...code.matchAll(/require\(([^)]*)\)/g)].map(([, name]) => name)).toEqual(['"electron"']);
  const exposed = new Map<string, unknown>();
  const electron = {
    contextBridge: { exposeInMainWorld: (name: string, api: unknown) => exposed.set(name, api) },
    ipcRenderer: { invoke: async () => ({ ok: false, code: 'refused', message: 'not here' }) },
  };
  runInNewContext(code, { require: () => electron, exports: {}, module: {} });
  const api = exposed.get('agents') as { runs(): Promise<unknown> };
  await expect(api.runs()).rejects.toThrow('not here');
});
