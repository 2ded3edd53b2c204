import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createConversation, decode, partsOf, reduce } from '@tailrace/core';

/** A capture is opened in a real browser; then a run is watched that a `tailrace serve` tells of. */
export async function checkPlainBrowser({ run, serve, openPage, command, root, example }) {
  const capture = join(root, 'fixtures/claude/2.1.325/partial-messages.ndjson');
  const tailrace = await serve(process.execPath, [command, 'serve', '--port', '0', '--no-open', '--no-watch']);
  const token = await makeToken(tailrace);
  const { url } = await serve('npm', ['start'], {
    cwd: example,
    env: { TAILRACE_URL: tailrace.url, TAILRACE_TOKEN: token },
  });

  const { page, complaints } = await openPage(url);
  await page.getByLabel('a capture').setInputFiles(capture);
  await page.getByRole('status').getByText('partial-messages.ndjson', { exact: true }).waitFor();
  const { stdout } = await run(process.execPath, [command, 'summary', capture, '--json']);
  const { text, toolCalls } = JSON.parse(stdout);
  await page.locator('main').getByText(text).waitFor();
  assert.equal((await page.locator('main summary', { hasText: toolCalls[0].name }).count()) > 0, true);

  await page.reload();
  await page.getByRole('button', { name: 'Watch' }).click();
  await page.getByRole('status').getByText('watching').waitFor();
  const { stdout: printed } = await run(process.execPath, [command, 'replay', capture, '--speed', '0']);
  await run(process.execPath, [command, 'view', '--record'], { input: printed });
  await page.locator('main').getByText(text).waitFor();

  // Until the agent tells its session, the run's own id stands for it: nothing of before is lost by that.
  await run(process.execPath, [command, 'run', '--json', 'Fix the flaky checkout test']);
  const { stdout: kept } = await run(process.execPath, [command, 'sessions', '--json']);
  const { id } = JSON.parse(kept).find(({ title }) => title?.includes('checkout'));
  const { stdout: stored } = await run(process.execPath, [command, 'export', id, '--ndjson']);
  const events = await readAll(decode(new Blob([stored])));
  const parts = partsOf(events.reduce(reduce, createConversation()));
  const folded = parts.filter(({ type, text }) => type === 'call' || (type === 'reasoning' && text));
  await page.locator('main .prompt', { hasText: 'Fix the flaky checkout test' }).waitFor();
  await page
    .locator('main details')
    .nth(folded.length - 1)
    .waitFor();
  assert.equal(await page.locator('main details').count(), folded.length);
  assert.deepEqual(complaints, []);
}

async function readAll(source) {
  const all = [];
  for await (const one of source) all.push(one);
  return all;
}

/** Signs in with the code, and makes a token that may read. */
async function makeToken({ url, output, child }) {
  const code = () => output.stdout.split('\n')[1];
  while (!code()) await new Promise((resolve) => child.stdout.once('data', resolve));
  const headers = { 'content-type': 'application/json', origin: url };
  const post = (path, body, more) =>
    fetch(`${url}${path}`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const entered = await post('/api/sign-in', { code: code() });
  assert.equal(entered.ok, true, `signing in: ${entered.status}`);
  const { key } = await entered.json();
  const [signedIn] = entered.headers.getSetCookie().map((one) => one.split(';')[0]);
  const made = await post(
    '/api/programs',
    { name: 'example', rights: ['read'] },
    { cookie: signedIn, 'x-tailrace-key': key },
  );
  return (await made.json()).token;
}
