import type { Command } from '../command.ts';
import { startView } from '../view/start-view.tsx';

/** `tailrace` on a terminal: the full-screen view. */
export const command: Command = () => startView(TAILRACE_VERSION);
