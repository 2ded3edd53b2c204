// What is kept, called as a person calls it: real files, a real database, the built command.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, fixtures, type Outcome } from './command.ts';
import { layOut, metaOf, recordings } from './tree.ts';

let folder = '';
let env: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-history-'));
  env = { HOME: folder, TAILRACE_HOME: join(folder, 'data') };
  layOut(folder, ['basic-text', 'subagents-two', 'tools-parallel', 'stdin-multiturn', 'compact-manual']);
  expect((await call(['import'], { env })).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]): Promise<Outcome> => call(words, { env });
const json = async (...words: readonly string[]) => {
  const { code, stdout, stderr } = await run(...words, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

describe('before anything is kept', () => {
  const empty = () => ({ HOME: folder, TAILRACE_HOME: join(folder, 'nothing') });

  test('lists are empty, and people are told how to begin', async () => {
    expect(await call(['sessions', '--json'], { env: empty() })).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
    expect(await call(['search', 'x', '--json'], { env: empty() })).toMatchObject({ code: 0, stdout: '[]\n' });
    const { code, stderr } = await call(['sessions'], { env: empty() });
    expect(code).toBe(0);
    expect(stderr).toContain('tailrace import');
  });
});

describe('sessions', () => {
  test('are listed with what they cost, to the cent of what the agent says', async () => {
    const sessions = await json('sessions');
    for (const name of ['basic-text', 'subagents-two', 'tools-parallel', 'stdin-multiturn']) {
      const { expected } = metaOf(name);
      const session = sessions.find(({ id }: { id: string }) => id === expected.session_id);
      expect(session.costUsd, name).toBeCloseTo(expected.total_cost_usd ?? 0, 9);
      expect(session.usage.outputTokens, name).toBe(expected.tokens_served_total['output_tokens']);
      expect(session).toMatchObject({ agent: 'claude', project: 'project', cwd: '/home/dev/project' });
    }
    const times = sessions.map(({ startedAt }: { startedAt: number }) => startedAt);
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  test('can be narrowed down', async () => {
    const all = await json('sessions');
    expect(await json('sessions', '--project', 'nowhere')).toEqual([]);
    expect(await json('sessions', '--project', 'dev/proj')).toHaveLength(all.length);
    expect(await json('sessions', '--agent', 'codex')).toEqual([]);
    expect(await json('sessions', '--since', '2100-01-01')).toEqual([]);
    const dear = await json('sessions', '--min-cost', '0.01');
    expect(dear.length).toBeGreaterThan(0);
    expect(dear.length).toBeLessThan(all.length);
    expect(await json('sessions', '--limit', '2')).toHaveLength(2);
    expect((await run('sessions', '--since', 'whenever')).code).toBe(2);
  });

  test('have names, stars and tags, which outlive a new import', async () => {
    const { session_id: id } = metaOf('basic-text').expected;
    await json('label', id.slice(0, 8), '--name', 'The first', '--star', '--tag', 'hello', '--tag', 'kept');
    expect((await run('import')).code).toBe(0);
    expect(await json('sessions', '--starred')).toMatchObject([{ id, title: 'The first', tags: ['hello', 'kept'] }]);
    expect(await json('sessions', '--tag', 'hello')).toHaveLength(1);
    await json('label', id, '--name', '', '--unstar', '--untag', 'hello');
    const [{ title, tags, starred }] = await json('sessions', '--tag', 'kept');
    expect([title === 'The first', tags, starred]).toEqual([false, ['kept'], false]);
  });

  test('an id that is none, or of several, is wrong usage', async () => {
    for (const words of [['show', 'zzz'], ['show', '../../etc/passwd'], ['show', ''], ['show']]) {
      const { code, stderr } = await run(...words);
      expect([words, code]).toEqual([words, 2]);
      expect(stderr).toMatch(/^tailrace: /);
    }
  });
});

describe('show', () => {
  test('prints a session as view prints its file', async () => {
    const { session_id: id } = metaOf('tools-parallel').expected;
    const shown = await run('show', id, '--plain');
    expect(shown.code).toBe(0);
    const viewed = await call(['view', '--plain', join(folder, `.claude/projects/-home-dev-project/${id}.jsonl`)]);
    // What is kept needs no import to go on with.
    expect(shown.stdout).toBe(viewed.stdout.replace('tailrace import && ', ''));
  });

  test('gives what is known as one object', async () => {
    const { session_id: id } = metaOf('subagents-two').expected;
    const shown = await json('show', id);
    expect(shown.calls.length).toBe(shown.summary.toolCalls.length);
    expect(shown.messages[0]).toMatchObject({ role: 'user' });
    expect(shown.checkpoints.length).toBeGreaterThan(0);
  });
});

describe('search', () => {
  test('finds words, parts of them, and says where', async () => {
    const [hit] = await json('search', 'Hello help project');
    expect(hit).toMatchObject({ sessionId: metaOf('basic-text').expected.session_id, kind: 'answer' });
    expect(hit.snippet).toContain('Hello');
    expect((await json('search', 'ello'))[0].snippet).toContain('ello');
    expect(await json('search', 'nothing-like-this-anywhere')).toEqual([]);
  });

  test('whatever is typed is no error', async () => {
    for (const words of ['"', 'a AND', '*', "'; DROP TABLE", 'NEAR(', '( OR )', '^x', 'kind:', '--']) {
      const { code, stderr } = await run('search', '--json', '--', words);
      expect([words, code === 0 || code === 2, stderr.includes('fts')]).toEqual([words, true, false]);
    }
  });
});

describe('a run and its session file', () => {
  test('become one session with one bill', async () => {
    const home = mkdtempSync(join(tmpdir(), 'tailrace-history-'));
    const own = { HOME: home, TAILRACE_HOME: join(home, 'data') };
    try {
      for (const name of ['stdin-multiturn', 'subagents-two', 'resume-fork.run1']) {
        const capture = readFileSync(`${fixtures}${name}.ndjson`);
        expect(await call(['view', '--record', '--plain'], { env: own, input: [capture] })).toMatchObject({
          code: 0,
          stderr: '',
        });
        const { session_id: id, total_cost_usd: cost } = metaOf(name).expected;
        const alone = JSON.parse((await call(['show', id, '--json'], { env: own })).stdout);
        expect(alone.costUsd, name).toBeCloseTo(cost ?? 0, 9);
        layOut(home, [name]);
        expect((await call(['import'], { env: own })).code).toBe(0);
        const joined = JSON.parse((await call(['show', id, '--json'], { env: own })).stdout);
        expect(joined.costUsd, name).toBeCloseTo(cost ?? 0, 9);
        expect(joined.usage.outputTokens, name).toBe(metaOf(name).expected.tokens_served_total['output_tokens']);
        expect(joined.summary.toolCalls, name).toHaveLength(alone.summary.toolCalls.length);
        // The prompt, which only the file tells, comes before its answer all the same.
        const shown = (await call(['show', id, '--plain'], { env: own })).stdout;
        expect(shown, name).toMatch(/^●[^\n]*\n/);
        const [answer = ''] = alone.summary.text.split('\n');
        expect(shown.indexOf(joined.messages[0].text), name).toBeGreaterThan(0);
        expect(shown.indexOf(joined.messages[0].text), name).toBeLessThan(shown.indexOf(answer));
        const all = await call(['export', id, '--ndjson', '--no-redact', '--all'], { env: own });
        expect(all.stdout.split('\n').length - 1, name).toBe(joined.lines);
        const replayed = await call(['replay', id, '--speed', '0'], { env: own });
        expect(replayed.stdout, name).toBe(capture.toString());
      }
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

describe('the bill', () => {
  test('is the same from the files, from what is kept of them, and from both together', async () => {
    const home = mkdtempSync(join(tmpdir(), 'tailrace-history-'));
    const own = { HOME: home, TAILRACE_HOME: join(home, 'data') };
    const totals = async (...words: readonly string[]) =>
      JSON.parse((await call(['usage', '--json', '--by', 'session', ...words], { env: own })).stdout).totals;
    try {
      layOut(home, recordings());
      const filed = await totals('--dir', join(home, '.claude'));
      expect((await call(['import'], { env: own })).code).toBe(0);
      const joined = await totals();
      rmSync(join(home, '.claude'), { recursive: true });
      const kept = await totals();
      for (const other of [joined, kept]) {
        const { costUsd, costState: _, ...tokens } = other;
        const { costUsd: wanted, costState: __, ...expected } = filed;
        expect(tokens).toEqual(expected);
        expect(costUsd).toBeCloseTo(wanted, 9);
      }
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

describe('forget', () => {
  test('takes a session out, and an import does not bring it back unless it is told to', async () => {
    const home = mkdtempSync(join(tmpdir(), 'tailrace-history-'));
    const own = { HOME: home, TAILRACE_HOME: join(home, 'data') };
    const list = async (): Promise<readonly string[]> =>
      JSON.parse((await call(['sessions', '--json'], { env: own })).stdout).map(({ id }: { id: string }) => id);
    try {
      layOut(home, ['basic-text', 'tools-parallel']);
      await call(['import'], { env: own });
      const [id = '', other = ''] = await list();
      const { code, stdout } = await call(['forget', id, '--vacuum'], { env: own });
      expect([code, stdout.includes(id), stdout.includes('.jsonl')]).toEqual([0, true, true]);
      expect(await list()).toEqual([other]);
      const file = readFileSync(join(home, 'data/tailrace.db'));
      expect(file.includes(id)).toBe(false);
      await call(['import'], { env: own });
      expect(await list()).toEqual([other]);
      await call(['import', '--forgotten'], { env: own });
      expect(new Set(await list())).toEqual(new Set([id, other]));
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

describe('hooks', () => {
  const payload = JSON.stringify({
    session_id: '6a7358e3-5a16-45ee-84cd-0b186d3ac819',
    hook_event_name: 'UserPromptSubmit',
    prompt: 'a quokka in the spool',
    cwd: '/home/dev/project',
  });

  test('are taken in, can be taken away, and leave nothing behind when they are forgotten', async () => {
    const home = mkdtempSync(join(tmpdir(), 'tailrace-history-'));
    const own = { HOME: home, TAILRACE_HOME: join(home, 'data') };
    try {
      await call(['hook'], { env: own, input: [Buffer.from(payload)] });
      const [{ id }] = JSON.parse((await call(['sessions', '--json'], { env: own })).stdout);
      const { stdout } = await call(['export', id, '--ndjson'], { env: own });
      expect(JSON.parse(stdout).prompt).toBe('a quokka in the spool');
      // Another session, so that the index has more than one piece.
      await call(['view', '--record'], { env: own, input: [readFileSync(`${fixtures}basic-text.ndjson`)] });
      expect((await call(['forget', id, '--vacuum'], { env: own })).code).toBe(0);
      const files = readdirSync(join(home, 'data'), { recursive: true, withFileTypes: true }).filter((one) =>
        one.isFile(),
      );
      expect(files.length).toBeGreaterThan(0);
      for (const { parentPath, name } of files)
        expect(readFileSync(join(parentPath, name)).includes('quokka'), name).toBe(false);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

test('[R-14] what is printed to be typed does what it says, also where ids begin alike', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tailrace-history-'));
  const own = { HOME: home, TAILRACE_HOME: join(home, 'data') };
  const names = [
    'codex/0.166.0/text',
    'codex/0.166.0/tool-ok',
    'opencode/1.18.33/bash-ok',
    'claude/2.1.325/basic-text',
  ];
  try {
    for (const name of names) {
      const bytes = readFileSync(join(fixtures, '../..', `${name}.ndjson`));
      const { stdout } = await call(['--record'], { env: own, input: [bytes] });
      // Only this one tells its folder, without which nobody goes on.
      const resume = / resume: tailrace (resume \S+)\n/.exec(stdout)?.[1]?.split(' ');
      expect(resume !== undefined, name).toBe(name.startsWith('claude'));
      if (resume) expect(await call(resume, { env: own })).toMatchObject({ code: 0, stderr: '' });
    }
    const listed = (await call(['sessions'], { env: own })).stdout.split('\n').slice(1, -1);
    const typed = new Set(listed.map((row) => row.split(' ')[0] ?? 'nothing'));
    expect(typed.size).toBe(names.length);
    for (const id of typed) expect((await call(['show', id], { env: own })).stderr).toBe('');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test('[T-28] lists and finds show people no secret', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tailrace-history-'));
  const own = { HOME: home, TAILRACE_HOME: join(home, 'data') };
  const secret = ['ghp', 'x7Kq2mV9sLr4TzBn8WcYd1FhJp6GaEu3RtQo'].join('_');
  const id = '6a7358e3-5a16-45ee-84cd-0b186d3ac819';
  const payload = { session_id: id, hook_event_name: 'UserPromptSubmit', prompt: `use ${secret} here`, cwd: '/p' };
  try {
    await call(['hook'], { env: own, input: [Buffer.from(JSON.stringify(payload))] });
    for (const words of [['sessions'], ['search', 'use'], ['show', id], ['label', id, '--star']]) {
      const { code, stdout } = await call(words, { env: own });
      expect([words, code, stdout.includes('use'), stdout.includes(secret)]).toEqual([words, 0, true, false]);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

describe('wrong usage', () => {
  test.each([
    [['sessions', '--limit', '1.5']],
    [['sessions', '--status', 'bogus']],
    [['sessions', '--agent', 'nobody']],
    [['search', 'x', '--kind', 'bogus']],
    [['show', 'last', 'extra']],
    [['export', 'last']],
    [['export', 'last', '--html', '--md']],
    [['forget']],
    [['resume', 'last', 'a prompt']],
    [['rewind', 'last', 'zzz', '--yes']],
  ])('%j is told in a sentence', async (words) => {
    const { code, stdout, stderr } = await run(...words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^tailrace: .+\n$/);
  });

  test('a compressed file is not taken in as it is', async () => {
    const file = join(folder, 'packed.jsonl');
    writeFileSync(file, gzipSync(readFileSync(`${fixtures}basic-text.transcript.jsonl`)));
    expect(await run('import', file)).toMatchObject({ code: 2 });
  });

  test('a folder that others may look into is refused, and nothing is left in it', async () => {
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o755);
    const own = { HOME: folder, TAILRACE_HOME: open };
    const { code, stderr } = await call(['import'], { env: own });
    expect([code, stderr.includes('chmod 700')]).toEqual([1, true]);
    expect(readdirSync(open)).toEqual([]);
    expect(await call(['doctor', '--json'], { env: own })).toMatchObject({ code: 1 });
  });
});

describe('config', () => {
  test('takes, tells and drops a setting', async () => {
    expect((await run('config', 'retentionDays', '90')).code).toBe(0);
    expect(await json('config')).toEqual({ retentionDays: 90 });
    expect((await run('config', 'retentionDays', '--unset')).code).toBe(0);
    expect(await json('config')).toEqual({});
    for (const words of [['retentionDays', 'x'], ['nothing'], ['timeZone', 'Mars/Olympus']])
      expect((await run('config', ...words)).code).toBe(2);
  });
});

test('[T-24] what is kept is private', () => {
  expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'data/tailrace.db')).mode & 0o777).toBe(0o600);
});

test('there are recordings to try all this on', () => {
  expect(recordings().length).toBeGreaterThan(20);
});
