// The command over what other agents print: what a person sees of them.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { call } from './command.ts';

/** Where the recordings of an agent lie: it has one version, or the first. */
function fixturesOf(agent: string): string {
  const folder = fileURLToPath(new URL(`../../../fixtures/${agent}/`, import.meta.url));
  return join(folder, readdirSync(folder)[0] ?? '');
}

const seen = async (agent: string, name: string): Promise<string> =>
  (await call(['view', '--plain', join(fixturesOf(agent), `${name}.ndjson`)])).stdout;

describe('view', () => {
  test('shows what a call is about, wherever the agent tells it', async () => {
    expect(await seen('codex', 'tool-ok')).toMatch(/✓ command_execution .*cat hello\.txt/);
    expect(await seen('kimi', 'tool-ok')).toMatch(/Bash {2}cat hello\.txt/);
    expect(await seen('opencode', 'tool-ok')).toMatch(/✓ read {2}hello\.txt/);
    expect(await seen('qwen', 'tool-ok')).toMatch(/✓ read_file .*hello\.txt/);
  });

  test('shows what a sub-agent says once, indented', async () => {
    const text = await seen('copilot', 'subagent');
    expect(text.match(/Sub-agent answer: two lines\./g)).toHaveLength(1);
    expect(text).toMatch(/✓ task .*\n {6}Sub-agent answer/);
  });

  test('shows a sub-agent that failed, though its call went well', async () => {
    expect(await seen('qwen', 'subagent-fails')).toMatch(/✖ agent .* failed\n {6}400/);
  });

  test('shows the list in place of the call that changed it, and the call where no list follows', async () => {
    expect(await seen('gemini', 'todos')).toMatch(/● Read file\n(?!.*write_todos)/s);
    expect(await seen('copilot', 'sql-todos')).toMatch(/✓ sql {3}/);
  });

  test('begins a paragraph with each answer, and tells no time where the clock is too coarse', async () => {
    expect(await seen('qwen', 'subagent')).toContain(
      'Delegated, waiting.\n  ┊ told: Background agent "general-purpose: Count lines" completed.\n\nThe sub-agent counted two lines.\n',
    );
    expect(await seen('goose', 'http-401')).not.toContain(' in 0 ms');
  });

  test('shows the last words of every agent, and how it went', async () => {
    for (const agent of ['claude', 'codex', 'copilot', 'gemini', 'goose', 'grok', 'kimi', 'opencode', 'pi', 'qwen']) {
      const name = agent === 'claude' ? 'basic-text' : 'text';
      const meta = JSON.parse(readFileSync(join(fixturesOf(agent), `${name}.meta.json`), 'utf8'));
      const text = await seen(agent, name);
      expect(text, agent).toContain(meta.groundTruth?.finalText ?? meta.expected.final_text);
      expect(text, agent).toMatch(/✓ done/);
    }
  });
});

describe('--agent', () => {
  test('overrides what the stream says: then everything in it is unknown', async () => {
    const file = join(fixturesOf('codex'), 'text.ndjson');
    const { stdout } = await call(['summary', '--json', '--agent', 'gemini', file]);
    expect(JSON.parse(stdout)).toMatchObject({ agent: 'gemini', outcome: 'incomplete', lines: { unknown: 4 } });
  });

  test('names all there are, in its mistakes and in its help', async () => {
    const { stderr, code } = await call(['summary', '--agent', 'nobody', join(fixturesOf('codex'), 'text.ndjson')]);
    const { stdout } = await call(['summary', '--help']);
    expect(code).toBe(2);
    for (const agent of ['claude', 'codex', 'copilot', 'gemini', 'goose', 'grok', 'kimi', 'opencode', 'pi', 'qwen']) {
      expect(stderr).toContain(agent);
      expect(stdout).toContain(agent);
    }
  });
});

test('what nobody knows is shown as it came', async () => {
  const line = '{"type":"error","message":"Unknown model id"}';
  const { stdout } = await call(['view', '--plain'], { input: [Buffer.from(`${line}\n`)] });
  expect(stdout).toContain(`(unknown, line 1) ${line}`);
});

test('a stream that changes its language in the middle is shown, the strange part as it came', async () => {
  const codex = readFileSync(join(fixturesOf('codex'), 'text.ndjson'));
  const gemini = readFileSync(join(fixturesOf('gemini'), 'text.ndjson'));
  const { stdout } = await call(['summary', '--json'], { input: [codex, gemini] });
  const summary = JSON.parse(stdout);
  const strange = gemini.toString().trim().split('\n').length;
  expect(summary).toMatchObject({ agent: 'codex', outcome: 'success', lines: { unknown: strange } });
});

test('a session of any agent is printed again by the beginning of its id, and what is neither that nor a file is told so', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tailrace-agents-'));
  const own = { HOME: home, TAILRACE_HOME: join(home, 'data') };
  try {
    const capture = readFileSync(join(fixturesOf('opencode'), 'text.ndjson'));
    expect((await call(['view', '--record', '--plain'], { env: own, input: [capture] })).code).toBe(0);
    const [{ id }] = JSON.parse((await call(['sessions', '--json'], { env: own })).stdout);
    expect(id).not.toMatch(/^[0-9a-f-]+$/);
    const replayed = await call(['replay', id.slice(0, -4), '--speed', '0'], { env: own });
    expect(replayed.stdout).toBe(capture.toString());
    expect(await call(['replay', 'no-such-thing'], { env: own })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no file no-such-thing, and no session whose id begins so'),
    });
    expect((await call(['replay', `${id}.ndjson`], { env: own })).stderr).toContain('there is no file');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
