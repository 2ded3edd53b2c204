// An agent that was started by the server tries to answer itself (T-01).

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunInfo } from '@tailrace/protocol';
import { expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { type Person, signIn } from './person.ts';
import { createPlace, serve, until } from './served.ts';

const curious = fileURLToPath(new URL('curious-agent.mjs', import.meta.url));

interface Report {
  readonly answers: readonly unknown[];
  /** How often each kind of try came to each status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly rounds: number;
  readonly ports: readonly number[];
  readonly candidates: number;
  readonly read: number;
  readonly done: boolean;
}

const waiting = async (person: Person): Promise<RunInfo | undefined> =>
  (await person.json<{ items: RunInfo[] }>('/api/runs')).items.find(({ requests }) => requests.length > 0);

test(`[T-01] in ${counts.agentSearchSeconds} s an agent finds no way to answer itself, and its tries are written down`, async () => {
  const place = createPlace();
  const file = join(place.project, 'report');
  const env = {
    ...place.env,
    TAILRACE_CLAUDE: curious,
    TAILRACE_LOG: 'debug',
    CURIOUS_SECONDS: String(counts.agentSearchSeconds),
    CURIOUS_DATA: place.home,
    CURIOUS_REPORT: file,
    CURIOUS_DIGEST: join(place.folder, 'digest'),
  };
  const served = await serve({ ...place, env });
  const [firstCode = ''] = served.codes();
  const person = await signIn(served);
  const { token } = await person.json<{ token: string }>('/api/programs', {
    name: 'ci',
    rights: ['read', 'run', 'answer'],
  });
  const { items } = await person.json<{ items: { id: string; folder: string }[] }>('/api/projects');
  const project = items.find(({ folder }) => folder === place.project)?.id;
  const { runId } = await person.json<{ runId: string }>('/api/runs', { project, prompt: 'Be curious' });
  const before = await until(() => waiting(person));
  const [asked] = before.requests;
  // It even knows what an answer has to carry; all that it lacks is the right.
  writeFileSync(env.CURIOUS_DIGEST, asked?.digest ?? '');
  const report = await until((): Report | undefined => {
    try {
      const found: Report = JSON.parse(readFileSync(file, 'utf8'));
      return found.done || found.answers.length > 0 ? found : undefined;
    } catch {
      return undefined;
    }
  });

  // It has looked: at the data, at the one port there is, and with what could have been secrets.
  expect(report).toMatchObject({ answers: [], ports: [served.port] });
  expect(report.candidates).toBeGreaterThan(0);
  const hay = readFileSync(`${file}.hay`, 'latin1');
  expect(hay).toContain(runId);
  expect(hay).toContain('"action":"sign-in"');
  const secrets = [
    firstCode,
    ...served.codes(),
    person.cookie.split('=')[1] ?? '',
    person.headers['x-tailrace-key'],
    token,
  ];
  for (const secret of secrets) expect(hay).not.toContain(secret);

  // Nothing was let through.
  const kinds = Object.keys(report.statuses);
  expect(kinds.filter((kind) => !/ (401|403)$/.test(kind) && !/^POST code (204|429)$/.test(kind))).toEqual([]);
  expect(kinds).toEqual(expect.arrayContaining(['POST answer 401', 'POST answer 403', 'upgrade 401', 'upgrade 403']));
  expect(await waiting(person)).toEqual({ ...before, since: expect.any(Number) });

  // All of it is written down, and the only answers are those of the person.
  const audit = served.audit();
  const noted = (action: string, result: string): number =>
    audit.filter((line) => line.action === action && line.result === result).length;
  const tried = (pattern: RegExp): number =>
    kinds.filter((kind) => pattern.test(kind)).reduce((sum, kind) => sum + (report.statuses[kind] ?? 0), 0);
  expect(noted('sign-in', 'unauthenticated')).toBe(tried(/^POST sign-in 401/));
  expect(noted('socket', 'unauthenticated') + noted('socket', 'refused')).toBe(tried(/^upgrade/));
  expect(noted('request', 'refused')).toBe(tried(/^(GET|POST) \S+ 403/));
  expect(noted('answerRequest', 'unauthenticated')).toBe(tried(/^POST answer 401/));
  expect(audit.filter(({ action, runId: run }) => action === 'answerRequest' && run !== runId)).toEqual([]);
  expect(noted('answer', 'done')).toBe(0);

  // The person can.
  const answer = { requestId: asked?.request.requestId, digest: asked?.digest, answer: { decision: 'deny' } };
  expect((await person.ask(`/api/runs/${runId}/answer`, answer)).status).toBe(200);
  await until(() => JSON.parse(readFileSync(file, 'utf8')).answers.length === 1);
  expect(served.audit().filter(({ action }) => action === 'answer')).toMatchObject([
    { result: 'done', caller: 'person-1' },
  ]);
});
