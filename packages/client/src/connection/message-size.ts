// What is too large to be said. The server would close the socket for it, and the same would happen again after each reconnect.

import { type ClientMessage, MAX_CLIENT_MESSAGE_BYTES } from '@tailrace/protocol';
import { ClientError } from '../errors.ts';

/** Throws a {@link ClientError} where a message cannot travel. */
export function checkSize(message: ClientMessage): void {
  const bytes = new TextEncoder().encode(JSON.stringify(message)).length;
  if (bytes <= MAX_CLIENT_MESSAGE_BYTES) return;
  throw new ClientError(
    'too-large',
    `this has ${bytes} bytes, and no message has more than ${MAX_CLIENT_MESSAGE_BYTES}`,
  );
}
