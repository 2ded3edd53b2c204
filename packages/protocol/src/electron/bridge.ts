// What a page of a desktop app finds on its window.

import type { RewindPreviewReply, RewindReply } from '../http/rewind.ts';
import type { CheckpointInfo } from '../http/session-parts.ts';
import type {
  BridgeAnswer,
  BridgeRewind,
  BridgeRewindPreview,
  BridgeRun,
  BridgeRunId,
  BridgeSend,
  BridgeSession,
  BridgeStart,
  BridgeStarted,
  BridgeUrl,
} from './calls.ts';
import type { StreamChunk, StreamEnd, StreamEvent, StreamInit, StreamTool } from './messages.ts';

/** Listening gives back what ends it. A call that fails rejects with an error whose message is a sentence for people. */
export interface TailraceBridge {
  onStreamInit(listener: (message: StreamInit) => void): () => void;
  onStreamChunk(listener: (message: StreamChunk) => void): () => void;
  onStreamTool(listener: (message: StreamTool) => void): () => void;
  onStreamEnd(listener: (message: StreamEnd) => void): () => void;
  onStreamEvent(listener: (message: StreamEvent) => void): () => void;
  /** Starts an agent. */
  start(wanted: BridgeStart): Promise<BridgeStarted>;
  /** Says one more thing to a run that goes on. */
  send(said: BridgeSend): Promise<undefined>;
  /** Answers what the agent asks, once. */
  answer(given: BridgeAnswer): Promise<undefined>;
  /** Breaks off the turn; the run goes on. */
  interrupt(run: BridgeRunId): Promise<undefined>;
  /** Ends the run; settles when nothing of it is left. */
  stop(run: BridgeRunId): Promise<undefined>;
  /** The runs that go on, with what waits in them: for a page that was loaded anew. What is just being started is waited for. */
  runs(): Promise<readonly BridgeRun[]>;
  /** The prompts of a session that can be gone back to, in the order in which they were said. */
  checkpoints(session: BridgeSession): Promise<readonly CheckpointInfo[]>;
  /** What going back to before a prompt would do. Nothing is touched. */
  previewRewind(place: BridgeRewindPreview): Promise<RewindPreviewReply>;
  /** Goes back, if that still does what was shown. */
  rewind(place: BridgeRewind): Promise<RewindReply>;
  /** Opens an http or https address in the person's own browser. */
  openExternal(address: BridgeUrl): Promise<undefined>;
}
