// Writes what an agent would print into a file, and a program that prints it: as quick as a program can be.

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A run of so many lines: an answer in pieces, and its result. The program prints it under the session's own id. */
export function writeAgent(folder, lines) {
  const file = join(folder, 'lines.ndjson');
  const program = join(folder, 'agent');
  const rows = [
    { type: 'system', subtype: 'init', session_id: 'SESSION', cwd: folder, model: 'm', tools: [], uuid: 'u-init' },
    event(
      {
        type: 'message_start',
        message: {
          id: 'msg-SESSION',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      'start',
    ),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'block'),
  ];
  for (let number = 0; rows.length < lines - 1; number++)
    rows.push(
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `word ${number} ` } }, number),
    );
  rows.push({
    type: 'result',
    subtype: 'success',
    is_error: false,
    session_id: 'SESSION',
    num_turns: 1,
    duration_ms: 1,
    total_cost_usd: 0.001,
    usage: { input_tokens: 1, output_tokens: 1 },
    result: 'done',
    uuid: 'u-result',
  });
  writeFileSync(file, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  // Its own id stands in the environment; the prompt is read, so that nobody's pipe breaks.
  writeFileSync(
    program,
    `#!/bin/sh\nread -r prompt\nexec sed "s/SESSION/$(cat /proc/sys/kernel/random/uuid)/g" "${file}"\n`,
  );
  chmodSync(program, 0o755);
  return program;
}

function event(value, name) {
  return {
    type: 'stream_event',
    event: value,
    session_id: 'SESSION',
    parent_tool_use_id: null,
    uuid: `u-SESSION-${name}`,
  };
}
