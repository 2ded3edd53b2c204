// What the demo finds beside the command.

import { fileURLToPath } from 'node:url';

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url.replace('/chunks/', '/')));

/** The command itself. */
export const commandFile: string = beside('./tailrace.js');

/** The sessions that are played: see conformance/src/record-demo.mjs. */
export const recordings: string = beside('./assets/demo');

/** Sessions of days before, in a folder for each project. */
export const olderSessions: string = beside('./assets/demo/older');
