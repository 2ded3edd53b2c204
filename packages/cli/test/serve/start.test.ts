// `tailrace serve` when it starts: what it says, where it listens, and that there is one for each data folder.

import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { call } from '../command.ts';
import { send, signIn } from './person.ts';
import { begin, createPlace, type Place, type Served, serve, until } from './served.ts';

const AT_ONCE = 10;

test('the first line tells the address, the second is the code alone', async () => {
  const { output, url } = await serve();
  expect(output.stdout).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\n[2-9A-HJ-NP-Z]{8}\n$/);
  expect(output.stderr).toBe('');
  expect(url).not.toMatch(/[?#]/);
});

test('it listens on loopback alone', async () => {
  const { port } = await serve();
  // A name of the machine itself that is not loopback would be another address of it.
  const other = createServer();
  onTestFinished(() => void other.close());
  await new Promise<void>((resolve, reject) => {
    other.once('error', reject).listen(port, '127.0.0.2', resolve);
  });
});

test('a port that is taken gives another one, and says so', async () => {
  const other = createServer();
  onTestFinished(() => void other.close());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const served = await serve(createPlace(), { words: ['--port', String(port)] });
  expect(served.port).not.toBe(port);
  await until(() => served.output.stderr.includes(`port ${port} is taken`));
  expect((await send(served.port, '/', {})).status).toBe(200);
});

test.each(['x', '-1', '65536', '1e3', ''])('--port "%s" is wrong usage', async (port) => {
  const { code, stderr } = await call(['serve', `--port=${port}`, '--no-open'], { env: createPlace().env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('is no port')]);
});

test('a root that is no folder is wrong usage', async () => {
  const { code, stderr } = await call(['serve', '--root', '/nowhere', '--no-open'], { env: createPlace().env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('is no folder')]);
});

test('a second start says where the first one is', async () => {
  const first = await serve();
  const second = begin(first);
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.output).toEqual({
    stdout: '',
    stderr: `tailrace: a server for this data folder is there already: ${first.url}\n`,
  });
  // The first one goes on.
  expect((await signIn(first)).cookie).not.toBe('');
});

test(`of ${AT_ONCE} who start at once exactly one serves, and the others say so`, async () => {
  const place = createPlace();
  await expectOne(place);
});

test(`also after a server that was killed, ${counts.serverKills} times`, async () => {
  const place = createPlace();
  let one = await serve(place);
  for (let count = 0; count < counts.serverKills; count++) {
    one.child.kill('SIGKILL');
    await one.ended;
    one = await expectOne(place);
  }
  one.child.kill('SIGTERM');
  await one.ended;
  expect(signsIn(place)).toEqual([]);
});

test.each([
  ['nothing', ''],
  ['half a sign', '{"token":"x","pid":'],
  ['something else', '[1]'],
])('a sign that holds %s is nobody’s', async (_name, text) => {
  const place = createPlace();
  const first = await serve(place);
  first.child.kill('SIGKILL');
  await first.ended;
  writeFileSync(join(place.home, 'server.json'), text);
  const second = await serve(place);
  expect(signsIn(place)).toEqual(['server.json']);
  const third = begin(place);
  expect(await third.ended).toMatchObject({ code: 1 });
  expect(third.output.stderr).toContain(second.url);
});

/** Starts some at once; gives the one that serves. */
async function expectOne(place: Place): Promise<Served> {
  const all = Array.from({ length: AT_ONCE }, () => begin(place));
  const outcomes = all.map(async (one) => {
    const ending = await Promise.race([one.ended, until(() => one.codes().length > 0)]);
    return { one, ending: typeof ending === 'object' ? ending : undefined };
  });
  const settled = await Promise.all(outcomes);
  const [winner, ...more] = settled.filter(({ ending }) => ending === undefined);
  expect(more).toEqual([]);
  for (const { one, ending } of settled) {
    if (!ending) continue;
    expect([ending.code, one.output.stdout]).toEqual([1, '']);
    expect(one.output.stderr).toMatch(/^tailrace: a server for this data folder is there already: (http|starting)/m);
  }
  const port = Number(/:(\d+)\n/.exec(winner?.one.output.stdout ?? '')?.[1]);
  return { ...(winner?.one as Served), port, url: `http://127.0.0.1:${port}` };
}

/** What there is of signs of servers. */
function signsIn({ home }: Place): readonly string[] {
  return readdirSync(home).filter((name) => name.startsWith('server.json'));
}
