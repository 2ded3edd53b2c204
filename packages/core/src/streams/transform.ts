import { createDecoder } from '../create-decoder.ts';
import type { DecoderOptions } from '../decoder.ts';
import type { AgentStreamEvent } from '../event/event.ts';

/**
 * A Web stream that takes bytes and gives events.
 *
 * @example
 * response.body.pipeThrough(createDecoderStream()).pipeTo(new WritableStream({ write: show }));
 */
export function createDecoderStream(
  options: Partial<DecoderOptions> = {},
): TransformStream<Uint8Array, AgentStreamEvent> {
  const decoder = createDecoder(options);
  return new TransformStream({
    transform(bytes, controller) {
      for (const event of decoder.feed(bytes)) controller.enqueue(event);
    },
    flush(controller) {
      for (const event of decoder.end()) controller.enqueue(event);
    },
  });
}
