import {
  agents,
  createDecoder,
  type Decoder,
  type FoundSecret,
  type Redacted,
  redact,
  redactJson,
} from '@tailrace/core';
import { parseJson } from '../json.ts';
import { endedBy, pieceOf } from './delta-pieces.ts';
import type { ExportInput, ExportOptions } from './input.ts';
import { createPieceQueue, type Piece, type Released } from './pieces.ts';

/** A line with the pieces that an event of it brought. */
interface Line {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Whether all of it is one piece: a line of plain text. */
  readonly isPlain: boolean;
  readonly pieces: readonly Piece[];
}

/**
 * The lines as they came, byte for byte. Where one holds a secret, that is left out and the line stays valid JSON; so are those that
 * hold a part of one, which is cut over several.
 */
export async function* exportNdjson(input: ExportInput, options: ExportOptions = {}): AsyncIterable<Uint8Array> {
  if (options.redact === false) {
    for await (const lines of input.lines) for (const { bytes } of lines) yield bytes;
    return;
  }
  const onFound = ({ kind }: FoundSecret): void => options.onRedacted?.(kind);
  const queue = createPieceQueue<Line>(onFound);
  const decoders = new Map<string, Decoder>();
  const decoderOf = (stream: string): Decoder => {
    const decoder =
      decoders.get(stream) ?? createDecoder({ agent: agents.find(({ name }) => name === input.session.agent) });
    decoders.set(stream, decoder);
    return decoder;
  };

  for await (const lines of input.lines) {
    for (const { stream, source, at, bytes } of lines) {
      const text = new TextDecoder().decode(bytes);
      const isPlain = parseJson(text) === undefined;
      const events = isPlain ? [] : decoderOf(stream).feed(bytes, { at, source });
      const pieces = isPlain
        ? [{ key: `plain ${stream} ${source}`, text }]
        : events.flatMap((event) => pieceOf(event) ?? []).map((piece) => inStream(stream, piece));
      for (const event of events) for (const key of endedBy(event)) queue.end(`${stream} ${key}`);
      for (const released of queue.add({ bytes, text, isPlain, pieces }, pieces)) yield write(released, onFound);
    }
  }
  for (const released of queue.close()) yield write(released, onFound);
}

function inStream(stream: string, { key, text }: Piece): Piece {
  return { key: `${stream} ${key}`, text };
}

function write({ item, shown }: Released<Line>, onFound: (found: FoundSecret) => void): Uint8Array {
  const { bytes, text, isPlain, pieces } = item;
  if (isPlain) return shown[0] === text ? bytes : new TextEncoder().encode(shown[0]);
  const cut = new Map(
    pieces.flatMap(({ text: piece }, at) => (shown[at] === piece ? [] : [[piece, shown[at] ?? ''] as const])),
  );
  const whole = cut.size === 0 ? text : withoutPieces(text, cut);
  const result = withKeys(whole, redact(whole));
  if (result.found.length === 0 && whole === text) return bytes;
  result.found.forEach(onFound);
  if (parseJson(result.text) !== undefined) return new TextEncoder().encode(result.text);
  // A value that is no text was taken out of it: then the line is written anew.
  return new TextEncoder().encode(`${JSON.stringify(redactJson(parseJson(whole)).value)}\n`);
}

/** What is left of a line when a private key goes over several texts of it, as the rows of a patch: then the line is written anew. */
function withKeys(line: string, result: Redacted): Redacted {
  if (!line.includes('PRIVATE KEY') && !line.includes('SECRET KEY')) return result;
  const { value, found } = redactJson(JSON.parse(line));
  // A key is written with at least as many characters as it has: with fewer found, something was left.
  if (sizeOfKeys(result.found) >= sizeOfKeys(found)) return result;
  const again = redact(`${JSON.stringify(value)}${line.endsWith('\n') ? '\n' : ''}`);
  return { text: again.text, found: [...found, ...again.found] };
}

function sizeOfKeys(found: readonly FoundSecret[]): number {
  return found.reduce((sum, { kind, length }) => sum + (kind === 'private-key' ? length : 0), 0);
}

/** The line with these texts in it changed, wherever they stand. */
function withoutPieces(line: string, cut: ReadonlyMap<string, string>): string {
  let isFound = false;
  const value = JSON.parse(line, (_key, one) => {
    const shown = typeof one === 'string' ? cut.get(one) : undefined;
    if (shown === undefined) return one;
    isFound = true;
    return shown;
  });
  // An agent that writes its pieces in a way of its own: nothing of the line can be trusted to be harmless.
  if (!isFound) return `${JSON.stringify({ redacted: 'a part of a secret', bytes: line.length })}\n`;
  return `${JSON.stringify(value)}${line.endsWith('\n') ? '\n' : ''}`;
}
