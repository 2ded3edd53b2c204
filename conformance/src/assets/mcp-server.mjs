// A tiny tool server on stdin and stdout: one JSON-RPC message per line.
import { createInterface } from 'node:readline';

const schema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' }, size: { type: 'number' } },
};
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

// What was asked of the other side, and who waits for the answer.
const asked = new Map();
function ask(method, params) {
  const id = `ask-${asked.size + 1}`;
  write({ id, method, params });
  return new Promise((resolve) => asked.set(id, resolve));
}

const form = {
  type: 'object',
  properties: { depth: { type: 'number', title: 'Depth' } },
  required: ['depth'],
};

const tools = {
  add: ({ a, b }) => text(String(a + b)),
  read__level: () => text('The level is 4.'),
  fail: () => ({ ...text('The gauge is broken.'), isError: true }),
  big: ({ size }) => text('0123456789'.repeat(size / 10)),
  structured: () => ({ ...text('{"level":4}'), structuredContent: { level: 4 } }),
  picture: () => ({
    content: [
      { type: 'text', text: 'A dot:' },
      {
        type: 'image',
        data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        mimeType: 'image/png',
      },
    ],
  }),
  ask: async () => {
    const answer = await ask('elicitation/create', { message: 'How deep is it?', requestedSchema: form });
    return text(JSON.stringify(answer.result ?? answer.error));
  },
};

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'gauge', version: '1.0.0' },
  }),
  'tools/list': () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: `The tool ${name}.`,
      inputSchema: schema,
      annotations: { readOnlyHint: true },
    })),
  }),
  'tools/call': ({ name, arguments: input }) => tools[name](input),
  ping: () => ({}),
};

async function serve({ id, method, params }) {
  if (methods[method]) write({ id, result: await methods[method](params ?? {}) });
  else write({ id, error: { code: -32601, message: 'no such method' } });
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method === undefined) asked.get(message.id)?.(message);
  // A notification wants no answer; a call may wait for one of ours, so the loop does not wait for it.
  else if (message.id !== undefined) serve(message);
}
