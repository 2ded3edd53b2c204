// The server that the view has in its own process: on this machine alone, with the guard before everything, and with a token that is
// nowhere but in memory (T-01).

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect as openSocket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunInfo } from '@tailrace/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { connect } from '../../src/view/connect/own-server.ts';
import { call } from '../command.ts';
import { type Person, send, signIn } from '../serve/person.ts';
import { createPlace, type Place, until } from '../serve/served.ts';
import { expectLeft, missing, openTerminal, startView, type Terminal } from './tmux.ts';

interface Own {
  readonly place: Place;
  readonly port: number;
  readonly url: string;
  /** What the view shows itself with. */
  readonly token: string;
  code(): string | undefined;
  isAsked(): boolean | undefined;
}

/** The server as the view starts it, and the token that its own client sends. */
async function own(): Promise<Own> {
  const place = createPlace();
  for (const [name, value] of Object.entries(place.env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { client, url, serving, codes } = await connect({ version: '0.0.0', warn: () => {} });
  onTestFinished(async () => {
    client.close();
    await serving?.stop();
  });
  const asked = vi.spyOn(globalThis, 'fetch');
  await client.http.sessions();
  const token = new Headers(asked.mock.calls[0]?.[1]?.headers).get('authorization')?.replace('Bearer ', '') ?? '';
  asked.mockRestore();
  return {
    place,
    url,
    token,
    port: Number(new URL(url).port),
    code: () => codes.getSnapshot()?.text,
    isAsked: () => codes.getSnapshot()?.isAsked,
  };
}

test('[T-01] it listens on this machine alone', async () => {
  const { url, port } = await own();
  expect(url).toBe(`http://127.0.0.1:${port}`);
  const others = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  for (const { address } of others.filter((one) => one.address !== '127.0.0.1'))
    await expect(reaches(address, port), address).resolves.toBe(false);
  await expect(reaches('127.0.0.1', port)).resolves.toBe(true);
});

function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openSocket({ host, port, timeout: 5_000 });
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket
      .on('connect', () => end(true))
      .on('error', () => end(false))
      .on('timeout', () => end(false));
  });
}

test('[T-01] whoever has not its token is a stranger: every door is shut but the page and the typed code', async () => {
  const { url, port, token } = await own();
  const origin = { origin: url };
  const wrong = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  const strangers = [
    {},
    origin,
    { origin: 'null' },
    { authorization: 'Bearer ' },
    { authorization: `Bearer ${wrong}` },
    { authorization: `Bearer ${token} `, host: 'evil.example' },
    { authorization: `Basic ${token}` },
    { ...origin, cookie: `tailrace-${port}=${token}`, 'x-tailrace-key': token },
  ];
  const doors = ['/api/sessions', '/api/runs', '/api/health', '/api/projects', '/api/programs', '/api/settings', '/ws'];
  for (const headers of strangers)
    for (const path of doors) {
      const { status, text } = await send(port, path, headers);
      expect([401, 403], `${path} ${JSON.stringify(headers)}: ${status}`).toContain(status);
      expect(text).not.toContain(token);
    }
  for (const headers of strangers) {
    const { status } = await send(port, '/api/runs', headers, { project: 'p', prompt: 'x' });
    expect([401, 403]).toContain(status);
  }
  expect((await send(port, '/api/sessions', { authorization: `Bearer ${token}` })).status).toBe(200);
  // Even the right token is worth nothing by another name of the machine, or from another page.
  for (const more of [{ host: `localhost.evil:${port}` }, { origin: 'https://evil.example' }])
    expect((await send(port, '/api/sessions', { authorization: `Bearer ${token}`, ...more })).status).toBe(403);
});

test('[T-01] [T-28] its token and its code are in no file, in no page, in no environment and in no answer', async () => {
  const one = await own();
  const { port, token, place } = one;
  expect(token).toMatch(/^[\w-]{43}$/);
  const code = one.code() ?? '';
  expect(code).toMatch(/^[2-9A-HJ-NP-Z]{8}$/);
  const page = await send(port, '/', {});
  expect(page.status).toBe(200);
  const seen = [
    JSON.stringify(page),
    JSON.stringify(await send(port, '/api/health', {})),
    JSON.stringify(await send(port, '/api/sessions', { authorization: `Bearer ${token}` })),
    JSON.stringify(process.env),
    process.argv.join(' '),
    ...filesIn(place.folder),
  ].join('\n');
  expect(seen).toContain('server.json');
  for (const secret of [token, code]) expect(seen).not.toContain(secret);
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true }).flatMap((name) => {
    const path = join(folder, String(name));
    return statSync(path).isFile() ? [`${path}\n${readFileSync(path, 'latin1')}`] : [];
  });
}

test('two views have nothing in common', async () => {
  const first = (await own()).token;
  expect((await own()).token).not.toBe(first);
});

test('a code that is asked for is told, and is gone when somebody came in with it', async () => {
  const one = await own();
  expect(one.isAsked()).toBe(false);
  // The first one was made a moment ago.
  await until(async () => (await send(one.port, '/api/code', { origin: one.url }, {})).status === 204);
  expect(one.isAsked()).toBe(true);
  await signIn({ port: one.port, url: one.url, codes: () => [one.code() ?? ''] });
  expect(one.code()).toBeUndefined();
});

const curious = fileURLToPath(new URL('../serve/curious-agent.mjs', import.meta.url));

const waiting = async (person: Person): Promise<RunInfo | undefined> =>
  (await person.json<{ items: RunInfo[] }>('/api/runs')).items.find(({ requests }) => requests.length > 0);

/** Asks for a code as a page does, and reads it from the screen. */
async function comeIn(terminal: Terminal, port: number): Promise<Person> {
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await send(port, '/api/code', { origin: url }, {})).status === 204);
  const screen = await terminal.see(/Code: [2-9A-HJ-NP-Z]{8}/);
  const [, code = ''] = /Code: (\S{8})/.exec(screen) ?? [];
  return signIn({ port, url, codes: () => [code] });
}

test.skipIf(missing !== undefined)(
  `[T-01] in ${counts.agentSearchSeconds} s an agent of the view finds no way to answer itself; the person at the view can`,
  async () => {
    const place = createPlace();
    const file = join(place.project, 'report');
    place.script([['init'], ['prompt'], ['text', 'Hello.'], ['result']]);
    await call(['run', '--cwd', place.project, 'Say hello'], { env: place.env });
    const env = {
      ...place.env,
      TAILRACE_CLAUDE: curious,
      TAILRACE_LOG: 'debug',
      CURIOUS_SECONDS: String(counts.agentSearchSeconds),
      CURIOUS_DATA: place.home,
      CURIOUS_REPORT: file,
      CURIOUS_DIGEST: join(place.folder, 'digest'),
    };
    const terminal = openTerminal({ folder: place.folder, env });
    startView(terminal);
    await terminal.see('Say hello');
    const { url } = JSON.parse(readFileSync(join(place.home, 'server.json'), 'utf8')) as { url: string };
    const port = Number(new URL(url).port);
    const person = await comeIn(terminal, port);

    terminal.type('c');
    await terminal.see('what is to be done');
    terminal.type('Be curious');
    await terminal.see('▏ Be curious');
    terminal.press('Enter');
    await terminal.see('Bash: rm -rf everything');
    const asked = (await until(() => waiting(person))).requests[0];
    // It even knows what an answer has to carry; all that it lacks is the right.
    writeFileSync(env.CURIOUS_DIGEST, asked?.digest ?? '');
    const report = await until(() => {
      try {
        const found = JSON.parse(readFileSync(file, 'utf8'));
        return found.done || found.answers.length > 0 ? found : undefined;
      } catch {
        return undefined;
      }
    });
    expect(report).toMatchObject({ answers: [], ports: [port] });
    const kinds = Object.keys(report.statuses);
    expect(kinds.filter((kind) => !/ (401|403)$/.test(kind) && !/^POST code (204|429)$/.test(kind))).toEqual([]);
    expect(kinds).toEqual(expect.arrayContaining(['POST answer 401', 'POST answer 403', 'upgrade 401', 'upgrade 403']));
    const hay = readFileSync(`${file}.hay`, 'latin1');
    for (const secret of [person.cookie.split('=')[1] ?? '', person.headers['x-tailrace-key']])
      expect(hay).not.toContain(secret);

    terminal.type('a');
    await terminal.see('asks to use Bash');
    await until(() => {
      if (JSON.parse(readFileSync(file, 'utf8')).answers.length > 0) return true;
      terminal.type('n');
      return false;
    });
    const audit = readFileSync(join(place.home, 'audit.ndjson'), 'utf8').split('\n').filter(Boolean);
    expect(audit.map((line) => JSON.parse(line)).filter(({ action }) => action === 'answer')).toMatchObject([
      { result: 'done', caller: 'view' },
    ]);
    await until(() => {
      if (!terminal.state().isOther) return true;
      terminal.press('C-c');
      return false;
    });
    await expectLeft(terminal, 130);
  },
);
