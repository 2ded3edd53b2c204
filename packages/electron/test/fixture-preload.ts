// A preload script as an app writes it.

import { exposeTailrace } from '@tailrace/electron/preload';
import { contextBridge, ipcRenderer } from 'electron';

exposeTailrace(contextBridge, ipcRenderer, 'agents');
