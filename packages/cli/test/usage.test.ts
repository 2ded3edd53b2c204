// `tailrace usage` and `tailrace statusline` as people call them.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scanUsage } from '@tailrace/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, fixtures } from './command.ts';

let home = '';
let tree = '';
let env: Record<string, string> = {};

const line = (id: string, time: string, more: object = {}): string =>
  `${JSON.stringify({
    type: 'assistant',
    isSidechain: false,
    message: {
      id,
      model: 'claude-opus-4-5-20251101',
      role: 'assistant',
      content: [{ type: 'text', text: 'words' }],
      usage: { input_tokens: 10, output_tokens: 100, cache_read_input_tokens: 1000, cache_creation_input_tokens: 0 },
    },
    timestamp: time,
    sessionId: '11111111-1111-4111-8111-111111111111',
    cwd: '/home/dev/=shop',
    ...more,
  })}\n`;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'tailrace-usage-'));
  tree = join(home, 'claude');
  mkdirSync(join(tree, 'projects', 'p'), { recursive: true });
  const file = join(tree, 'projects', 'p', '11111111-1111-4111-8111-111111111111.jsonl');
  writeFileSync(
    file,
    line('a', '2026-11-14T23:30:00.000Z') +
      line('a', '2026-11-14T23:30:01.000Z') +
      line('b', '2026-11-15T10:00:00.000Z'),
  );
  env = { TAILRACE_HOME: join(home, 'data'), CLAUDE_CONFIG_DIR: tree, HOME: home, TZ: 'UTC' };
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const COST = (10 * 5 + 1000 * 0.5 + 100 * 25) / 1e6;

describe('usage', () => {
  test('by agent, sub-agent and tool: from files alone as far as they tell it, then from what is kept', async () => {
    const place = { ...env, TAILRACE_HOME: join(home, 'kept') };
    const keysBy = async (by: string): Promise<unknown> => {
      const { stdout } = await call(['usage', '--json', '--by', by], { env: place });
      const { rows, totals } = JSON.parse(stdout);
      expect(rows.reduce((sum: number, row: { costUsd: number }) => sum + row.costUsd, 0)).toBeCloseTo(
        totals.costUsd,
        9,
      );
      return rows.map(({ key, costState }: { key: string; costState: string }) => [key, costState]);
    };
    expect(await keysBy('agent')).toEqual([['claude', 'estimated']]);
    expect(await keysBy('subagent')).toEqual([['main', 'estimated']]);
    expect(await keysBy('tool')).toEqual([['unknown', 'estimated']]);
    await call(['--record'], { env: place, input: [readFileSync(`${fixtures}subagent.ndjson`)] });
    const [tools, subagents] = [await keysBy('tool'), await keysBy('subagent')];
    expect(tools).toEqual(expect.arrayContaining([['Agent', 'estimated']]));
    expect(subagents).toEqual(expect.arrayContaining([['main', 'estimated']]));
    expect((subagents as unknown[]).length).toBeGreaterThan(1);
  });

  test('has the promised shape', async () => {
    const { code, stdout, stderr } = await call(['usage', '--json', '--timezone', 'Europe/Zurich'], { env });
    expect([code, stderr]).toEqual([0, '']);
    const { totals, rows, prices, unpriced } = JSON.parse(stdout);
    expect(totals).toMatchObject({
      inputTokens: 2020,
      cacheReadTokens: 2000,
      cacheWriteTokens: 0,
      outputTokens: 200,
      messages: 2,
    });
    expect(totals.costUsd).toBeCloseTo(2 * COST, 9);
    // Half past eleven in Greenwich is the next day in Zurich.
    expect(rows.map(({ key }: { key: string }) => key)).toEqual(['2026-11-15']);
    expect(prices).toEqual({ source: '@pydantic/genai-prices 0.1.8', date: '2026-09-23' });
    expect(unpriced).toEqual([]);
  });

  test.each([
    ['day', ['2026-11-14', '2026-11-15']],
    ['week', ['2026-11-09']],
    ['month', ['2026-11']],
    ['session', ['11111111-1111-4111-8111-111111111111']],
    ['project', ['/home/dev/=shop']],
    ['model', ['claude-opus-4-5-20251101']],
    ['block', ['2026-11-14T23:00:00.000Z', '2026-11-15T10:00:00.000Z']],
  ])('by %s', async (by, keys) => {
    const { stdout } = await call(['usage', '--json', '--by', by, '--dir', tree], { env });
    expect(JSON.parse(stdout).rows.map(({ key }: { key: string }) => key)).toEqual(keys);
  });

  test('of a tree that was named has nothing of the others, and equals the whole parse of every recording', async () => {
    const { stdout } = await call(['usage', '--json', '--dir', fixtures], { env });
    const { entries } = await scanUsage({ dirs: [fixtures], workers: 0 });
    expect(JSON.parse(stdout).totals.outputTokens).toBe(
      [...entries].reduce((sum, entry) => sum + entry.outputTokens, 0),
    );
  });

  test('keeps what it found in private files', async () => {
    await call(['usage', '--dir', tree], { env });
    for (const name of ['usage-cache', 'price-cache.json'])
      expect(statSync(join(home, 'data', name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(home, 'data', 'usage-cache'), 'utf8')).toContain('"b"');
  });

  test('warns when a limit is reached, and a script notices', async () => {
    const low = await call(['usage', '--warn-at', '0.001', '--json'], { env });
    expect([low.code, low.stderr]).toEqual([1, 'tailrace: ~$0.00610 were spent, which is not below $0.001\n']);
    expect((await call(['usage', '--warn-at', '5'], { env })).code).toBe(0);
  });

  test('is a table, a spreadsheet, or one line', async () => {
    expect((await call(['usage'], { env })).stdout).toMatch(/^day .*\n2026-11-14 .*\n2026-11-15 .*\ntotal .*\n/);
    expect((await call(['usage', '--csv', '--by', 'project'], { env })).stdout.split('\r\n')[1]).toMatch(
      /^\/home\/dev\/=shop,2,2020,/,
    );
    expect((await call(['usage', '--live'], { env })).stdout).toMatch(/^(no block is running|block until .*)\n$/);
  });

  test.each([
    [['--by', 'hour'], '--by takes day, week'],
    [['--since', 'soon'], '--since takes a day'],
    [['--timezone', 'X/Y'], 'there is no time zone'],
    [['--json', '--csv'], 'not both'],
  ])('%j is wrong usage', async (words, message) => {
    const { code, stderr } = await call(['usage', ...words], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('many files', () => {
  test('are read by several threads, from the bundle and from the package, and nothing is counted twice', async () => {
    const folder = join(home, 'many');
    const padding = 'x'.repeat(1_000_000);
    for (let session = 0; session < 40; session++) {
      const sessionId = `22222222-2222-4222-8222-${String(session).padStart(12, '0')}`;
      mkdirSync(join(folder, 'p'), { recursive: true });
      const noise = `${JSON.stringify({ type: 'user', message: { role: 'user', content: padding } })}\n`;
      writeFileSync(
        join(folder, 'p', `${sessionId}.jsonl`),
        noise + line(`m${session}`, '2026-11-15T10:00:00.000Z', { sessionId }) + noise,
      );
    }
    const { stdout } = await call(['usage', '--json', '--no-cache', '--dir', folder], { env });
    expect(JSON.parse(stdout).totals.messages).toBe(40);
    const { entries, threads } = await scanUsage({ dirs: [folder], workers: 2 });
    expect([[...entries].length, threads]).toEqual([40, 3]);
  });
});

describe('statusline', () => {
  const status = (input: string): ReturnType<typeof call> => call(['statusline'], { env, input: [Buffer.from(input)] });

  test('is one line with what is known', async () => {
    const payload = {
      session_id: '11111111-1111-4111-8111-111111111111',
      model: { id: 'claude-opus-4-5', display_name: 'Opus 4.5' },
      cost: { total_cost_usd: 0.42 },
      context_window: { context_window_size: 200_000, used_percentage: 10 },
    };
    const { code, stdout, stderr } = await status(JSON.stringify(payload));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Opus 4\.5 · \$0\.420 session · .*20k context \(10 %\)\n$/);
  });

  test.each(['', 'no JSON', '[]', 'null', '{"model":7,"cost":"x","context_window":[]}', `${'['.repeat(100_000)}`])(
    'never fails: %.30j',
    async (input) => {
      const { code, stdout, stderr } = await status(input);
      expect([code, stderr, stdout.split('\n').length]).toEqual([0, '', 2]);
    },
  );
});
