// A tiny tool server on stdin and stdout: one JSON-RPC message per line.
import { createInterface } from 'node:readline';

const schema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' }, size: { type: 'number' } },
};
const text = (value) => ({ content: [{ type: 'text', text: value }] });

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

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = methods[method]
    ? { result: methods[method](params ?? {}) }
    : { error: { code: -32601, message: 'no such method' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}
