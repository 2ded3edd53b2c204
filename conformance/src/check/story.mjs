// What a capture itself tells, read in the plainest way: no state machine, only lists that a check can look things up in.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parsed } from './values.mjs';

const metaEnd = '.meta.json';

export const captureNames = (folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(metaEnd))
    .map((file) => file.slice(0, -metaEnd.length))
    .sort();

const threadOf = (line) => line.parent_tool_use_id ?? null;

/** The blocks of whole messages. */
function printedBlocks(lines) {
  return lines
    .filter((line) => line.type === 'assistant')
    .flatMap((line) =>
      line.message.content.map((block) => ({
        ...block,
        messageId: line.message.id,
        thread: threadOf(line),
        synthetic: line.message.model === '<synthetic>',
      })),
    );
}

/** The blocks of partial messages, put together from their deltas; `whole` when the end of the block was seen. */
function streamedBlocks(lines) {
  const found = [];
  const open = new Map();
  const messages = new Map();
  for (const line of lines) {
    if (line.type !== 'stream_event') continue;
    const { event } = line;
    const thread = threadOf(line);
    if (event.type === 'message_start') messages.set(thread, event.message.id);
    const place = `${thread} ${event.index}`;
    if (event.type === 'content_block_start') {
      const block = { ...event.content_block, messageId: messages.get(thread), thread, whole: false };
      found.push(block);
      open.set(place, block);
    }
    const block = open.get(place);
    if (!block) continue;
    if (event.delta?.type === 'text_delta') block.text += event.delta.text;
    if (event.delta?.type === 'thinking_delta') block.thinking += event.delta.thinking;
    if (event.type === 'content_block_stop') block.whole = true;
  }
  return found;
}

function toolResults(lines) {
  return lines
    .filter((line) => line.type === 'user' && Array.isArray(line.message.content))
    .flatMap((line) =>
      line.message.content
        .filter((block) => block.type === 'tool_result')
        .map((block) => ({
          id: block.tool_use_id,
          thread: threadOf(line),
          failed: block.is_error === true,
          output: line.tool_use_result,
          about: line.tool_result_meta?.find((item) => item.id === block.tool_use_id),
        })),
    );
}

const system = (lines, subtype) => lines.filter((line) => line.type === 'system' && line.subtype === subtype);

// A turn begins with its own init and ends with its result; what comes after the last result belongs to a turn that never ended.
function lastTurnIsOpen(lines, inits, results) {
  const after = lines.slice(lines.findLastIndex((line) => line.type === 'result') + 1);
  return (
    inits.length > results.length ||
    after.some((line) => ['assistant', 'stream_event'].includes(line.type) && !threadOf(line))
  );
}

export function readStory(folder, name) {
  const meta = JSON.parse(readFileSync(join(folder, `${name}${metaEnd}`), 'utf8'));
  const file = join(folder, meta.stdout_file);
  const stored = readFileSync(file);
  const bytes = file.endsWith('.gz') ? gunzipSync(stored) : stored;
  const rows = bytes
    .toString('utf8')
    .split('\n')
    .filter((row) => row.trim());
  const values = rows.map(parsed);
  const lines = values.filter(Boolean).map(({ value }) => value);
  const results = lines.filter((line) => line.type === 'result');
  const inits = system(lines, 'init');
  const printed = printedBlocks(lines);
  const streamed = streamedBlocks(lines);
  return {
    name,
    meta,
    expected: meta.expected,
    file,
    bytes,
    rowCount: rows.length,
    cutOff: values.at(-1) === null && bytes.at(-1) !== 10,
    lines,
    results,
    inits,
    open: lastTurnIsOpen(lines, inits, results),
    printed,
    streamed,
    blocks: [...printed, ...streamed],
    toolResults: toolResults(lines),
    deniedIds: new Set(results.flatMap((result) => (result.permission_denials ?? []).map((item) => item.tool_use_id))),
    system: (subtype) => system(lines, subtype),
  };
}
