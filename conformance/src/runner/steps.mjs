// The vocabulary of a scenario's steps. A step waits for what can be observed (`when` a line of stdout fits, `whenServer` the stand-in
// reports a moment, `whenFile` is there) and then acts (`send`, `open` a gate, `signal`, `create` a file, `pause`, `close`).
// An `optional` step may never be reached: the program may have ended by then.
// `remember` and `recall` keep a line by a name, for an answer that is not to come at once.

export const user = (content, { uuid, ...more } = {}) => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
  ...(uuid && { uuid }),
  ...more,
});

export const control = (requestIdentifier, subtype, more = {}) => ({
  type: 'control_request',
  request_id: requestIdentifier,
  request: { subtype, ...more },
});

export const initialize = () => control('host-initialize', 'initialize', { hooks: {} });

const answer = (line, response) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: line.request_id, response },
});

export const allow =
  (change = {}) =>
  (line) =>
    answer(line, { behavior: 'allow', updatedInput: { ...line.request.input, ...change } });
export const deny =
  (message, more = {}) =>
  (line) =>
    answer(line, { behavior: 'deny', message, ...more });

export const isInit = (line) => line.type === 'system' && line.subtype === 'init';
export const isResult = (line) => line.type === 'result';
export const isSystem = (subtype) => (line) => line.type === 'system' && line.subtype === subtype;
export const isToolResult = (line) =>
  line.type === 'user' &&
  Array.isArray(line.message.content) &&
  line.message.content.some((block) => block.type === 'tool_result');
export const hasBlock = (type) => (line) =>
  line.type === 'assistant' && line.message.content.some((block) => block.type === type);
export const isTextDelta = (line) => line.type === 'stream_event' && line.event.delta?.type === 'text_delta';
export const asksFor = (name) => (line) =>
  line.type === 'control_request' && line.request.subtype === 'can_use_tool' && line.request.tool_name === name;
export const answers = (requestIdentifier) => (line) =>
  line.type === 'control_response' && line.response.request_id === requestIdentifier;

export const held =
  (lane = 'main') =>
  (moment) =>
    moment.kind === 'held' && moment.lane === lane;
export const atGate = (name) => (moment) => moment.kind === 'gate' && moment.name === name;
export const requested =
  (number, lane = 'main') =>
  (moment) =>
    moment.kind === 'request' && moment.lane === lane && moment.number === number;

/** One prompt after the other, each when the result of the one before is there. */
export const turns = (...messages) =>
  messages
    .flatMap((message, index) => [
      ...(index ? [{ when: isResult }] : []),
      { send: typeof message === 'string' ? user(message) : message },
    ])
    .concat({ when: isResult });
