// One run of the agent as a stream of events. Whoever reads no further stops the agent.

import { agents } from '@tailrace/core';
import { startRun } from '@tailrace/runner';

/**
 * @param {{ prompt: string, resume: string | undefined }} options
 * @returns {ReadableStream<import('@tailrace/core').AgentStreamEvent>}
 */
export function runAgent({ prompt, resume }) {
  /** @type {import('@tailrace/runner').Run | undefined} */
  let run;
  let isLeft = false;
  return new ReadableStream({
    async start(controller) {
      const claude = agents.find(({ name }) => name === 'claude');
      if (!claude) throw new Error('there is no such agent');
      run = await startRun({
        agent: claude,
        prompt,
        resume,
        onEvents: (events) => {
          for (const event of events) if (!isLeft) controller.enqueue(event);
        },
      });
      // Somebody may have left before it had begun.
      if (isLeft) run.stop();
      await run.ended;
      if (!isLeft) controller.close();
    },
    async cancel() {
      isLeft = true;
      await run?.stop();
    },
  });
}
