import { isMark } from '../script/marks.mjs';

const message = (answer, identity, content, stopReason, usage) => ({
  id: identity.id,
  type: 'message',
  role: 'assistant',
  model: identity.model,
  content,
  stop_reason: stopReason,
  stop_sequence: null,
  ...(stopReason && answer.stopDetails && { stop_details: answer.stopDetails }),
  usage,
});

const startUsage = (answer) => ({ ...answer.usage, output_tokens: answer.startOutput });

/** The answer as the API would stream it, with the marks of the script in their places. */
export function* streamed(answer, identity) {
  yield { type: 'message_start', message: message(answer, identity, [], null, startUsage(answer)) };
  let index = 0;
  for (const item of answer.items) {
    if (isMark(item)) {
      yield item;
      continue;
    }
    yield { type: 'content_block_start', index, content_block: item.start };
    for (const delta of item.deltas) yield isMark(delta) ? delta : { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
    index += 1;
  }
  const counts = answer.fullDelta ? answer.usage : { output_tokens: answer.usage.output_tokens };
  yield {
    type: 'message_delta',
    delta: {
      stop_reason: answer.stop,
      stop_sequence: null,
      ...(answer.stopDetails && { stop_details: answer.stopDetails }),
    },
    usage: { ...counts, ...answer.extraUsage },
  };
  yield { type: 'message_stop' };
}

/** The answer to a request that did not ask for a stream. */
export const complete = (answer, identity) =>
  message(
    answer,
    identity,
    answer.items.filter((item) => !isMark(item)).map((item) => item.block),
    answer.stop,
    { ...answer.usage, ...answer.extraUsage },
  );
