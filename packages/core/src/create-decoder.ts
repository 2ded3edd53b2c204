import { agents } from './agents/registry.ts';
import { createAgentDecoder, type Decoder, type DecoderOptions } from './decoder.ts';

/**
 * Makes a decoder with the agents that come with Tailrace.
 *
 * @example
 * const decoder = createDecoder();
 * child.stdout.on('data', (bytes) => decoder.feed(bytes).forEach(show));
 * child.on('close', (code, signal) => decoder.end({ code, signal }).forEach(show));
 */
export function createDecoder(options: Partial<DecoderOptions> = {}): Decoder {
  return createAgentDecoder({ ...options, agents: options.agents ?? agents });
}
