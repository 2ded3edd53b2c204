// A whole server in a process of its own, for tests that weigh it. It says where it is and its code; asked by a message, it says what it holds.
// Words: the data folder.

import { join } from 'node:path';
import { openStore } from '@tailrace/store';
import { startServer } from '../../src/server.ts';

const [folder = ''] = process.argv.slice(2);
const store = await openStore({ file: join(folder, 'tailrace.db') });
let code = '';
const server = await startServer({
  store,
  folder,
  version: '1.2.3',
  onCode: (one) => {
    code = one;
  },
  onError: (error) => process.stderr.write(`${String(error)}\n`),
});
process.on('message', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, held: heapUsed + external, ...server.counts });
});
process.on('disconnect', () => process.exit());
process.send?.({ url: server.url, code });
