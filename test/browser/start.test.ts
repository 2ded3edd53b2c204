// A run is started from the page, in a real browser, with an agent that plays a script.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agents } from '@tailrace/core';
import { expect } from 'vitest';
import { serve } from '../../packages/cli/test/serve/served.ts';
import { createAgentsPlace } from './agents.ts';
import { browserTest, openBrowser } from './chromium.ts';
import { record } from './recorded.ts';
import { signInPage, typeCode } from './signed-in.ts';
import { expectUsable } from './usable.ts';

const TALKS = [['init'], ['prompt'], ['text', 'I look at it.'], ['until-stdin-ends']] as const;

browserTest('`n` leads to the form, which starts what was filled in, and to its session', async () => {
  const place = createAgentsPlace();
  mkdirSync(join(place.addProject('docs'), 'guide'), { recursive: true });
  place.script(TALKS);
  const page = await signInPage(await openBrowser(), await serve(place));
  await page.keyboard.press('n');
  const form = page.getByRole('form', { name: 'New run' });
  await form.waitFor();
  await expectUsable(page, 'start');
  await form.getByRole('combobox', { name: 'Project' }).click();
  await page.keyboard.type('dcos');
  await form.getByRole('option', { name: /^docs/ }).waitFor();
  await page.keyboard.press('Enter');
  await form.getByText(/\/root\/docs$/).waitFor();
  await form.getByRole('textbox', { name: 'Folder in it' }).fill('guide/');
  await form.getByRole('combobox', { name: 'Model' }).fill('opus');
  await form.getByRole('combobox', { name: 'Permissions' }).selectOption('plan');
  await form.getByRole('textbox', { name: 'Budget in dollars' }).fill('2.50');
  await form.getByRole('textbox', { name: 'What is to be done' }).fill('Write the guide\nof two lines');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('article', { name: 'answer' }).getByText('I look at it.').waitFor();
  await page.waitForURL(/\/sessions\/[0-9a-f-]{36}$/);
  const { argv } = place.told();
  expect(argv).toEqual(expect.arrayContaining(['--model=opus', '--permission-mode=plan', '--max-budget-usd=2.5']));
});

browserTest('however often it is pressed, one run is started', async () => {
  const place = createAgentsPlace();
  place.script(TALKS);
  const served = await serve(place);
  const page = await signInPage(await openBrowser(), served, { path: '/start' });
  await page.getByRole('textbox', { name: 'What is to be done' }).fill('Go');
  await page.evaluate(`(() => {
    const form = document.querySelector('form[aria-label="New run"]');
    for (let time = 0; time < 5; time++) form.requestSubmit();
  })()`);
  await page.getByRole('article', { name: 'answer' }).getByText('I look at it.').waitFor();
  expect(served.audit().filter(({ action }) => action === 'start')).toMatchObject([{ result: 'done' }]);
});

browserTest('a folder that brings code is shown first, and started when the person trusts it', async () => {
  const place = createAgentsPlace();
  place.script(TALKS);
  mkdirSync(join(place.project, '.claude'), { recursive: true });
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'echo brought' }] }] };
  writeFileSync(join(place.project, '.claude', 'settings.json'), JSON.stringify({ hooks }));
  const page = await signInPage(await openBrowser(), await serve(place), { path: '/start' });
  await page.getByRole('combobox', { name: 'Project' }).click();
  await page.keyboard.type('work');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'What is to be done' }).fill('Go');
  await page.getByRole('button', { name: 'Start' }).click();
  const dialog = page.getByRole('dialog', { name: 'This folder brings things that run' });
  await dialog.getByText('echo brought').waitFor();
  await dialog.getByRole('button', { name: 'Do not start' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(page.url()).toMatch(/\/start$/);
  await page.getByRole('button', { name: 'Start' }).click();
  await dialog.getByRole('button', { name: 'Trust it and start' }).click();
  await page.getByRole('article', { name: 'answer' }).getByText('I look at it.').waitFor();
});

browserTest('what is wrong is said in a sentence', async () => {
  const place = createAgentsPlace();
  const page = await signInPage(await openBrowser(), await serve(place), { path: '/start' });
  const start = page.getByRole('button', { name: 'Start' });
  const alert = page.getByRole('alert');
  await start.click();
  await alert.getByText('Say what is to be done.').waitFor();
  await page.getByRole('textbox', { name: 'What is to be done' }).fill('Go');
  await page.getByRole('textbox', { name: 'Folder in it' }).fill('nowhere');
  await start.click();
  await alert.getByText('There is no such folder in the project.').waitFor();
  await page.getByRole('textbox', { name: 'Folder in it' }).fill('');
  await page.getByRole('combobox', { name: 'Agent' }).selectOption('goose');
  // It takes no such thing.
  await page.getByRole('textbox', { name: 'Budget in dollars' }).waitFor({ state: 'detached' });
  await start.click();
  await alert.getByText(/goose/).waitFor();
});

browserTest('who has no project is told how to get one', async () => {
  const page = await (await openBrowser()).newPage();
  const served = await serve();
  // A server without roots, on a machine where no agent has worked yet.
  await page.route('**/api/projects', (route) => route.fulfill({ json: { items: [] } }));
  await page.goto(`${served.url}/start`);
  await typeCode(page, served.codes()[0] ?? '');
  await page.getByText('tailrace serve --root DIR', { exact: true }).waitFor();
  await expectUsable(page, 'no projects');
});

browserTest('a copy goes on from before any prompt of a session, and the session stays', async () => {
  const place = createAgentsPlace();
  const [session, first, answer, second] = ['a', 'b', 'c', 'd'].map(
    (end) => `11111111-2222-4333-8444-00000000000${end}`,
  );
  const tail = { session_id: session };
  const asked = (uuid: string | undefined, content: string): object => ({
    type: 'user',
    uuid,
    isReplay: true,
    message: { role: 'user', content },
    ...tail,
  });
  const printed = [
    { type: 'system', subtype: 'init', cwd: place.project, model: 'fake-1', tools: [], ...tail },
    asked(first, 'First'),
    asked(second, 'Second'),
    { type: 'result', subtype: 'success', is_error: false, result: 'ok', num_turns: 2, usage: {}, ...tail },
  ];
  await record(place, Buffer.from(printed.map((line) => `${JSON.stringify(line)}\n`).join('')));
  // What the agent itself keeps of it, in the place that belongs to the folder.
  const file = join(place.folder, 'claude', agents[0]?.transcripts?.fileOf(session ?? '', place.project) ?? '');
  mkdirSync(dirname(file), { recursive: true });
  const kept = [
    { type: 'user', uuid: first, parentUuid: null, message: { role: 'user', content: 'First' } },
    { type: 'assistant', uuid: answer, parentUuid: first, message: { role: 'assistant', content: [] } },
    { type: 'user', uuid: second, parentUuid: answer, message: { role: 'user', content: 'Second' } },
  ];
  writeFileSync(file, kept.map((line) => `${JSON.stringify({ ...line, sessionId: session })}\n`).join(''));
  place.script(TALKS);
  const served = await serve(place);
  const page = await signInPage(await openBrowser(), served, { path: `/sessions/${session}` });
  await page.getByRole('button', { name: 'fork… from before: Second' }).click();
  const dialog = page.getByRole('dialog', { name: 'Go on from before this prompt' });
  await dialog.getByRole('textbox', { name: 'Message to go on with from there' }).fill('Another way');
  await page.keyboard.press('Enter');
  await page.getByRole('article', { name: 'answer' }).getByText('I look at it.').waitFor();
  expect(place.told().argv).toEqual(
    expect.arrayContaining([`--resume=${session}`, '--fork-session', `--resume-session-at=${answer}`]),
  );
  expect(page.url()).not.toContain(session);
});
