// Lines of a partial message, each a piece of one long answer.

const SESSION = 'a0000000-0000-4000-8000-000000000001';

/** `count` lines from a number on; the first of all begin the answer. */
export function deltaLines(from, count) {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return line(
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: `word ${number} of a long answer, ` },
      },
      number,
    );
  });
}

/** What has to come before the pieces. */
export function beginningLines() {
  return [
    JSON.stringify({
      type: 'system',
      subtype: 'init',
      session_id: SESSION,
      cwd: '/bench',
      model: 'm',
      tools: [],
      uuid: 'u-init',
    }),
    line(
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      'start',
    ),
    line({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'block'),
  ];
}

function line(event, name) {
  return JSON.stringify({
    type: 'stream_event',
    event,
    session_id: SESSION,
    parent_tool_use_id: null,
    uuid: `u-${name}`,
  });
}
