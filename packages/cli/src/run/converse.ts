// The person's side of a run: what the agent asks is asked here, one after the other, and in a chat the next prompt is taken.

import type { Answer, RequestEvent } from '@tailrace/core';
import { isTailraceError, type Run } from '@tailrace/runner';
import type { Palette } from '../printer/palette.ts';
import type { Region } from '../printer/region.ts';
import { ask } from './ask.ts';
import type { Keyboard } from './keyboard.ts';

export interface ConverseOptions {
  readonly agent: string;
  readonly palette: Palette;
  readonly screen: Region;
  readonly keyboard: Keyboard;
  /** When the agent is idle, the person may say more. */
  readonly isChat: boolean;
}

export function converse(run: Run, options: ConverseOptions): void {
  const { screen, keyboard, palette, agent, isChat } = options;
  let isAsking = false;
  const plans = new Map<string, string>();

  /** Asks what waits, the oldest first; nothing else is shown meanwhile. */
  async function serve(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    for (let next = run.requests[0]; next; next = run.requests[0]) if (!(await serveOne(next))) break;
    isAsking = false;
    if (isChat && run.state === 'idle') await chat();
  }

  /** False when the person broke off: what comes of it is the agent's affair. */
  async function serveOne(request: RequestEvent): Promise<boolean> {
    const gone = new AbortController();
    const isWaiting = (): boolean => run.requests.some(({ requestId }) => requestId === request.requestId);
    const unlisten = run.listen({ onEvents: () => !isWaiting() && gone.abort() });
    screen.hold();
    try {
      const answer = await ask(request, {
        agent,
        palette,
        rows: process.stdout.rows || 24,
        planOf: (toolCallId) => (toolCallId === undefined ? undefined : plans.get(toolCallId)),
        write: (text) => process.stdout.write(text),
        line: (prompt) => keyboard.line(prompt, gone.signal),
      });
      if (!isWaiting()) {
        if (run.state !== 'ended') process.stdout.write(palette.dim('  (no longer asked)\n'));
        return true;
      }
      if (answer && !give(request, answer)) return true;
      if (answer?.decision === 'allow' && answer.input !== undefined)
        process.stdout.write(palette.dim('  (it runs with your input, not with what the agent asked for)\n'));
      return answer !== undefined;
    } finally {
      unlisten();
      screen.release();
    }
  }

  /** False when it is none, which is said: then the same is asked again. */
  function give({ requestId }: RequestEvent, answer: Answer): boolean {
    try {
      run.answer(requestId, answer);
      return true;
    } catch (error) {
      if (!isTailraceError(error) || error.code !== 'bad-answer') throw error;
      process.stdout.write(`  ${error.message}\n`);
      return false;
    }
  }

  async function chat(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const over = new AbortController();
    const unlisten = run.listen({ onState: (state) => state !== 'idle' && over.abort() });
    screen.hold();
    const text = await keyboard.line('\n› ', over.signal, 'text');
    unlisten();
    screen.release();
    isAsking = false;
    if (over.signal.aborted) return;
    if (text === undefined || text.trim() === '') run.close();
    else run.send(text);
  }

  run.listen({
    onEvents: (events) => {
      for (const event of events)
        if (event.type === 'plan-update' && event.toolCallId !== undefined && event.text !== undefined)
          plans.set(event.toolCallId, event.text);
    },
    onRequest: () => serve(),
    onState: (state) => {
      if (state === 'idle' && isChat) chat();
    },
  });
  // Something may have been asked before we listened.
  if (run.requests.length > 0) serve();
}
