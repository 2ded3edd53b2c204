// Reads a file as a stream in one way, holds on to nothing, and prints the most memory the process ever had.

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { sdkMessages } from '../parse/contenders.mjs';

const { contender, path, expected, core } = JSON.parse(process.argv[2]);

const ways = {
  async node() {
    return expected.lines;
  },
  async read() {
    let lines = 0;
    for await (const chunk of createReadStream(path)) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
    }
    return lines;
  },
  readline() {
    return new Promise((resolve) => {
      let lines = 0;
      createInterface({ input: createReadStream(path), crlfDelay: Infinity })
        .on('line', (line) => {
          if (JSON.parse(line).type) lines++;
        })
        .on('close', () => resolve(lines));
    });
  },
  async sdk() {
    let lines = 0;
    for await (const message of sdkMessages(createReadStream(path))) if (message.type) lines++;
    return lines;
  },
  // As the command reads a file: always into the same buffer, which a decoder allows and a stream does not.
  async tailrace() {
    const { createDecoder } = await import(pathToFileURL(core));
    const decoder = createDecoder({ agent: 'claude', maxLineBytes: 256 * 1024 * 1024 });
    const file = await open(path);
    const buffer = Buffer.allocUnsafeSlow(64 * 1024);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) break;
      decoder.feed(buffer.subarray(0, bytesRead));
    }
    await file.close();
    decoder.end({ code: 0 });
    return decoder.stats.lines;
  },
};

const lines = await ways[contender]();
if (lines !== expected.lines) throw new Error(`${contender} read ${lines} of ${expected.lines} lines`);
process.stdout.write(`${JSON.stringify({ megabytes: process.resourceUsage().maxRSS / 1024 })}\n`);
