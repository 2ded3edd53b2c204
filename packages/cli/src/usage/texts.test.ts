// The bill as text: tables, spreadsheets, one line.

import { usageCsv } from '@tailrace/protocol';
import type { UsageReport, UsageRow, UsageSums } from '@tailrace/store';
import { describe, expect, test } from 'vitest';
import { createPalette } from '../printer/palette.ts';
import { describeBlock } from './block-line.ts';
import { showLive } from './live.ts';
import { statusLine } from './status-line.ts';
import { showUsage } from './table.ts';

const sums: UsageSums = {
  inputTokens: 4_481_183_643,
  cacheReadTokens: 4_356_145_203,
  cacheWriteTokens: 117_346_930,
  cacheWrite5mTokens: 82_264_448,
  cacheWrite1hTokens: 35_082_482,
  outputTokens: 28_697_652,
  cacheShare: 0.97,
  costUsd: 1988.652518,
  costState: 'estimated',
  messages: 38_274,
};
const row = (key: string, more: Partial<UsageRow> = {}): UsageRow => ({
  ...sums,
  key,
  models: [],
  firstAt: null,
  lastAt: null,
  ...more,
});
const report = (rows: readonly UsageRow[], more: Partial<UsageReport> = {}): UsageReport => ({
  by: 'day',
  totals: sums,
  rows,
  unpriced: [],
  ...more,
});
const palette = createPalette(false);

describe('the table', () => {
  test.each([60, 80, 99, 100, 120, 200])('fits into %i columns, figures under each other', (width) => {
    const long = 'a-project-with-a-very-long-name-that-nobody-would-want-to-read-to-its-end';
    const lines = showUsage(report([row('2026-11-15'), row(long)], { by: 'project' }), {
      width,
      palette,
      locale: 'en',
    }).split('\n');
    const table = lines.slice(0, 4);
    for (const line of table) expect([...line].length).toBeLessThanOrEqual(Math.max(width, 60));
    expect(new Set(table.map((line) => line.length)).size).toBe(1);
    expect(table[3]).toMatch(/^total .*~\$1988\.65$/);
  });

  test('is compact under 100 columns, and has the caches apart above', () => {
    const at = (width: number): string => showUsage(report([row('2026-11-15')]), { width, palette, locale: 'en' });
    expect(at(99).split('\n')[1]).toBe('2026-11-15   4.5G   28.7M  ~$1988.65');
    expect(at(120).split('\n').slice(0, 2)).toEqual([
      'day         messages          input     cache read    5m write    1h write      output       cost',
      '2026-11-15    38,274  4,481,183,643  4,356,145,203  82,264,448  35,082,482  28,697,652  ~$1988.65',
    ]);
  });

  test('writes figures as people there write them', () => {
    expect(showUsage(report([row('x')]), { width: 140, palette, locale: 'de' })).toContain('28.697.652');
  });

  test('tells the day of the prices, what has none, and where the month goes', () => {
    const month = { key: '2026-11', costUsd: 30, costState: 'reconciled', projectedUsd: 60 } as const;
    const text = showUsage(report([row('x')], { unpriced: ['local'], month }), { width: 120, palette });
    expect(text).toContain('prices of 2026-09-23');
    expect(text).toContain('no price for local');
    expect(text).toContain('2026-11: $30.00 so far, ~$60.00 at this pace');
    const told = { ...sums, costState: 'reconciled' } as const;
    expect(showUsage(report([row('x')], { totals: told }), { width: 120, palette })).not.toContain('prices of');
    expect(showUsage(report([]), { width: 120, palette })).toBe('nothing was used\n');
  });

  test('[T-18] cannot be steered by a name', () => {
    const text = showUsage(
      report([row('\u001b]0;title\u0007evil\u001b[2J\nrow')], { by: 'project', unpriced: ['\u001b[31mred'] }),
      { width: 120, palette },
    );
    expect(text).not.toContain('\u001b');
    expect(text.split('\n')[1]).toMatch(/^evil row/);
  });
});

describe('the spreadsheet', () => {
  test('has a head, the rows and the totals', () => {
    const [head, first, total, rest] = usageCsv(
      report([row('2026-11-15', { costUsd: null, costState: 'unknown' })]),
    ).split('\r\n');
    expect(head).toBe(
      'key,messages,inputTokens,cacheReadTokens,cacheWriteTokens,cacheWrite5mTokens,cacheWrite1hTokens,outputTokens,costUsd,costState',
    );
    expect(first).toBe('2026-11-15,38274,4481183643,4356145203,117346930,82264448,35082482,28697652,,unknown');
    expect(total).toMatch(/^total,/);
    expect(rest).toBe('');
  });

  test.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+x', "'+x"],
    ['-home-dev', "'-home-dev"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['plain', 'plain'],
  ])('%j is no formula and breaks nothing', (key, cell) => {
    expect(
      usageCsv(report([row(key)]))
        .slice(usageCsv(report([])).indexOf('\r\n') + 2)
        .startsWith(`${cell},`),
    ).toBe(true);
  });
});

describe('the running block', () => {
  const burnRate = {
    tokensPerMinute: 5200.4,
    usdPerHour: 2.1,
    projectedTokens: 1,
    projectedUsd: 8.9,
    minutesLeft: 130,
  };
  const active = row('2026-11-15T14:00:00.000Z', { costUsd: 3.4, endsAt: 0, isActive: true, burnRate });

  test('is one line', () => {
    expect(describeBlock(active)).toMatch(
      /^block until \d\d:\d\d · ~\$3\.40 · 5200 tokens\/min · ~\$2\.10\/h · ~\$8\.90 at its end, in 2h 10m$/,
    );
  });

  test('is told again on a terminal until it is stopped, and once elsewhere', async () => {
    const stop = new AbortController();
    const written: string[] = [];
    let looks = 0;
    const options = {
      async report(): Promise<UsageReport> {
        if (++looks === 3) stop.abort();
        return report(looks === 1 ? [] : [active], { by: 'block' });
      },
      write: async (text: string) => void written.push(text),
      signal: stop.signal,
      wait: async () => {},
    };
    await showLive({ ...options, isTerminal: true });
    expect(written.map((text) => text.slice(0, 12))).toEqual([
      '\r\u001b[Kno block',
      '\r\u001b[Kblock un',
      '\r\u001b[Kblock un',
      '\n',
    ]);
    await showLive({ ...options, isTerminal: false });
    expect([written.length, written.at(-1)]).toEqual([5, `${describeBlock(active)}\n`]);
  });

  test('stands in the line for the status bar, with all that is known', () => {
    const facts = { sessionId: 's', model: 'Opus', costUsd: 0.5, contextUsed: 84_200, contextSize: 200_000 };
    const figures = { today: { ...sums, costUsd: 12, costState: 'reconciled' }, session: sums, block: active } as const;
    expect(statusLine(facts, figures)).toBe(
      'Opus · $0.500 session · $12.00 today · ~$3.40 block at ~$2.10/h, 2h 10m left · 84k context (42 %)',
    );
    const none = { ...sums, messages: 0, costUsd: null, costState: 'unknown' } as const;
    const nobody = {
      sessionId: undefined,
      model: '\u001b[31mx',
      costUsd: undefined,
      contextUsed: undefined,
      contextSize: undefined,
    };
    expect(statusLine(nobody, { today: none, session: none, block: undefined })).toBe('x');
  });
});
