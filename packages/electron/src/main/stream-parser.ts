// An agent's stdout, read as it arrives, for an app that starts the agent by itself: an emitter with typed events.

import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { type AgentStreamEvent, createDecoder } from '@tailrace/core';
import { type StreamMessage, sessionUuid } from '@tailrace/protocol';
import { type Checkpoints, type Clock, systemClock, TailraceError } from '@tailrace/runner';
import { callSafely } from './call-safely.ts';
import { toldId } from './ids.ts';
import { keepTotals, type MetadataStore } from './metadata.ts';
import { createShares } from './shares.ts';
import { messageOf } from './stream-messages.ts';
import {
  type AssistantEvent,
  createTelling,
  type InitEvent,
  type ResultEvent,
  type ToldEvent,
  type ToolResultEvent,
  type UserEvent,
  type WarningEvent,
} from './telling.ts';

export interface StreamParserEvents {
  init: [event: InitEvent];
  user: [event: UserEvent];
  assistant: [event: AssistantEvent];
  tool_result: [event: ToolResultEvent];
  result: [event: ResultEvent];
  /** A line that was left out, totals that were not kept, a listener that failed. Nothing of it stops the reading. */
  warning: [event: WarningEvent];
  /** Every neutral event, as it is. */
  event: [event: AgentStreamEvent];
  /** The pipe failed; `close` follows. It is a warning where nobody listens. */
  error: [error: Error];
  /** All is read, and the totals are kept. */
  close: [];
}

export type StreamParser = EventEmitter<StreamParserEvents>;

export interface StreamParserOptions {
  /** Under which the session is known until the agent tells its own id: a UUID, if windows are to hear of it. */
  readonly sessionId: string;
  readonly stdout: Readable;
  /**
   * Hears the session's real id, and again when it becomes another. Totals are added under it. `told` is the id by which windows hear of
   * the session: the same one where it is a UUID, else one that is made of it, in every start of the app.
   */
  readonly onSessionIdCaptured?: ((sessionId: string, told: string) => void) | undefined;
  /** Where totals are added when the stream is over. */
  readonly metadata?: Pick<MetadataStore, 'add'> | undefined;
  /** Prompts are noted there; one for all parsers of an app. */
  readonly checkpoints?: Checkpoints | undefined;
  /** Takes what windows are to hear; see `createBroadcast`. */
  readonly send?: ((...message: StreamMessage) => void) | undefined;
  /** The agent's name; found out unless set, and until then the first lines wait. */
  readonly agent?: string | undefined;
  /** The id under which the totals are added, once; a new one unless set. */
  readonly runId?: string | undefined;
  /** How long `metadata` is waited for goes by it; the machine's own time unless set. */
  readonly clock?: Clock | undefined;
}

/**
 * Reads an agent's stdout. Listen before the next turn of the event loop: nothing comes earlier.
 *
 * @example
 * const parser = createStreamParser({ sessionId: randomUUID(), stdout: child.stdout, onSessionIdCaptured: rename });
 * parser.on('assistant', ({ content, subagentId }) => content && subagentId === undefined && show(content));
 */
export function createStreamParser(options: StreamParserOptions): StreamParser {
  const { stdout, metadata, checkpoints, send, runId = randomUUID(), clock = systemClock } = options;
  // The types do not hold for everybody: a process that was started without a pipe has none.
  if (!(stdout as Readable | null | undefined))
    throw new TailraceError('value-refused', "stdout is missing; start the agent with a pipe there: stdio: 'pipe'");
  if (send && !sessionUuid.safeParse(options.sessionId).success)
    throw new TailraceError('value-refused', `sessionId "${options.sessionId}" is no UUID; make one with randomUUID()`);
  const parser: StreamParser = new EventEmitter({ captureRejections: true });
  const decoder = createDecoder({ agent: options.agent ?? 'auto', keepMessage: true });
  const telling = createTelling();
  const shares = createShares(telling.totals, options.sessionId);
  let captured: string | undefined;
  /** By which windows hear of it. */
  let sessionId = options.sessionId;
  let isOver = false;

  function warn(message: string): void {
    // One who fails at hearing that is left alone.
    callSafely(() => parser.emit('warning', { type: 'warning', message }));
  }

  const warnOfListener = (fault: string): void => warn(`a listener failed: ${fault}`);
  /** Whoever listens may fail; the reading goes on. */
  const guarded = (act: () => unknown): void => callSafely(act, warnOfListener);
  /** The same of a listener that fails later. */
  parser[EventEmitter.captureRejectionSymbol] = (error: unknown, ...[name]: readonly unknown[]) => {
    if (name !== 'warning') warnOfListener(error instanceof Error ? error.message : String(error));
  };

  function read(events: readonly AgentStreamEvent[]): void {
    for (const full of events) {
      for (const told of telling.add(full)) tell(told);
      const { native: _native, ...event } = full;
      checkpoints?.add(event);
      guarded(() => parser.emit('event', event));
      guarded(() => send?.('stream:event', { sessionId, event }));
    }
  }

  function tell(told: ToldEvent): void {
    const before = sessionId;
    if (told.type === 'init') capture(told.sessionId);
    const message = messageOf(told, { sessionId, ...(before !== sessionId && { formerId: before }) });
    if (message) guarded(() => send?.(...message));
    // A piece is for windows only. The compiler does not see that a name and its event belong together.
    if (told.type !== 'delta') guarded(() => (parser.emit as Announce).call(parser, told.type, told));
  }

  function capture(reported: string): void {
    // Again with its tools, which came later.
    if (reported === captured) return;
    captured = reported;
    // An agent may write its ids in another way; what travels is a UUID.
    sessionId = toldId({ agent: decoder.agent ?? '', id: reported });
    shares.enter(reported);
    guarded(() => options.onSessionIdCaptured?.(reported, sessionId));
  }

  /** Once, whichever way the pipe ends. */
  async function finish(): Promise<void> {
    if (isOver) return;
    isOver = true;
    read(decoder.end());
    await keepTotals(metadata, shares, runId, warn, clock);
    guarded(() => parser.emit('close'));
  }

  function fail(error: Error): void {
    // An error that nobody listens to would end the app.
    if (parser.listenerCount('error') > 0) guarded(() => parser.emit('error', error));
    else warn(`the pipe failed: ${error.message}`);
    finish();
  }

  stdout.on('data', (piece: Uint8Array | string) => {
    read(decoder.feed(typeof piece === 'string' ? Buffer.from(piece) : piece, { at: Date.now() }));
  });
  stdout.once('end', finish).once('close', finish).on('error', fail);
  // One that is over already says nothing more.
  if (stdout.destroyed || stdout.readableEnded) queueMicrotask(finish);
  return parser;
}

type Announce = (name: string, event: ToldEvent) => boolean;
