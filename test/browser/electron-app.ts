// The example of a desktop app, all of it, in a real browser: its main process runs here, its page in Chromium, and what stands between
// them clones what it carries. Only Electron itself is played.

import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { onTestFinished, vi } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const example = join(root, 'examples/electron-chat');
const bin = join(root, 'packages/cli/dist/tailrace.js');

export interface ElectronApp {
  readonly page: Page;
  /** What the window was made with. */
  readonly preferences: Readonly<Record<string, unknown>>;
  /** The folder that the agent works in. */
  readonly project: string;
  /** Addresses that went to the system. */
  readonly opened: readonly string[];
  /** With what an agent that follows a script was started last. */
  told(): string;
  /** As the system's menu would; settles when the app has ended. */
  quit(): Promise<void>;
}

type Handler = (event: unknown, argument: unknown) => Promise<unknown>;
type Listener = (event: { preventDefault(): void }) => void;

export interface ElectronAppOptions {
  /** What the agent asks to run, instead of what the recording has. */
  readonly command?: string | undefined;
  /** What an agent does that follows a script, instead of one that plays recordings. */
  readonly steps?: readonly (readonly unknown[])[] | undefined;
  /** What that one calls its session. */
  readonly session?: string | undefined;
  /** Called when the person is asked for a folder; none is chosen before it settles. */
  readonly onChoosing?: (() => Promise<void>) | undefined;
}

/** Builds the example and starts its main process; its agent plays the recordings of the demo. */
export async function startElectronApp(
  context: BrowserContext,
  { command, steps, session, onChoosing }: ElectronAppOptions = {},
): Promise<ElectronApp> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-chat-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const project = join(folder, 'project');
  mkdirSync(project);
  if (steps) followScript(folder, steps, session);
  else playAgent(folder, command);
  const dist = await buildExample(folder);

  const handlers = new Map<string, Handler>();
  const windows: object[] = [];
  const opened: string[] = [];
  const preferences: Record<string, unknown> = {};
  const page = await context.newPage();
  const listeners = new Map<string, Listener[]>();
  let hasQuit = (): void => {};
  const ended = new Promise<void>((resolve) => {
    hasQuit = resolve;
  });
  const quit = (): void => {
    let isPrevented = false;
    const prevent = (): void => {
      isPrevented = true;
    };
    for (const listener of listeners.get('before-quit') ?? []) listener({ preventDefault: prevent });
    if (!isPrevented) hasQuit();
  };

  // One after the other, as they were sent.
  let sending: Promise<unknown> = Promise.resolve();
  const contents = {
    getURL: () => page.url(),
    isDestroyed: () => page.isClosed(),
    send: (channel: string, message: unknown) => {
      const words = structuredClone([channel, message]);
      sending = sending.then(() => page.evaluate(hear, words).catch(() => {}));
    },
    setWindowOpenHandler: () => {},
    on: () => {},
  };

  class BrowserWindow {
    static getAllWindows = (): object[] => windows;
    readonly webContents = contents;
    readonly preload: string;

    constructor({ webPreferences }: { readonly webPreferences: { readonly preload: string } }) {
      Object.assign(preferences, webPreferences);
      this.preload = webPreferences.preload;
      windows.push(this);
    }

    isDestroyed(): boolean {
      return page.isClosed();
    }

    async loadFile(path: string): Promise<void> {
      await page.exposeBinding(
        'playedInvoke',
        async ({ frame }: { frame: Frame }, channel: string, words: unknown[]) => {
          const handler = handlers.get(channel);
          if (!handler) throw new Error(`No handler registered for '${channel}'`);
          return structuredClone(await handler({ sender: contents, senderFrame: frameOf(frame) }, words[0]));
        },
      );
      await page.addInitScript(`(${preloadWorld})(${JSON.stringify(readFileSync(this.preload, 'utf8'))})`);
      await page.goto(pathToFileURL(path).href);
    }
  }

  const electron = {
    app: {
      whenReady: async () => {},
      quit,
      on: (name: string, listener: Listener) => listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    },
    BrowserWindow,
    dialog: {
      async showOpenDialog() {
        await onChoosing?.();
        return { canceled: false, filePaths: [project] };
      },
      showMessageBox: async () => ({ response: 0 }),
    },
    shell: { openExternal: async (url: string) => void opened.push(url) },
    ipcMain: {
      handle: (channel: string, handler: Handler) => handlers.set(channel, handler),
      removeHandler: (channel: string) => handlers.delete(channel),
    },
  };
  Object.assign(globalThis, { playedElectron: electron });
  await import(/* @vite-ignore */ pathToFileURL(join(dist, 'main.js')).href);
  await page.getByRole('button', { name: 'Send' }).waitFor();
  onTestFinished(() => {
    quit();
    return ended;
  });
  return {
    page,
    preferences,
    project,
    opened,
    told: () => JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8')).argv.join(' '),
    quit: () => {
      quit();
      return ended;
    },
  };
}

function frameOf(frame: Frame): { readonly url: string; readonly parent: object | null } {
  const parent = frame.parentFrame();
  return { url: frame.url(), parent: parent && frameOf(parent) };
}

/** In the page: what Electron does with a message. */
function hear([channel, message]: readonly unknown[]): void {
  const page = window as unknown as { playedHear(channel: unknown, message: unknown): void };
  page.playedHear(channel, message);
}

/** In the page, before its own scripts: what Electron gives to a preload script. */
const preloadWorld = `function (code) {
  const ears = new Map();
  const of = (channel) => ears.get(channel) ?? ears.set(channel, new Set()).get(channel);
  window.playedHear = (channel, message) => { for (const listener of of(channel)) listener({}, message); };
  const electron = {
    contextBridge: { exposeInMainWorld: (name, api) => Object.defineProperty(window, name, { value: Object.freeze(api) }) },
    ipcRenderer: {
      invoke: (channel, argument) => window.playedInvoke(channel, argument === undefined ? [] : [argument]),
      on: (channel, listener) => void of(channel).add(listener),
      removeListener: (channel, listener) => void of(channel).delete(listener),
    },
  };
  new Function('require', 'exports', 'module', code)(() => electron, {}, {});
}`;

/** By its own script, but that Electron is what was put into this process. */
async function buildExample(folder: string): Promise<string> {
  const dist = join(folder, 'dist');
  const played = join(folder, 'electron.mjs');
  const names = ['app', 'BrowserWindow', 'dialog', 'ipcMain', 'shell'];
  writeFileSync(played, `export const { ${names.join(', ')} } = globalThis.playedElectron;\n`);
  const build = readFileSync(join(example, 'build.mjs'), 'utf8');
  for (const { input, file, format, platform } of bundlesIn(build)) {
    const isMain = basename(file) === 'main.js';
    const bundle = await rolldown({
      input: join(example, input),
      platform,
      external: isMain ? [] : ['electron'],
      ...(isMain && { resolve: { alias: { electron: played } } }),
      transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    });
    await bundle.write({ file: join(dist, basename(file)), format });
    await bundle.close();
  }
  for (const name of ['index.html', 'style.css']) cpSync(join(example, 'src', name), join(dist, name));
  // Else Node would look for the format elsewhere.
  writeFileSync(join(dist, 'package.json'), '{ "type": "module" }\n');
  return dist;
}

interface Bundle {
  readonly input: string;
  readonly file: string;
  readonly format: 'esm' | 'cjs' | 'iife';
  readonly platform: 'node' | 'browser';
}

/** The example's own list: what is tried here is what it builds. */
function bundlesIn(script: string): readonly Bundle[] {
  const list = /const bundles = (\[[\s\S]*?\n\]);/.exec(script)?.[1];
  if (list === undefined) throw new Error('the example has no list of bundles');
  return runInNewContext(list) as readonly Bundle[];
}

/** What the recording of the demo asks for. */
export const COMMAND = 'rm -rf build/ && npm run build';

function playAgent(folder: string, command = COMMAND): void {
  const recordings = join(folder, 'recordings');
  cpSync(join(root, 'fixtures/demo'), recordings, { recursive: true });
  const asking = join(recordings, '2-infra.ndjson');
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  // Not as a pattern: `$&` in a command is no more than that.
  writeFileSync(asking, readFileSync(asking, 'utf8').split(inJson(COMMAND)).join(inJson(command)));
  const words = [process.execPath, bin, 'replay', '--as-agent', recordings, '--speed', '0', '--'];
  callAgent(folder, words);
}

function followScript(folder: string, steps: readonly (readonly unknown[])[], session: string | undefined): void {
  const script = join(folder, 'script.json');
  writeFileSync(script, JSON.stringify(steps));
  callAgent(folder, [
    'env',
    `FAKE_AGENT=${script}`,
    `FAKE_TOLD=${join(folder, 'told.json')}`,
    ...(session === undefined ? [] : [`FAKE_SESSION=${session}`]),
    process.execPath,
    join(root, 'packages/runner/test/fake-agent.mjs'),
  ]);
}

function callAgent(folder: string, words: readonly string[]): void {
  const program = join(folder, 'claude');
  writeFileSync(program, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(program, 0o700);
  vi.stubEnv('TAILRACE_CLAUDE', program);
  vi.stubEnv('HOME', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
}
