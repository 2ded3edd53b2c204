// The main process: one window, and agents for its page.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { agents } from '@tailrace/core';
import { guardWindow, registerTailrace, safePreferences } from '@tailrace/electron';
import { app, BrowserWindow, dialog, ipcMain, shell } from 'electron';

const here = import.meta.dirname;
const pages = pathToFileURL(join(here, 'index.html')).href;
const openExternal = (url: string): Promise<void> => shell.openExternal(url);
const onWarning = (message: string): void => console.warn(message);

const agent = agents.find(({ name }) => name === 'claude');
if (!agent) throw new Error('there is no such agent');

/** Where the agent works: chosen by the person, never by the page. */
let folder: string | undefined;

async function chooseFolder(): Promise<string> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Where is the agent to work?',
    properties: ['openDirectory'],
  });
  const [chosen] = filePaths;
  if (chosen === undefined) throw new Error('Choose a folder first: the agent works in it.');
  return chosen;
}

const tailrace = registerTailrace(ipcMain, {
  windows: () => BrowserWindow.getAllWindows(),
  pages,
  openExternal,
  onWarning,
  async launch() {
    folder ??= await chooseFolder();
    return {
      agent,
      cwd: folder,
      conversation: true,
      // The folder brings hooks or servers that the agent would start: the person is asked before anything runs.
      async trust({ brought }) {
        const { response } = await dialog.showMessageBox({
          type: 'warning',
          message: 'This folder brings programs that the agent would run.',
          detail: brought.map(({ kind, name, detail }) => `${kind} ${name}: ${detail}`).join('\n'),
          buttons: ['Do not start', 'Start'],
          defaultId: 0,
          cancelId: 0,
        });
        return response === 1;
      },
    };
  },
});

app.whenReady().then(async () => {
  const window = new BrowserWindow({
    width: 760,
    height: 820,
    webPreferences: safePreferences(join(here, 'preload.cjs')),
  });
  guardWindow(window.webContents, { pages, openExternal, onWarning });
  await window.loadFile(join(here, 'index.html'));
});

app.on('window-all-closed', () => app.quit());

/** No agent outlives the app. */
let isOver = false;
app.on('before-quit', (event) => {
  if (isOver) return;
  event.preventDefault();
  tailrace.close().then(() => {
    isOver = true;
    app.quit();
  });
});
