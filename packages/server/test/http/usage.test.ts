// What was used: the same over HTTP as by the command.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keep, openPlace, outside, type Place, recordedLines } from './place.ts';

const command = fileURLToPath(new URL('../../../cli/dist/tailrace.js', import.meta.url));
const fixtures = fileURLToPath(new URL('../../../../fixtures/claude/2.1.325/', import.meta.url));
let agent: string;
let place: Place;

beforeAll(async () => {
  agent = outside();
  const project = join(agent, 'projects', 'one');
  mkdirSync(project, { recursive: true });
  for (const name of readdirSync(fixtures).filter((file) => file.endsWith('.transcript.jsonl')))
    cpSync(join(fixtures, name), join(project, name));
  place = await openPlace({ parts: { usage: { dirs: [join(agent, 'projects')] } } });
  await keep(place.store, recordedLines('basic-text'));
});
afterAll(async () => {
  await place.close();
  rmSync(agent, { recursive: true });
});

test.each(['day', 'week', 'session', 'project', 'model', 'block', 'agent', 'subagent', 'tool'])(
  'by %s it is what the command tells',
  async (by) => {
    const { json } = await place.askAsPerson(`/api/usage?by=${by}&timezone=UTC`);
    const words = ['usage', '--json', '--by', by, '--timezone', 'UTC', '--no-cache'];
    const told = execFileSync(process.execPath, [command, ...words], {
      env: { ...process.env, TAILRACE_HOME: place.folder, CLAUDE_CONFIG_DIR: agent },
      encoding: 'utf8',
    });
    // What the month comes to depends on the moment of the question.
    const { unread, month: _month, ...rest } = json;
    const { month: _other, ...expected } = JSON.parse(told);
    expect(rest).toEqual(expected);
    expect([unread, rest.totals.outputTokens > 10_000, rest.rows.length > 0]).toEqual([0, true, true]);
  },
);

test('of one project it is less than of all, and of none nothing', async () => {
  const all = (await place.askAsPerson('/api/usage')).json;
  const { json: sessions } = await place.askAsPerson('/api/sessions');
  const one = (await place.askAsPerson(`/api/usage?project=${sessions.items[0].projectId}`)).json;
  expect(one.totals.outputTokens).toBeGreaterThan(0);
  expect(one.totals.outputTokens).toBeLessThanOrEqual(all.totals.outputTokens);
  expect((await place.askAsPerson('/api/usage?project=none')).json.totals.messages).toBe(0);
});
