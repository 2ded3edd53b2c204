// What comes along when a page takes the client: not the schemas, nor the agents' translators, nor anything of Node.

import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

async function bundle(code: string): Promise<{ readonly modules: readonly string[]; readonly bytes: number }> {
  const built = await rolldown({
    input: 'page',
    platform: 'browser',
    external: ['react'],
    plugins: [
      {
        name: 'page',
        // As somebody would write it who has installed the packages.
        resolveId: (id) => (id === 'page' ? at('page.js') : undefined),
        load: (id) => (id === at('page.js') ? code : undefined),
      },
    ],
  });
  const { output } = await built.generate({ format: 'esm', minify: true });
  await built.close();
  const chunks = output.flatMap((one) => (one.type === 'chunk' ? [one] : []));
  return {
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    bytes: chunks.reduce((sum, one) => sum + gzipSync(one.code).length, 0),
  };
}

test.each([
  ['the client', "import { createClient } from '@tailrace/client'; createClient();", 8_000],
  [
    'the client with its hooks',
    "import * as client from '@tailrace/client'; import * as react from '@tailrace/client/react'; console.log(client, react);",
    25_000,
  ],
])('%s', async (_, code, limit) => {
  const { modules, bytes } = await bundle(code);
  expect(modules.some((id) => id.includes('/client/dist/'))).toBe(true);
  expect(modules.filter((id) => /node_modules\/zod|^node:|\/core\/dist\/agents\//.test(id))).toEqual([]);
  expect(bytes).toBeLessThan(limit);
});

test('the check would find the schemas', async () => {
  const { modules } = await bundle("import { frame } from '@tailrace/protocol'; console.log(frame);");
  expect(modules.some((id) => id.includes('node_modules/zod'))).toBe(true);
});
