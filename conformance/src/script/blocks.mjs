// The blocks a scripted answer is made of. Each knows its whole form (`block`), how it opens (`start`) and its pieces (`deltas`).
import { toolIdentifier } from './identifiers.mjs';
import { isMark } from './marks.mjs';

// By code point, so that a character is split over two pieces only where a scenario asks for it.
function split(whole, size) {
  const characters = [...whole];
  const pieces = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}

const pieceSize = (whole) => Math.max(12, Math.ceil(whole.length / 40));
const piecesOf = (content) => (Array.isArray(content) ? content : split(content, pieceSize(content)));
const joined = (pieces) => pieces.filter((piece) => !isMark(piece)).join('');
const deltasOf = (pieces, make) => pieces.map((piece) => (isMark(piece) ? piece : make(piece)));

/** A text, as one string or as the pieces (and marks) it is to be sent in. */
export function text(content, { citations } = {}) {
  const pieces = piecesOf(content);
  const whole = joined(pieces);
  return {
    block: { type: 'text', text: whole, ...(citations && { citations }) },
    start: { type: 'text', text: '', ...(citations && { citations: [] }) },
    deltas: [
      ...deltasOf(pieces, (piece) => ({ type: 'text_delta', text: piece })),
      ...(citations ?? []).map((citation) => ({ type: 'citations_delta', citation })),
    ],
  };
}

export function thinking(content, { signature = 'c2lnbmF0dXJl' } = {}) {
  const pieces = piecesOf(content);
  return {
    block: { type: 'thinking', thinking: joined(pieces), signature },
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...deltasOf(pieces, (piece) => ({
        type: 'thinking_delta',
        thinking: piece,
        estimated_tokens: Math.ceil(piece.length / 4),
      })),
      { type: 'signature_delta', signature },
    ],
  };
}

/**
 * A tool call. `success` is what the scenario intends: true, false, or null where the call never comes to an end.
 * `pieces` replaces the pieces of the input's JSON, for input that is broken or interrupted on purpose.
 */
export function tool(name, input, { id = toolIdentifier(), success = true, pieces } = {}) {
  const sent = pieces ?? ['', ...split(JSON.stringify(input), pieceSize(JSON.stringify(input)))];
  return {
    block: { type: 'tool_use', id, name, input },
    start: { type: 'tool_use', id, name, input: {} },
    deltas: deltasOf(sent, (piece) => ({ type: 'input_json_delta', partial_json: piece })),
    success,
  };
}

export function serverTool(name, input, { id }) {
  return {
    block: { type: 'server_tool_use', id, name, input },
    start: { type: 'server_tool_use', id, name, input: {} },
    deltas: split(JSON.stringify(input), 12).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  };
}

/** A block that comes in one piece, whatever its type: results of server tools, redacted thinking, types nobody knows. */
export const whole = (block) => ({ block, start: block, deltas: [] });

/** A sub-agent's marker word is the first word of its prompt; the stand-in knows the sub-agent by it. */
export const agent = (lane, task, { background = false, type = 'general-purpose', ...options } = {}) =>
  tool(
    'Agent',
    { description: `Work of ${lane}`, prompt: `${lane}: ${task}`, subagent_type: type, run_in_background: background },
    options,
  );
