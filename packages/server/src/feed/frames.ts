// Messages → frames: as much as fits, made into JSON once, for however many clients want the same.

import { type Cursor, encodeCursor, MAX_FRAME_BYTES } from '@tailrace/protocol';

/** The messages of one line, as JSON. */
export interface LineMessages {
  readonly position: number;
  readonly messages: readonly string[];
}

export interface PackedFrame {
  readonly text: string;
  /** The last line of which all messages are in this frame or before it. */
  readonly position: number;
}

/** What stands around the messages of a frame is no longer than this. */
const ENVELOPE_BYTES = 1024;
/** What a frame has room for. */
export const MAX_MESSAGES_BYTES: number = MAX_FRAME_BYTES - ENVELOPE_BYTES;

/**
 * Packs lines that follow `after`. A frame ends where a line ends; one that is too long for a frame is cut between two messages, and
 * the cursor stays before it until all of it is sent.
 */
export function packFrames(
  subscriptionId: string,
  after: Cursor,
  lines: readonly LineMessages[],
): readonly PackedFrame[] {
  const frames: PackedFrame[] = [];
  let { position } = after;
  let waiting: string[] = [];
  let bytes = 0;

  function flush(): void {
    if (waiting.length === 0 && frames.at(-1)?.position === position) return;
    const cursor = encodeCursor({ ...after, position });
    const head = `{"subscriptionId":${JSON.stringify(subscriptionId)},"cursor":${JSON.stringify(cursor)}`;
    frames.push({ text: `${head},"messages":[${waiting.join(',')}]}`, position });
    waiting = [];
    bytes = 0;
  }

  for (const line of lines) {
    const sizes = line.messages.map((message) => Buffer.byteLength(message) + 1);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    // All of a line in one frame, where that is possible.
    if (bytes > 0 && bytes + all > MAX_MESSAGES_BYTES) flush();
    // Where it is not, its first frame has the cursor of the frame before: by that its parts are known.
    else if (all > MAX_MESSAGES_BYTES) flush();
    for (const [index, message] of line.messages.entries()) {
      const size = sizes[index] ?? 0;
      if (bytes > 0 && bytes + size > MAX_MESSAGES_BYTES) flush();
      waiting.push(message);
      bytes += size;
    }
    position = line.position;
  }
  if (lines.length > 0) flush();
  return frames;
}
