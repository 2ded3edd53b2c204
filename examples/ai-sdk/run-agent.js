// One run of the agent as a stream of events. Whoever reads no further stops the agent.

import { agents } from '@tailrace/core';
import { startRun } from '@tailrace/runner';

/** What waits for an answer, by its id. @type {Map<string, import('@tailrace/runner').Run>} */
const waiting = new Map();

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
        asks: true,
        onEvents: (events) => {
          for (const event of events) if (!isLeft) controller.enqueue(event);
        },
        onRequest: ({ type, requestId }) => {
          if (!run) return;
          // The page has buttons for permissions, and no form for questions.
          if (type === 'permission-request') waiting.set(requestId, run);
          else run.answer(requestId, { decision: 'deny', reason: 'Nobody can be asked here. Decide by yourself.' });
        },
      });
      // Somebody may have left before it had begun.
      if (isLeft) run.stop();
      await run.ended;
      for (const [requestId, asking] of waiting) if (asking === run) waiting.delete(requestId);
      if (!isLeft) controller.close();
    },
    async cancel() {
      isLeft = true;
      await run?.stop();
    },
  });
}

/** Whether there was such a request. It is answered once. @param {string} requestId @param {boolean} isAllowed */
export function answerRequest(requestId, isAllowed) {
  const run = waiting.get(requestId);
  waiting.delete(requestId);
  // The agent may have taken it back.
  if (!run?.requests.some((request) => request.requestId === requestId)) return false;
  run.answer(requestId, isAllowed ? { decision: 'allow' } : { decision: 'deny', reason: 'The person said no.' });
  return true;
}
