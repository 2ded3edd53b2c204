// Two sessions beside each other, as two scripted agents left them.

import { expect } from 'vitest';
import { call } from '../../packages/cli/test/command.ts';
import { type Step, serve } from '../../packages/cli/test/serve/served.ts';
import { type AgentsPlace, createAgentsPlace } from './agents.ts';
import { browserTest, openBrowser } from './chromium.ts';
import { signInPage } from './signed-in.ts';
import { expectUsable } from './usable.ts';

async function ran(place: AgentsPlace, prompt: string, steps: readonly Step[]): Promise<void> {
  place.script([['init'], ['prompt'], ...steps]);
  expect((await call(['run', '--cwd', place.project, prompt], { env: place.env })).code).toBe(0);
}

browserTest('a session is compared with another that is chosen, by figures, files and words', async () => {
  const place = createAgentsPlace();
  await ran(place, 'Mend the mill wheel', [
    ['call', 'a', 'Bash', { command: 'ls' }],
    ['done', 'a', 'mill'],
    ['text', 'The wheel turns again.'],
    ['result', 'The wheel turns again.'],
  ]);
  await ran(place, 'Mend the mill wheel again', [
    ['call', 'a', 'Bash', { command: 'ls' }],
    ['done', 'a', 'mill'],
    ['call', 'b', 'Read', { file_path: 'mill' }],
    ['done', 'b', 'wheel'],
    ['text', 'The wheel stands still.'],
    ['result', 'The wheel stands still.'],
  ]);
  const page = await signInPage(await openBrowser(), await serve(place));
  await page.getByRole('link', { name: 'Mend the mill wheel', exact: true }).click();
  await page.getByRole('link', { name: 'Compare with another session' }).click();
  const second = page.getByRole('region', { name: 'Second session' });
  await second.getByRole('searchbox', { name: 'Find a session' }).fill('agian');
  await expectUsable(page, 'choosing');
  await second.getByRole('button', { name: /Mend the mill wheel again/ }).click();
  const figures = page.getByRole('region', { name: 'Figures' });
  const row = (name: string) => figures.getByRole('row', { name: new RegExp(`^${name}`) });
  await row('Calls').first().waitFor();
  expect(await row('Calls').first().getByRole('cell').allInnerTexts()).toEqual(['1', '2', '1 more (100 %)']);
  expect(await row('read').getByRole('cell').allInnerTexts()).toEqual(['0', '1', '1 more']);
  expect(await row('execute').getByRole('cell').allInnerTexts()).toEqual(['1', '1', '']);
  expect(await row('Outcome').getByRole('cell').allInnerTexts()).toEqual(['ended well', 'ended well', '']);
  const words = page.getByRole('region', { name: 'Last words' });
  await words.getByText('turns again').waitFor();
  expect(await words.locator('.underline').allTextContents()).toEqual(['turns', 'again', 'stands', 'still']);
  await expectUsable(page, 'compared');
  await page.getByRole('button', { name: 'Swap' }).click();
  await page.getByRole('region', { name: 'First session' }).getByText('Mend the mill wheel again').waitFor();
  expect(await row('Calls').first().getByRole('cell').allInnerTexts()).toEqual(['2', '1', '1 less (50 %)']);
  // The address alone leads to the same.
  await page.reload();
  await row('Calls').first().waitFor();
});

browserTest('a session that is not there is said, and another can be chosen', async () => {
  const page = await signInPage(await openBrowser(), await serve(), { path: '/compare?a=nothing' });
  const first = page.getByRole('region', { name: 'First session' });
  await first.getByText('This session cannot be shown').waitFor();
  await first.getByRole('button', { name: 'Choose another' }).click();
  await first.getByText('There is no other session yet.').waitFor();
});
