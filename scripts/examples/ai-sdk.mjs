import assert from 'node:assert/strict';
import { checkSlowReader } from './slow-reader.mjs';

/** Somebody asks twice in a real browser, and `useChat` shows what the agent does and asks; somebody refuses, somebody stops it,
 * somebody is slow, and strangers are refused. */
export async function checkAiSdk(stage) {
  const { serve, openPage, agentGone, example } = stage;
  const { url } = await serve('npm', ['start'], { cwd: example });
  const { page, complaints } = await openPage(url);
  const say = async (text) => {
    await page.getByLabel('A message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };

  await say('Fix the flaky checkout test');
  const answer = page.locator('section.assistant').first();
  await answer.getByText(/\$0\.\d+ · \d+ in/).waitFor();
  await page.getByRole('status').getByText('ready').waitFor();
  assert((await answer.locator('p').allInnerTexts()).join('\n').length > 100);
  assert((await answer.locator('summary').allInnerTexts()).some((line) => /ok$/.test(line)));

  await say('And once more');
  await page.locator('section.assistant').nth(1).waitFor();
  await page.getByRole('status').getByText('ready').waitFor();
  assert.equal(await page.locator('section').count(), 4);

  await page.goto(url);
  await say('Clean the build folder and build again');
  await page.getByText('waiting for you').first().waitFor();
  assert((await page.locator('details[open] pre').allInnerTexts()).join().includes('"command"'));
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.locator('summary', { hasText: /denied$/ }).waitFor();
  await page.getByRole('status').getByText('ready').waitFor();

  const post = (path, headers, body) =>
    fetch(`${url}${path}`, { method: 'POST', headers, body }).then(({ status }) => status);
  const isJson = { 'content-type': 'application/json' };
  assert.equal(await post('/api/chat', {}, '{}'), 403);
  assert.equal(await post('/api/chat', { ...isJson, origin: 'https://elsewhere.example' }, '{}'), 403);
  assert.equal(await post('/api/chat', isJson, 'no JSON'), 400);
  assert.equal(await post('/api/chat', isJson, '{}'), 400);
  assert.equal(await post('/api/chat', { 'content-type': 'application/json; charset=utf-8' }, '{}'), 400);
  assert.equal(await post('/api/chat', { 'content-type': 'application/json-seq' }, '{}'), 403);
  assert.equal(await post('/api/chat', isJson, JSON.stringify('x'.repeat(17 * 1024 * 1024))), 413);
  const wish = { role: 'user', parts: [{ type: 'text', text: 'Go on' }] };
  for (const sessionId of ['../../etc', '--fork-session', '', null, 5]) {
    const messages = [{ role: 'assistant', parts: [], metadata: { sessionId } }, wish];
    assert.equal(await post('/api/chat', isJson, JSON.stringify({ messages })), 400, `resumes ${sessionId}`);
  }
  assert.equal(await post('/api/answer', isJson, '{"requestId":"none"}'), 404);
  assert.deepEqual(complaints, []);

  // Whatever it asks is shown with what it is about, and can be answered: a call that is not in the chat, and one call twice.
  const asking = await serve('npm', ['start'], { cwd: example, env: { AGENT_ASKS: '1' } });
  await page.goto(asking.url);
  await say('Do it');
  for (const [input, button] of [
    ['echo unseen', 'Allow once'],
    ['echo told', 'Allow once'],
    ['echo another', 'Deny'],
  ]) {
    const asked = page.locator('details[open]', { hasText: input });
    await asked.getByText('waiting for you').waitFor();
    await asked.getByRole('button', { name: button }).click({ timeout: 10_000 });
  }
  await page.getByText('Half of an').waitFor();
  await page.getByText('It was stopped before it was done.').waitFor({ timeout: 10_000 });
  await page.getByRole('status').getByText('ready').waitFor();

  await checkSlowReader(stage, '/api/chat', JSON.stringify({ messages: [wish] }));

  const slow = await serve('npm', ['start'], { cwd: example, env: { AGENT_SPEED: '0.1' } });
  await page.goto(slow.url);
  await say('Fix the flaky checkout test');
  await page.locator('section.assistant').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('status').getByText('ready').waitFor();
  await agentGone();
}
