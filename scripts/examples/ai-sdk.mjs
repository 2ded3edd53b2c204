import assert from 'node:assert/strict';

/** Somebody asks twice in a real browser, and `useChat` shows what the agent does; then somebody stops it. */
export async function checkAiSdk({ serve, openPage, agentGone, example }) {
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
  assert.equal((await fetch(`${url}/api/chat`, { method: 'POST', body: '{}' })).status, 404);
  assert.deepEqual(complaints, []);

  const slow = await serve('npm', ['start'], { cwd: example, env: { AGENT_SPEED: '0.1' } });
  await page.goto(slow.url);
  await say('Fix the flaky checkout test');
  await page.locator('section.assistant').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('status').getByText('ready').waitFor();
  await agentGone();
}
