// The agent's own session files, laid out on disk as the agent lays them out, alone and beside a capture of the run.

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, fixtures } from './command.ts';

const capture = (name: string): string => `${fixtures}${name}.ndjson`;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Meta {
  readonly transcripts: readonly { readonly file: string; readonly kind: string; readonly original_path: string }[];
  readonly expected: { readonly session_id: string };
}

/** Rebuilds the folders as they were; gives the path of the session's own file. */
function layOut(name: string): string {
  const meta: Meta = JSON.parse(readFileSync(`${fixtures}${name}.meta.json`, 'utf8'));
  const home = join(folder, name);
  const placed = meta.transcripts.map(({ file, original_path }) => {
    const path = original_path.replace('~', home);
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(`${fixtures}${file}`, path);
    return path;
  });
  return placed.find((path) => path.endsWith(`${meta.expected.session_id}.jsonl`)) ?? '';
}

const summaryOf = async (...words: readonly string[]) => {
  const { code, stdout, stderr } = await call(['summary', '--json', ...words]);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};
const eventsOf = async (...words: readonly string[]) =>
  (await call(['events', ...words])).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a session file alone', () => {
  test('has its sub-agents with it, found in the folder beside it', async () => {
    const file = layOut('subagents-two');
    const [own, run] = [await summaryOf(file), await summaryOf(capture('subagents-two'))];
    expect(own.usage).toEqual(run.usage);
    expect(own.costUsd).toBeCloseTo(run.costUsd, 9);
    expect(own).toMatchObject({ outcome: 'success', text: run.text, turns: 1, sessionId: run.sessionId });
    const outcomes = (list: readonly { id: string; outcome: string }[]): string[] =>
      list.map(({ id, outcome }) => `${id} ${outcome}`).sort();
    expect(outcomes(own.toolCalls)).toEqual(outcomes(run.toolCalls));
    expect(outcomes(own.subagents)).toEqual(outcomes(run.subagents));
    expect(own.subagents.map(({ usage }: { usage: { state: string } }) => usage.state)).toEqual([
      'reconciled',
      'reconciled',
    ]);
  });

  test('of an older version finds the sub-agents that lie beside it, and not those of other sessions', async () => {
    const file = layOut('subagent');
    const agent = 'agent-aef58d64aa81bfa2c.jsonl';
    const inner = join(file.replace('.jsonl', ''), 'subagents', agent);
    const old = join(folder, 'old');
    mkdirSync(old);
    const session = join(old, file.slice(dirname(file).length + 1));
    copyFileSync(file, session);
    copyFileSync(inner, join(old, agent));
    writeFileSync(
      join(old, 'agent-other.jsonl'),
      readFileSync(inner, 'utf8').replaceAll(/"sessionId":"[^"]*"/g, '"sessionId":"x"'),
    );
    const events = await eventsOf(session);
    const texts = events.filter(({ type, subagentId }) => type === 'text-end' && subagentId).map(({ text }) => text);
    expect(texts).toEqual(['Reading it now.', 'a.txt contains: alpha']);
  });

  test('comes compressed or through a pipe as well', async () => {
    const file = layOut('thinking');
    const plain = await summaryOf(file);
    const packed = join(folder, 'packed.gz');
    writeFileSync(packed, gzipSync(readFileSync(file)));
    expect(await summaryOf(packed)).toEqual(plain);
    const piped = await call(['summary', '--json'], { input: [readFileSync(file)] });
    expect(JSON.parse(piped.stdout)).toEqual(plain);
  });

  test('knows the calls of its sub-agents also when nothing lies beside their lines', async () => {
    const file = layOut('subagent');
    const whole = await summaryOf(file);
    const inside = join(file.replace('.jsonl', ''), 'subagents');
    for (const name of readdirSync(inside)) if (name.endsWith('.meta.json')) rmSync(join(inside, name));
    expect(await summaryOf(file)).toEqual(whole);
  });

  test('finds its sub-agents when it is compressed, or linked to from elsewhere', async () => {
    const file = layOut('subagents-two');
    const whole = await summaryOf(file);
    const link = join(folder, 'linked.jsonl');
    symlinkSync(file, link);
    expect(await summaryOf(link)).toEqual(whole);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
    expect(await summaryOf(`${file}.gz`)).toEqual(whole);
  });

  test('may have more sub-agents than files can be open, and pipes among them', async () => {
    const file = layOut('subagent-retries');
    const inside = join(file.replace('.jsonl', ''), 'subagents');
    for (let number = 0; number < 100; number++) {
      const lines = ['user', 'assistant'].map((type) =>
        JSON.stringify({
          type,
          uuid: `${type}-${number}`,
          isSidechain: true,
          agentId: `a${number}`,
          sessionId: 's',
          message: { id: `m${number}`, role: type, content: 'words', usage: { input_tokens: 1, output_tokens: 1 } },
        }),
      );
      writeFileSync(join(inside, `agent-a${number}.jsonl`), `${lines.join('\n')}\n`);
    }
    execFileSync('mkfifo', [join(inside, 'agent-a7.meta.json')]);
    const { code, stdout, stderr } = await call(['summary', '--json', file]);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout).subagents).toHaveLength(101);
  });

  test('a broken file beside it does not take it down', async () => {
    const file = layOut('subagent-edits');
    const inside = join(file.replace('.jsonl', ''), 'subagents');
    writeFileSync(join(inside, 'agent-junk.jsonl'), 'not json\n{"type":');
    writeFileSync(join(inside, 'agent-junk.meta.json'), '{"toolUseId":');
    writeFileSync(join(inside, 'notes.txt'), 'hello');
    expect(await summaryOf(file)).toMatchObject({ outcome: 'success', lines: { notJson: 1, cutOff: 1 } });
  });

  test('is printed in the order in which it happened, what sub-agents did under their cards', async () => {
    const { stdout } = await call(['view', '--plain', layOut('subagents-two')]);
    const places = [
      'Use two agents',
      'Agent B (',
      'b.txt',
      'B: beta.',
      'Agent A (',
      'A: alpha.',
      'alpha and beta.',
    ].map((text) => stdout.indexOf(text));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  });
});

describe('a capture with the session file', () => {
  test.each(['subagents-two', 'tools-parallel', 'partial-messages', 'compact-manual', 'refusal-first-turn'])(
    '%s: tells what the capture tells, with the prompts and all figures',
    async (name) => {
      const file = layOut(name);
      const [run, both] = [await summaryOf(capture(name)), await summaryOf(capture(name), '--transcript', file)];
      const { lines: _, checkpoints, subagents, ...rest } = run;
      const { lines: __, checkpoints: prompts, subagents: others, ...merged } = both;
      expect({ ...merged, toolCalls: undefined }).toEqual({ ...rest, toolCalls: undefined });
      expect(new Set(merged.toolCalls)).toEqual(new Set(rest.toolCalls));
      expect(prompts.length).toBeGreaterThan(0);
      expect(prompts).toEqual(expect.arrayContaining(checkpoints));
      expect(others.map(({ id }: { id: string }) => id).sort()).toEqual(
        subagents.map(({ id }: { id: string }) => id).sort(),
      );
    },
  );

  test('of a run that was killed knows what the run could not tell any more', async () => {
    const file = layOut('sigkill');
    const run = await summaryOf(capture('sigkill'));
    const both = await summaryOf(capture('sigkill'), '--transcript', file);
    expect(run).toMatchObject({ outcome: 'incomplete', toolCalls: [], costState: 'unknown' });
    expect(both).toMatchObject({
      text: 'never seen',
      toolCalls: [{ name: 'Write', outcome: 'success' }],
      usage: { outputTokens: 60_010, state: 'reconciled' },
      costState: 'reconciled',
    });
  });

  test.each(['resume-fork.run2', 'resume-fork.run3'])(
    '%s: is about the run, not about those before it',
    async (name) => {
      const file = layOut(name);
      const [run, both] = [await summaryOf(capture(name)), await summaryOf(capture(name), '--transcript', file)];
      expect(both.usage).toEqual(run.usage);
      expect(both.costUsd).toBe(run.costUsd);
      expect([both.turns, both.steps, both.text]).toEqual([run.turns, run.steps, run.text]);
      expect(both.checkpoints).toHaveLength(1);
    },
  );

  test('prints each answer once, also where the times of lines are not in order', async () => {
    const { stdout } = await call([
      'view',
      '--plain',
      capture('compact-manual'),
      '--transcript',
      layOut('compact-manual'),
    ]);
    expect(stdout.split('Still here after compaction.')).toHaveLength(2);
  });

  test('that was cut before its first answer still has the prompt, and the bill of the file', async () => {
    const file = layOut('empty-texts');
    const whole = await summaryOf(file);
    const short = join(folder, 'short.ndjson');
    writeFileSync(short, `${readFileSync(capture('empty-texts'), 'utf8').split('\n')[0]}\n`);
    expect((await summaryOf(short, '--transcript', file)).usage).toEqual(whole.usage);
    const events = await eventsOf(capture('empty-texts'), '--transcript', file);
    const starts = events.filter(({ type }) => type === 'message-start').map(({ messageId }) => messageId);
    const ends = events.filter(({ type }) => type === 'message-end').map(({ messageId }) => messageId);
    expect(new Set(ends)).toEqual(new Set(starts));
    expect(JSON.stringify(events)).toContain('Say nothing, then something');
  });

  test('may be named the other way round', async () => {
    const file = layOut('subagents-two');
    const [right, wrong] = [
      await summaryOf(capture('subagents-two'), '--transcript', file),
      await summaryOf(file, '--transcript', capture('subagents-two')),
    ];
    expect([wrong.usage, wrong.costUsd, wrong.costState]).toEqual([right.usage, right.costUsd, right.costState]);
  });

  test('through a pipe is shown as it comes, the file after it', async () => {
    const file = layOut('basic-text');
    const { code, stdout } = await call(['view', '--plain', '-', '--transcript', file], {
      input: [readFileSync(capture('basic-text'))],
    });
    expect(code).toBe(0);
    expect(stdout).toContain('You');
    const events = await eventsOf(capture('basic-text'), '--transcript', file);
    expect(events.at(0).type).toBe('session-start');
    expect(events.at(-1).type).toBe('session-end');
    expect(events.map(({ seq }) => seq)).toEqual([...events.keys()]);
    expect(new Set(events.map(({ from }) => from).filter(Boolean))).toEqual(new Set([capture('basic-text'), file]));
  });

  test('of another session, or that is not there, says so', async () => {
    const other = await call(['summary', capture('basic-text'), '--transcript', layOut('thinking')]);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('is of another session');
    const missing = await call(['summary', capture('basic-text'), '--transcript', join(folder, 'nothing.jsonl')]);
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.stderr).toContain('there is no file');
    writeFileSync(join(folder, 'empty.jsonl'), '');
    const empty = await call(['summary', capture('basic-text'), '--transcript', join(folder, 'empty.jsonl')]);
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('is no file of a session')]);
  });
});
