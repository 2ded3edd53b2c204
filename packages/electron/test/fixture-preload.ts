// A preload script as an app writes it.

import { exposeTailrace } from '@tailrace/electron/preload';
// @ts-expect-error electron is no dependency of ours; whoever bundles this leaves it outside.
import { contextBridge, ipcRenderer } from 'electron';

exposeTailrace(contextBridge, ipcRenderer, 'agents');
