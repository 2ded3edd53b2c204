// Between the two: the page gets `window.tailrace`, and nothing else.

import { exposeTailrace } from '@tailrace/electron/preload';
import { contextBridge, ipcRenderer } from 'electron';

exposeTailrace(contextBridge, ipcRenderer);
