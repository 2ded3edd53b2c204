// What was used, in a real browser: every figure is the one that the command tells.

import { readFileSync } from 'node:fs';
import { showCost } from '@tailrace/core';
import type { UsageAnswer } from '@tailrace/protocol';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { call } from '../../packages/cli/test/command.ts';
import type { Served } from '../../packages/cli/test/serve/served.ts';
import { browserTest, openBrowser } from './chromium.ts';
import { serveRecorded } from './recorded.ts';
import { signInPage } from './signed-in.ts';
import { expectUsable } from './usable.ts';

const RECORDED = ['demo', 'bash-background', 'ask-user-question', 'subagent'];

async function open(path: string): Promise<{ readonly page: Page; readonly served: Served }> {
  const served = await serveRecorded(...RECORDED);
  return { served, page: await signInPage(await openBrowser(), served, { path }) };
}

async function told({ env }: Served, ...words: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await call(['usage', ...words], { env });
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

async function figures(served: Served, by: string): Promise<UsageAnswer> {
  return JSON.parse(await told(served, '--json', '--by', by));
}

/** The cells of a table, row by row. */
async function cells(page: Page, caption: string | RegExp): Promise<readonly (readonly string[])[]> {
  const rows = page.getByRole('table', { name: caption }).locator('tbody tr, tfoot tr');
  await rows.first().waitFor();
  const all: string[][] = [];
  for (const row of await rows.all()) {
    const named = row.locator('th > span > span').first();
    const name = (await named.count()) > 0 ? named : row.locator('th');
    all.push([await name.innerText(), ...(await row.locator('td').allInnerTexts())]);
  }
  return all;
}

browserTest('the big figure, the rows by project and by model are those of the command', async () => {
  const { page, served } = await open('/usage?span=all');
  const { totals, rows } = await figures(served, 'project');
  const cost = showCost(totals.costUsd, totals.costState);
  expect(cost).toMatch(/^~?\$0\.\d+$/);
  await page.getByRole('region', { name: 'At a glance' }).getByText(cost, { exact: true }).waitFor();
  await page.getByRole('img', { name: `Cost by day and model: ${cost} in all` }).waitFor();

  const byProject = await cells(page, 'Cost by project');
  expect(byProject.map((row) => [row[0], row[1]])).toEqual([
    ...rows.map((row) => [row.key.split('/').at(-1), showCost(row.costUsd, row.costState)]),
    ['Total', cost],
  ]);

  await page.getByRole('button', { name: 'Model', exact: true }).click();
  const byModel = await figures(served, 'model');
  expect((await cells(page, 'Cost by model')).map((row) => [row[0], row[1], row[2]])).toEqual([
    ...byModel.rows.map((row) => [row.key, showCost(row.costUsd, row.costState), row.messages.toLocaleString('en-US')]),
    ['Total', cost, totals.messages.toLocaleString('en-US')],
  ]);
});

browserTest('what tools and sub-agents cost is marked as an estimate, and is what the command tells', async () => {
  const { page, served } = await open('/usage?span=all&rows=tool');
  const { rows } = await figures(served, 'tool');
  expect(rows.length).toBeGreaterThan(2);
  const shown = await cells(page, 'Cost by tool');
  const names: Readonly<Record<string, string>> = { none: 'no call, only text', unknown: 'not known' };
  expect(shown.slice(0, -1).map(([name, cost]) => [name, cost])).toEqual(
    rows.map((row) => [names[row.key] ?? row.key, showCost(row.costUsd, row.costState)]),
  );
  for (const [, cost] of shown.slice(0, -1)) expect(cost).toMatch(/^~\$/);
});

browserTest('the file is the one that the command writes', async () => {
  const { page, served } = await open('/usage?span=all&rows=day');
  await page.getByRole('table', { name: 'Cost by day' }).waitFor();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe('tailrace-usage-day.csv');
  expect(readFileSync(await file.path(), 'utf8')).toBe(await told(served, '--csv', '--by', 'day'));
});

browserTest('every chart can be read as a table, by the keyboard', async () => {
  const { page, served } = await open('/usage?span=all');
  const { rows } = await figures(served, 'day');
  const switchTo = page.getByRole('button', { name: 'Show as a table: By day' });
  await switchTo.focus();
  await page.keyboard.press('Enter');
  const shown = await cells(page, /^Cost by day and model/);
  expect(shown.slice(0, -1).map(([day, cost]) => [day, cost])).toEqual(
    [...rows].reverse().map((row) => [row.key, showCost(row.costUsd, row.costState)]),
  );
  await page.getByRole('button', { name: 'Show as a table: The last 12 months' }).click();
  await page.getByRole('table', { name: /^Cost of each day/ }).waitFor();
});

browserTest('nothing was used: it says so, and leads on', async () => {
  const served = await serveRecorded();
  const page = await signInPage(await openBrowser(), served, { path: '/usage' });
  await page.getByText('Nothing was used').waitFor();
  await page.getByRole('button', { name: 'Show all the time' }).click();
  await page.waitForURL(/span=all/);
});

browserTest('it is usable: axe, both themes, a phone', async () => {
  const { page } = await open('/usage?span=all');
  await page.getByRole('table', { name: 'Cost by project' }).waitFor();
  await page.getByRole('img', { name: /^Cost of each day/ }).waitFor();
  await expectUsable(page, 'usage');
});
