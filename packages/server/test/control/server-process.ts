// A server with nothing but its runs, for tests that kill it: starts some in its folder, says when they are at work, and stays.
// Words: the folder, and the program of the agent.

import { join } from 'node:path';
import { openStore } from '@tailrace/store';
import { createProjects } from '../../src/control/create-projects.ts';
import { createRuns } from '../../src/control/create-runs.ts';

const [folder = '', program = '', count = '1'] = process.argv.slice(2);
const data = join(folder, 'data');
const store = await openStore({ file: join(data, 'tailrace.db') });
const projects = createProjects({ store, roots: [join(folder, 'root')] });
const runs = createRuns({
  store,
  projects,
  audit: { write: () => undefined, close: async () => undefined },
  env: process.env,
  programs: () => program,
  forbid: [data],
  trustFile: join(data, 'trusted-folders.json'),
});
const project = projects.idOf(join(folder, 'root/work'));
const caller = { kind: 'person', id: 'a person', rights: new Set(['read', 'run', 'answer'] as const) } as const;
const ids: string[] = [];
runs.onChange(() => {
  const isReady = ids.length === Number(count) && runs.list().every(({ requests }) => requests.length > 0);
  if (isReady) process.stdout.write(`${JSON.stringify(ids)}\n`);
});
for (let index = 0; index < Number(count); index++) {
  const { runId } = await runs.start(caller, { project, prompt: `Number ${index}` });
  ids.push(runId);
}
