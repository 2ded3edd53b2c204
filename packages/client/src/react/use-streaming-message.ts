// An answer as it streams.

import { useMemo } from 'react';
import type { StreamSource } from '../stream-source.ts';
import { createFrames } from './frames.ts';
import { createLiveStore } from './live-store.ts';
import { noMessage, type StreamingMessage, startStreamingMessage } from './streaming-message.ts';
import { useLive } from './use-live.ts';

/** All of them change with the same frame. */
const frames = createFrames();

/**
 * The answer that streams: its text so far, whether more is to come, and its tools. The source is `sessionStream(client, id)`, or the
 * bridge of a desktop app; keep it the same from one render to the next. With `sessionId` only what is of that session.
 */
export function useStreamingMessage(source: StreamSource, sessionId?: string): StreamingMessage {
  const store = useMemo(
    () => createLiveStore(noMessage, frames, (touch) => startStreamingMessage(source, sessionId, touch)),
    [source, sessionId],
  );
  return useLive(store);
}
