// The renderer half of the desktop bridge in a real browser, against the main half, with an agent that plays recordings.

import { expect } from 'vitest';
import { browserTest, openBrowser } from './chromium.ts';
import { startElectronApp } from './electron-app.ts';
import { expectUsable } from './usable.ts';

const PROMPT = 'Clean the build folder and build again';

browserTest(
  '[G-13] a prompt is sent, the permission is shown whole and allowed, the answer streams, the cost is told',
  async () => {
    const { page, preferences, quit } = await startElectronApp(await openBrowser());
    expect(preferences).toMatchObject({ contextIsolation: true, sandbox: true, nodeIntegration: false });
    await page.getByRole('textbox', { name: 'Message' }).fill(PROMPT);
    await page.getByRole('button', { name: 'Send' }).click();
    const request = page.getByRole('region', { name: 'The agent asks' });
    await request.getByText('rm -rf build/ && npm run build', { exact: true }).waitFor();
    await page.getByText('waiting for you').waitFor();
    await expectUsable(page, 'the chat with a permission');
    await request.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('Done: the folder was removed and built again.').waitFor();
    await page.getByText(/^Bash .*rm -rf build.* · ok$/).waitFor();
    await page
      .getByRole('banner')
      .getByText(/^\$0\.\d+$/)
      .waitFor();
    await request.waitFor({ state: 'detached' });
    await page.getByRole('banner').getByText('idle').waitFor();

    // The run waits for more; the button ends it, and what is asked then goes on in another process.
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('banner').getByText('idle').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Stop' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Message' }).fill('Fix the flaky checkout test');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('article').nth(1).getByText(/\w/).nth(1).waitFor();
    await quit();
  },
);

browserTest('a question is answered with what was chosen', async () => {
  const { page } = await startElectronApp(await openBrowser());
  await page.getByRole('textbox', { name: 'Message' }).fill('Rewrite the install guide');
  await page.getByRole('button', { name: 'Send' }).click();
  const question = page.getByRole('form', { name: 'The agent asks' });
  await question.getByRole('combobox').selectOption('Container');
  await expectUsable(page, 'the chat with a question');
  await question.getByRole('button', { name: 'Answer', exact: true }).click();
  await page.getByText('In a container first, then.').waitFor();
  await question.waitFor({ state: 'detached' });
});

browserTest('[T-22] a frame in the page can do nothing, and the page opens only what is of the web', async () => {
  const { page, opened } = await startElectronApp(await openBrowser());
  const said = await page.evaluate(async () => {
    type Page = Window & { tailrace: { runs(): Promise<unknown>; openExternal(address: object): Promise<unknown> } };
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const ask = (of: Window | null, act: (page: Page) => Promise<unknown>): Promise<unknown> =>
      act(of as Page).then(
        (value) => value ?? 'done',
        (error: Error) => error.message,
      );
    return [
      await ask(window, ({ tailrace }) => tailrace.runs()),
      await ask(frame.contentWindow, ({ tailrace }) => tailrace.runs()),
      await ask(window, ({ tailrace }) => tailrace.openExternal({ url: 'https://example.com/a' })),
      await ask(window, ({ tailrace }) => tailrace.openExternal({ url: 'file:///etc/passwd' })),
    ];
  });
  expect(said).toEqual([
    [],
    'this page may not ask for that',
    'done',
    'only addresses of the web are opened: http and https',
  ]);
  expect(opened).toEqual(['https://example.com/a']);
});
