// Every recorded run of Claude Code: its events are those that were read through once, and they tell the truth.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { capture, captures, decodeAll, type Message, ofType, summarize } from '../../../test/captures.ts';
import { brokenPromises } from '../../../test/promises.ts';
import { createDecoder, type Usage } from '../../index.ts';

const add = (sum: Required<Counts>, usage: Message): Required<Counts> => ({
  inputTokens: sum.inputTokens + usage.inputTokens + usage.cacheReadInputTokens + usage.cacheCreationInputTokens,
  cacheReadTokens: sum.cacheReadTokens + usage.cacheReadInputTokens,
  cacheWriteTokens: sum.cacheWriteTokens + usage.cacheCreationInputTokens,
  outputTokens: sum.outputTokens + usage.outputTokens,
});
type Counts = Pick<Usage, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'outputTokens'>;
const none = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

test('[A-14] there are captures of everything that matters', () => {
  const names = captures.map(({ name }) => name);
  expect(captures.length).toBeGreaterThanOrEqual(100);
  for (const name of [
    'basic-text',
    'tools-parallel',
    'thinking',
    'api-retry',
    'compact-manual',
    'rate-limit-retry',
    'subagent',
    'mcp-tools',
    'tool-errors',
    'unknown-block-partial',
  ]) {
    expect(names).toContain(name);
  }
});

describe.each(captures)('$name', ({ name, bytes, messages, expected, goldenPath }) => {
  const decoder = createDecoder({ maxLineBytes: 64 * 1024 * 1024 });
  const events = [...decoder.feed(bytes), ...decoder.end()];
  const summary = summarize(events, decoder.stats.lines);
  const results = messages.filter(({ type }) => type === 'result');
  const last = results.at(-1);
  // A turn that began after the last result and never got one of its own.
  const isLeftOpen = name.endsWith('second-turn');

  test('gives the events that were read through once', async () => {
    const golden = `[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]\n`;
    await expect(golden).toMatchFileSnapshot(goldenPath);
  });

  test('keeps the promises about events', () => {
    expect(brokenPromises(events)).toEqual([]);
  });

  test('names the session, and ends as the last result says', () => {
    if (expected.session_id !== null) expect(summary.sessionId).toBe(expected.session_id);
    expect(summary.turns).toBe(results.length);
    if (!last || isLeftOpen) expect(['incomplete', 'cancelled']).toContain(summary.outcome);
    else if (!last.is_error) expect(summary.outcome).toBe('success');
    else expect(summary.outcome).toBe(last.terminal_reason?.startsWith('aborted') ? 'cancelled' : 'error');
    if (summary.outcome === 'error') expect(summary.error?.message).toBeTruthy();
    if (summary.outcome === 'success') expect(summary.error).toBeNull();
  });

  test('has the final text', () => {
    if (expected.final_text === null || !last || last.is_error || isLeftOpen) return;
    if (typeof expected.final_text === 'string') expect(summary.text).toBe(expected.final_text);
    else
      expect(
        createHash('sha256')
          .update(summary.text ?? '')
          .digest('hex'),
      ).toBe(expected.final_text.sha256_of_utf8);
  });

  test('has every call with its name, parent and outcome', () => {
    const printed = JSON.stringify(messages);
    const wanted = expected.tool_calls.filter(({ id }) => printed.includes(`"id":"${id}"`));
    const left = [...summary.toolCalls];
    for (const call of wanted) {
      const at = left.findIndex(({ id }) => id === call.id || id.startsWith(`${call.id}#`));
      const [have] = left.splice(at, 1);
      expect(have, call.id).toMatchObject({ name: call.name, parentId: call.parent_tool_use_id });
      if (call.success === true) expect(have?.outcome, call.id).toBe('success');
      if (call.success === false) expect(['error', 'denied', 'cancelled', 'unknown']).toContain(have?.outcome);
    }
    // What is left was asked for in a stream that broke, or run by the provider.
    for (const { id, outcome } of left) {
      const isServers =
        printed.includes(`"server_tool_use","id":"${id}"`) || printed.includes(`"mcp_tool_use","id":"${id}"`);
      if (!isServers) expect(['cancelled', 'unknown'], id).toContain(outcome);
    }
  });

  test('has every sub-agent', () => {
    const printed = JSON.stringify(messages);
    const wanted = (expected.subagents ?? [])
      .map((one) => one.spawned_by_tool_use_id)
      .filter((id) => printed.includes(id));
    expect(summary.subagents.map(({ toolCallId }) => toolCallId).sort()).toEqual(wanted.sort());
  });

  test('counts every token once', () => {
    if (!results.some((result) => result.model_usage_since_last_result)) return;
    const parts = results.flatMap((result) => Object.values(result.model_usage_since_last_result ?? {}));
    const sum = parts.reduce(add, none);
    const cost = parts.reduce((total: number, part: Message) => total + part.costUSD, 0);
    if (isLeftOpen) {
      expect(summary.usage.inputTokens).toBeGreaterThan(sum.inputTokens);
      expect(summary.usage.state).toBe('known');
      return;
    }
    expect(summary.usage).toMatchObject({ ...sum, state: 'reconciled' });
    expect(summary.costUsd).toBeCloseTo(cost, 9);
    expect(summary.costState).toBe('reconciled');
    expect(ofType(events, 'session-end')[0]?.usage).toMatchObject(sum);
    const byModel = Object.values(summary.models).reduce((total, { inputTokens }) => total + (inputTokens ?? 0), 0);
    expect(byModel).toBe(sum.inputTokens);
  });

  test('has no line that nobody knows', () => {
    const unknown = name.startsWith('unknown-block') ? 1 : 0;
    expect(summary.lines.unknown).toBe(unknown);
    expect(summary.lines.notJson + summary.lines.tooLong + summary.lines.spliced).toBe(0);
  });
});

describe('what a run without a result is worth', () => {
  test('a killed run counts each message once, as a lower bound', () => {
    const summary = summarize(decodeAll([capture('sigterm').bytes]));
    expect(summary.usage).toMatchObject({ inputTokens: 400 + 350, state: 'known' });
    expect(summary.usage.outputTokens).toBeGreaterThanOrEqual(2);
    expect(summary.costState).toBe('unknown');
  });

  test('a signal makes it cancelled', () => {
    const events = decodeAll([capture('sigterm').bytes], {}, { code: 143, signal: 'SIGTERM' });
    expect(events.at(-1)).toMatchObject({
      type: 'session-end',
      outcome: 'cancelled',
      exitCode: 143,
      signal: 'SIGTERM',
    });
    expect(summarize(events).outcome).toBe('cancelled');
  });
});

describe('a resumed or forked session', () => {
  test('counts what this process was served, not what earlier ones were', () => {
    const totals = ['resume-fork.run1', 'resume-fork.run2', 'resume-fork.run3'].map((name) => {
      const { bytes, expected } = capture(name);
      const served = expected.tokens_served_total;
      const { usage } = summarize(decodeAll([bytes]));
      expect(usage.outputTokens).toBe(served['output_tokens']);
      return usage.outputTokens;
    });
    expect(totals).toHaveLength(3);
  });
});
