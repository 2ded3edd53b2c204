import { isMark } from './marks.mjs';

export const usage = (input, output, created = 0, read = 0) => ({
  input_tokens: input,
  output_tokens: output,
  cache_creation_input_tokens: created,
  cache_read_input_tokens: read,
});

const stopOf = (items) => (items.some((item) => item.block?.type === 'tool_use') ? 'tool_use' : 'end_turn');

/**
 * One answer of the model: blocks and marks in order.
 * `fullDelta` repeats all counts at the end of the stream, as the API does at times, and not the output alone.
 */
export function reply(
  items,
  served,
  { stop, stopDetails = null, startOutput = 1, fullDelta = false, extraUsage = {} } = {},
) {
  return {
    kind: 'message',
    items,
    usage: served,
    stop: stop ?? stopOf(items),
    stopDetails,
    startOutput,
    fullDelta,
    extraUsage,
  };
}

export const blocksOf = (message) => message.items.filter((item) => !isMark(item));

const errorTypes = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

/** An HTTP error instead of an answer. */
export const failure = (status, message, headers = {}) => ({
  kind: 'failure',
  status,
  headers,
  body: { type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } },
});

/** The connection is closed before any answer. */
export const hangUp = () => ({ kind: 'hang-up' });

/** The same answer for each further request of a lane. A function gets the request and makes an answer for it alone. */
export const always = (answer) => ({ kind: 'always', answer });
