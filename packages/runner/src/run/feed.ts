// From bytes to those who listen: each line gets its place in the record, is read, and is told. Lines go one after the other:
// before one that may end a call, what that call has changed on disk is looked for.

import { type Agent, type AgentStreamEvent, createDecoder, type HostLine, type LineSource } from '@tailrace/core';
import type { Listeners } from './listeners.ts';
import { type Arrived, createRecorder, type RecordLine, sizeOf } from './recorder.ts';

export interface FeedOptions {
  readonly agent: Agent;
  readonly now: () => number;
  readonly maxLineBytes: number;
  readonly listeners: Listeners;
  /** Looks for what running calls have changed; undefined when there is nothing to look for. */
  readonly look: () => Promise<void> | undefined;
  /** Hears of each event before anybody else does. */
  readonly onEvent: (event: AgentStreamEvent) => void;
  /** The listeners have been told of these. */
  readonly onTold: (events: readonly AgentStreamEvent[]) => void;
  /** All that came has been told. */
  readonly onIdle: () => void;
  /** The pipes are to wait, or to go on. */
  readonly onPause: (isPaused: boolean) => void;
}

export interface Feed {
  /** Takes what came from a pipe. */
  receive(source: LineSource, bytes: Uint8Array): void;
  /** Takes what is written to the agent, with the remark of ours that goes before it: nobody hears of one without the other. */
  written(text: string, about?: HostLine): void;
  /** A remark of ours in the record. */
  tell(line: HostLine): void;
  /** The pipes are over: settles when all that came has been told. */
  drain(): Promise<void>;
  /** The run is over. */
  end(): void;
}

/** As many bytes may wait, for a look or for those who keep the record; then the pipes wait too. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

export function createFeed(options: FeedOptions): Feed {
  const { listeners } = options;
  const recorder = createRecorder(options.now, options.maxLineBytes);
  const decoder = createDecoder({ agent: options.agent, maxLineBytes: options.maxLineBytes });
  let queue: Arrived[] = [];
  let pumping: Promise<void> | undefined;
  let isPumping = false;
  let waiting = 0;
  let isPaused = false;
  /** Whatever is remarked from now on comes too late for the record. */
  let hasEnded = false;
  /** What has been read and not told yet. */
  let rows: RecordLine[] = [];
  let events: AgentStreamEvent[] = [];

  function enqueue(lines: readonly Arrived[]): void {
    if (lines.length === 0) return;
    for (const line of lines) queue.push(line);
    count(sizeOf(lines));
    if (!isPumping) pumping = pump();
  }

  async function pump(): Promise<void> {
    isPumping = true;
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      for (const line of batch) {
        const looked = line.source === 'stdout' ? options.look() : undefined;
        if (looked) {
          flush();
          await looked;
        }
        read(recorder.number(line));
        count(-line.bytes.length);
      }
      flush();
      options.onIdle();
    }
    isPumping = false;
  }

  function read(row: RecordLine): void {
    rows.push(row);
    add(decoder.feed(row.bytes, row));
  }

  function add(some: readonly AgentStreamEvent[]): void {
    for (const event of some) {
      options.onEvent(event);
      events.push(event);
    }
  }

  function flush(): void {
    const [toldRows, toldEvents] = [rows, events];
    rows = [];
    events = [];
    if (toldRows.length > 0)
      for (const kept of listeners.announce('onLines', toldRows)) waitFor(kept, sizeOf(toldRows));
    if (toldEvents.length === 0) return;
    listeners.announce('onEvents', toldEvents);
    options.onTold(toldEvents);
  }

  /** Whoever keeps the record may be slow. Stopping never waits for it. */
  function waitFor(kept: Promise<unknown>, size: number): void {
    count(size);
    const settled = (): void => count(-size);
    kept.then(settled, settled);
  }

  function count(size: number): void {
    waiting += size;
    if (waiting > MAX_WAITING_BYTES === isPaused) return;
    isPaused = !isPaused;
    options.onPause(isPaused);
  }

  return {
    receive: (source, bytes) => enqueue(recorder.split(source, bytes)),
    written(text, about) {
      if (about) read(recorder.host(about));
      for (const line of recorder.split('stdin', Buffer.from(text))) read(recorder.number(line));
      flush();
    },
    tell(line) {
      if (hasEnded) return;
      read(recorder.host(line));
      flush();
    },
    async drain() {
      for (const source of ['stdin', 'stdout', 'stderr'] as const) enqueue(recorder.rest(source));
      await pumping;
    },
    end() {
      add(decoder.end());
      flush();
      hasEnded = true;
    },
  };
}
