// Two callers, one request.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { codeOf, createBench, over, person, program, type Step } from './runs-of-fake.ts';

test('[T-21] two callers answer each request at once: one answer each, none on the next', async () => {
  const bench = await createBench();
  const { runs, project } = bench;
  const rounds = counts.answerRaces;
  const asks = Array.from(
    { length: rounds },
    (_, round): Step => ['ask', `t${round}`, 'Bash', { command: `n ${round}` }],
  );
  bench.script([['init'], ['prompt'], ...asks, ['result'], ['until-stdin-ends'], ['exit', 0]]);
  const { runId } = await runs.start(person, { project, prompt: 'Hi' });
  const callers = [person, program('answer')];
  const seen = new Set<string>();
  const winners: string[] = [];
  let last: { readonly requestId: string; readonly digest: string } | undefined;
  for (let round = 0; round < rounds; round++) {
    const { request, digest } = await bench.asked(runId, seen);
    const { requestId } = request;
    seen.add(requestId);
    // What was meant for the one before, by somebody who clicked too late: by its id, and by the id of this one.
    if (last) {
      const late = { runId, answer: { decision: 'allow' }, ...last } as const;
      expect(await codeOf(runs.answer(person, late))).toBe('answered');
      expect(await codeOf(runs.answer(person, { ...late, requestId }))).toBe('conflict');
    }
    last = { requestId, digest };
    const allow = round % 2 === 0;
    const answers = callers.map((caller, index) => {
      const decision = allow === (index === 0) ? ({ decision: 'allow' } as const) : ({ decision: 'deny' } as const);
      return { caller, wanted: { runId, requestId, digest, answer: decision } };
    });
    if (round % 3 === 0) answers.reverse();
    const results = await Promise.all(answers.map(({ caller, wanted }) => codeOf(runs.answer(caller, wanted))));
    expect([...results].sort()).toEqual(['answered', 'done']);
    winners.push(answers[results.indexOf('done')]?.wanted.answer.decision ?? '');
  }
  await over(runs, runId);
  await runs.close();
  const replies = readFileSync(join(bench.folder, 'stdin'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"control_response"'))
    .map((line) => JSON.parse(line).response);
  expect(replies.map(({ request_id }) => request_id)).toEqual([...seen]);
  expect(replies.map(({ response }) => response.behavior)).toEqual(winners);
  const given = bench.entries.filter(({ action, result }) => action === 'answer' && result === 'done');
  expect(given.map(({ requestId }) => requestId)).toEqual([...seen]);
  expect(new Set(given.map(({ caller }) => caller))).toEqual(new Set(callers.map(({ id }) => id)));
  const recorded = (await bench.hostLines(runId)).filter(({ type }) => type === 'answered');
  expect(recorded).toHaveLength(rounds);
});
