// Bytes from a source → Claude's own messages: one at a time, or all of them.

import type { Json } from '../../event/json.ts';
import { type ByteSource, type CancelSignal, type Piece, readerOf } from '../../lines/bytes.ts';
import { MAX_DEPTH, MAX_LINE_BYTES } from '../../lines/limits.ts';
import { decodeLine, parseLine } from '../../lines/parse.ts';
import { createLineSplitter, type Line } from '../../lines/split.ts';
import { SURE } from '../detect.ts';
import { detect } from './detect.ts';
import { type ClaudeMessage, isMessage } from './message.ts';
import { firstCharacters } from './one-line.ts';

export interface MessageReader {
  /**
   * The next message, or what is wrong with a line that has none, or that the input is over. Blank lines are skipped. Several
   * calls at once are answered in their order. A source that fails makes this and every later call fail.
   */
  next(): Promise<ReadResult>;
  /**
   * All messages that are left. Ends at once when the signal is given, and lets go of the source however it ends. Lines that
   * are no messages are stepped over, see {@link MessageReaderOptions.onError}; a source that fails makes it fail.
   */
  decode(signal?: CancelSignal): AsyncGenerator<ClaudeMessage, void>;
  /** Lets go of the source before its end: from here on the input is over. `decode` does this by itself. */
  close(): Promise<void>;
}

export interface MessageReaderOptions {
  /** Lines over this size are not parsed: `MAX_LINE_BYTES` unless set, `LONGEST_LINE_BYTES` at the most. */
  readonly maxLineBytes?: number | undefined;
  /** Hears of the lines that `decode` steps over. */
  readonly onError?: ((error: MessageError) => void) | undefined;
}

export type ReadResult =
  | { readonly done: false; readonly message: ClaudeMessage; readonly error?: undefined; readonly line: number }
  | { readonly done: false; readonly message?: undefined; readonly error: MessageError; readonly line: number }
  | { readonly done: true; readonly message?: undefined; readonly error?: undefined };

/** Why a line is no message; whoever asks for the next one has stepped over it. */
export interface MessageError {
  readonly code: MessageErrorCode;
  readonly message: string;
  /** The line's number, counted from 1. */
  readonly line: number;
  /** Its first characters, 200 at the most. */
  readonly text: string;
}

/** `cut_off` is a last line that broke off; `not_message` is JSON, but no object with a type. */
export type MessageErrorCode = 'not_json' | 'too_long' | 'too_deep' | 'cut_off' | 'not_message';

/** A large piece is read in steps of this size: the messages of all of it at once could take many times its memory. */
const STEP_BYTES = 64 * 1024;
/** How much of a line an error shows. */
const TEXT_CHARACTERS = 200;
const EMPTY: Uint8Array = new Uint8Array(0);
const DONE: ReadResult = { done: true };

/**
 * Reads Claude's messages as they are printed. Nothing in them is changed; for older shapes there are the functions of
 * `message.ts`, such as `contentBlocks`.
 *
 * @example
 * for await (const message of createMessageReader(child.stdout).decode()) write(textContent(message));
 */
export function createMessageReader(source: ByteSource, options: MessageReaderOptions = {}): MessageReader {
  const { maxLineBytes = MAX_LINE_BYTES, onError } = options;
  if (!(Number.isInteger(maxLineBytes) && maxLineBytes > 0)) {
    throw new RangeError(`maxLineBytes is a whole number above zero, not ${maxLineBytes}`);
  }
  const reader = readerOf(source);
  const splitter = createLineSplitter(receive, { maxLineBytes });
  let found: ReadResult[] = []; // in the bytes split last; found[0, given) is with the caller
  let given = 0;
  let unsplit = EMPTY; // what is left of the last piece
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  let isReleased = false;
  let stopWaiting: (() => void) | undefined; // while a piece is waited for
  let lastCall: Promise<unknown> = Promise.resolve();

  function receive(line: Line): void {
    if (line.size > 0) for (const result of resultsOf(line, maxLineBytes)) found.push(result);
  }

  async function pull(): Promise<ReadResult> {
    for (;;) {
      const result = found[given];
      if (result) {
        given++;
        return result;
      }
      if (failure) throw failure.error;
      if (isOver) return DONE;
      found = [];
      given = 0;
      if (unsplit.length === 0) await readPiece();
      splitter.push(unsplit.subarray(0, STEP_BYTES));
      unsplit = unsplit.subarray(STEP_BYTES);
    }
  }

  async function readPiece(): Promise<void> {
    try {
      const piece = await nextPiece();
      // Closed in the meantime: what comes now is nobody's.
      if (isOver) return;
      if (piece.done) {
        isOver = true;
        isReleased = true;
        splitter.end();
      } else unsplit = bytesOf(piece);
    } catch (error) {
      if (isOver) return;
      failure = { error };
      release().catch(() => {});
    } finally {
      stopWaiting = undefined;
    }
  }

  /** The next piece, or the end when the reader is closed first: a silent source might never answer. */
  function nextPiece(): Promise<Piece> {
    return new Promise((resolve, reject) => {
      stopWaiting = () => resolve({ done: true });
      reader.read().then(resolve, reject);
    });
  }

  async function release(): Promise<void> {
    if (isReleased) return;
    isReleased = true;
    await reader.cancel();
  }

  async function close(): Promise<void> {
    const isWaiting = stopWaiting !== undefined;
    isOver = true;
    found = [];
    given = 0;
    unsplit = EMPTY;
    stopWaiting?.();
    const released = release();
    // A source that is silent answers only when it speaks again: nobody waits for that.
    if (isWaiting) released.catch(() => {});
    else await released;
  }

  function next(): Promise<ReadResult> {
    const result = lastCall.then(pull);
    lastCall = result.catch(() => {});
    return result;
  }

  async function* decode(signal?: CancelSignal): AsyncGenerator<ClaudeMessage, void> {
    const stop = (): void => void close().catch(() => {});
    signal?.addEventListener('abort', stop);
    try {
      while (!signal?.aborted) {
        const { done, message, error } = await next();
        if (done || signal?.aborted) return;
        if (message) yield message;
        else onError?.(error);
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      if (signal?.aborted) stop();
      else await close();
    }
  }

  return { next, decode, close };
}

function bytesOf({ value = EMPTY }: Piece): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError('a message reader takes bytes: a stream with an encoding gives strings');
}

/** What one line holds: a message in nearly every case, none when it is blank, several when line feeds were lost. */
function resultsOf(line: Line, maxLineBytes: number): readonly ReadResult[] {
  const { number } = line;
  const told = (message: ClaudeMessage): ReadResult => ({ done: false, message, line: number });
  const failed = (code: MessageErrorCode, why: string, text: string): ReadResult => ({
    done: false,
    error: { code, message: `line ${number} ${why}`, line: number, text: firstCharacters(text, TEXT_CHARACTERS) },
    line: number,
  });
  const broken = (text: string, isLast: boolean): ReadResult =>
    isLast && !line.terminated
      ? failed('cut_off', 'broke off before its end', text)
      : failed('not_json', 'is not JSON', text);

  if (line.tooLong) {
    const why = `has ${line.size} bytes, more than ${maxLineBytes}: maxLineBytes says how long a line may be`;
    // Streaming leaves out the character that was cut in two where the splitter let go of the line.
    return [failed('too_long', why, new TextDecoder().decode(line.bytes, { stream: true }))];
  }
  const text = decodeLine(line.bytes);
  const parsed = parseLine(line.bytes, text, isRecord);
  switch (parsed.kind) {
    case 'blank':
      return [];
    case 'too_deep':
      return [failed('too_deep', `nests deeper than ${MAX_DEPTH} levels`, parsed.text)];
    case 'not_json':
      return [broken(parsed.text, true)];
    case 'value': {
      // `--output-format json --verbose` prints one list of all messages.
      const values: readonly Json[] = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
      const results = values.filter(isMessage).map(told);
      const isWhole = results.length > 0 && results.length === values.length;
      return isWhole
        ? results
        : [...results, failed('not_message', 'is JSON, but no message: that is an object with a type', text)];
    }
    case 'spliced': {
      const before = parsed.before.filter(isMessage).map(told);
      const after = parsed.after.filter(isMessage).map(told);
      const lost = parsed.fragment === '' ? [] : [broken(parsed.fragment, after.length === 0)];
      return [...before, ...lost, ...after];
    }
  }
}

/** Of a broken line, only what is surely Claude's is taken for a message: objects inside one look whole, too. */
function isRecord(value: Json): boolean {
  return detect([value]) >= SURE;
}
