// The client on the protocol's page is one that can be pasted: it is run here as it stands there.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '@tailrace/store';
import { expect, test } from 'vitest';
import { startServer, type TailraceServer } from '../../src/server.ts';
import { recordedRuns } from '../feed/recordings.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const page = readFileSync(join(root, 'docs/protocol.md'), 'utf8');
const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

test('it has about twenty lines', () => {
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(24);
});

test('it prints what agents do, and goes on where it was when the server comes again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-page-'));
  const store = await openStore({ file: join(folder, 'tailrace.db') });
  let child: ChildProcess | undefined;
  let server: TailraceServer | undefined;
  const start = (port: number): Promise<TailraceServer> =>
    startServer({
      store,
      folder,
      port,
      version: '0',
      onCode() {},
      authorize: ({ authorization }) =>
        authorization === 'Bearer secret' ? { kind: 'host', id: 'test', rights: new Set(['read']) } : undefined,
    });
  try {
    server = await start(0);
    const { port, url } = server;
    let printed = '';
    child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      cwd: root,
      env: { PATH: process.env['PATH'], TAILRACE_URL: url, TAILRACE_TOKEN: 'secret' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout?.on('data', (chunk) => {
      printed += String(chunk);
    });
    const messages = (): { type: string }[] =>
      printed
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    const count = (type: string): number => messages().filter((message) => message.type === type).length;
    await until(() => count('live') === 1);
    const [one, other] = recordedRuns.filter(({ name }) => ['basic-text', 'ask-user-question'].includes(name));
    await append(one?.name ?? '', one?.lines ?? []);
    server.wake();
    await until(() => count('agent_output') > 0);
    const before = count('agent_output');
    await server.close();
    await append(other?.name ?? '', other?.lines ?? []);
    server = await start(port);
    await until(() => count('live') === 2);
    await until(() => count('agent_output') > before);
    // What was printed before is not printed again.
    const outputs = messages()
      .filter(({ type }) => type === 'agent_output')
      .map((message) => JSON.stringify(message));
    expect(new Set(outputs).size).toBe(outputs.length);
  } finally {
    child?.kill();
    await server?.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }

  async function append(name: string, lines: Parameters<typeof store.record.append>[2]): Promise<void> {
    const lease = await store.record.claim(`run:${name}`, { kind: 'run', agent: 'claude' });
    await store.record.append(`run:${name}`, 1, lines);
    await lease.release();
  }
});

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`it does not come about: ${String(condition)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
