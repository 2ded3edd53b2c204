// Only decodes: `node decode.mjs CORE FILE`. Reads as the command does.

import { open } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const [core, path] = process.argv.slice(2);
const { createDecoder } = await import(pathToFileURL(core));
const decoder = createDecoder({ maxLineBytes: 64 * 1024 * 1024 });
const buffer = Buffer.allocUnsafeSlow(256 * 1024);
const file = await open(path);
let events = 0;
for (;;) {
  const { bytesRead } = await file.read(buffer, 0, buffer.length);
  if (bytesRead === 0) break;
  events += decoder.feed(buffer.subarray(0, bytesRead)).length;
}
await file.close();
events += decoder.end().length;
if (events === 0) throw new Error(`${path} has no events`);
