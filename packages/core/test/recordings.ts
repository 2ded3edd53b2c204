// The recorded runs of the agents beside Claude, with what the scripted model served in each: the truth their events are held against.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../proof/counts.ts';
import { type Agent, type AgentStreamEvent, createDecoder, type Exit, type Summary } from '../src/index.ts';
import { testAgent } from '../src/testing/index.ts';
import { ofType, summarize } from './captures.ts';
import { brokenPromises } from './promises.ts';

export interface Recording {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly exit: Exit;
  readonly meta: Meta;
  readonly goldenPath: string;
}

interface Meta {
  readonly argv: readonly string[];
  readonly exitCode: number | null;
  readonly exitSignal: string | null;
  readonly sentSignal: string | null;
  readonly nonJsonLines: number;
  readonly groundTruth: Truth;
}

interface Truth {
  readonly wireApi: string;
  readonly turns: readonly { readonly text?: string; readonly toolCalls?: readonly ServedCall[] }[];
  readonly streamFailures: readonly unknown[];
  readonly usageTotal: ServedUsage;
  readonly usageTotalWithSideCalls: ServedUsage;
  readonly finalText: string | null;
}

export interface ServedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

interface ServedUsage {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
}

const fixtures = fileURLToPath(new URL('../../../fixtures/', import.meta.url));

/** The recorded runs of one agent, of every version of it that was recorded. */
export function recordingsOf(agent: string): readonly Recording[] {
  return readdirSync(`${fixtures}${agent}`).flatMap((version) => {
    const folder = `${fixtures}${agent}/${version}/`;
    return readdirSync(folder)
      .filter((file) => file.endsWith('.meta.json'))
      .sort()
      .map((file) => {
        const name = file.slice(0, -'.meta.json'.length);
        const meta: Meta = JSON.parse(readFileSync(folder + file, 'utf8'));
        return {
          name,
          bytes: readFileSync(`${folder}${name}.ndjson`),
          exit: { code: meta.exitCode, signal: meta.exitSignal },
          meta,
          goldenPath: `${folder}${name}.events.json`,
        };
      });
  });
}

/** Every whole message in an agent's recordings. */
export function messagesOf(agent: string): readonly unknown[] {
  return recordingsOf(agent).flatMap(({ bytes }) =>
    Buffer.from(bytes)
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line)),
  );
}

function eventsOf(agent: Agent, { bytes }: Pick<Recording, 'bytes'>, exit?: Exit): AgentStreamEvent[] {
  const decoder = createDecoder({ agent });
  return [...decoder.feed(bytes), ...decoder.end(exit)];
}

/** Events of messages given as objects, one per line; a string is a line as it is. */
export function eventsOfMessages(agent: Agent, messages: readonly unknown[], exit?: Exit): AgentStreamEvent[] {
  const text = messages.map((message) => (typeof message === 'string' ? message : JSON.stringify(message))).join('\n');
  return eventsOf(agent, { bytes: Buffer.from(`${text}\n`) }, exit);
}

export interface RecordingOptions {
  /** The name under which the agent prints a call that the model made, if it prints it at all. As the model said, unless told. */
  readonly printed?: ((call: ServedCall) => string | undefined) | undefined;
  /** What is counted by the agent: side calls too, the main thread's alone, or nothing. */
  readonly tokens: 'all' | 'main' | 'none';
  /** Fields that it does not tell, though it tells the others. */
  readonly untold?: readonly ('cacheReadTokens' | 'cacheWriteTokens')[] | undefined;
  /** The first message alone tells whose stream it is. */
  readonly firstLine?: boolean | undefined;
  /** How a run that failed or was stopped may look when nobody tells the exit code; one that ended well is a success. */
  readonly silent?: readonly string[] | undefined;
  readonly takesNext?: boolean | undefined;
  /** Messages in the agent's own manner that nobody knows. */
  readonly invented?: readonly unknown[] | undefined;
}

/** Everything that is asked of an agent's recordings: the suite for agents, and the ground truth. */
export function testRecordings(agent: Agent, options: RecordingOptions): void {
  const recordings = recordingsOf(agent.name);
  testAgent(
    agent,
    {
      fixtures: recordings.map(({ name, bytes, exit }) => ({ name, bytes, exit })),
      firstLine: options.firstLine,
      takesNext: options.takesNext,
      invented: options.invented,
      counts: { bends: counts.agentBends, cuts: counts.cuts },
    },
    test,
  );
  describe.each(recordings)(`${agent.name}/$name`, (one) => testRecording(agent, one, options));
}

function testRecording(agent: Agent, one: Recording, options: RecordingOptions): void {
  const { bytes, meta, exit, goldenPath } = one;
  const truth = meta.groundTruth;
  const raw = Buffer.from(bytes).toString();
  const decoder = createDecoder();
  const events = [...decoder.feed(bytes), ...decoder.end()];
  const summary = summarize(events, decoder.stats.lines);
  const isGood = !meta.sentSignal && meta.exitCode === 0 && truth.finalText !== null;

  test('is recognised, and gives the events that were read through once', async () => {
    expect(decoder.agent).toBe(agent.name);
    const golden = `[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]\n`;
    await expect(golden).toMatchFileSnapshot(goldenPath);
  });

  test('keeps the promises about events', () => {
    expect(brokenPromises(events)).toEqual([]);
    expect(brokenPromises(eventsOf(agent, one, exit))).toEqual([]);
  });

  test('ends as it did', () => {
    const known = summarize(eventsOf(agent, one, exit)).outcome;
    if (isGood) expect([summary.outcome, known]).toEqual(['success', 'success']);
    else if (meta.sentSignal) {
      expect(['cancelled', 'incomplete']).toContain(summary.outcome);
      // Codex ends with 1 whether it failed or was stopped.
      expect(known).not.toBe('success');
    } else {
      expect(['error', ...(options.silent ?? [])]).toContain(summary.outcome);
      if (meta.exitCode !== 0) expect(known).toBe('error');
    }
    expect(summary.error === null).toBe(summary.outcome !== 'error');
    if (isGood && /"(?!subagent)\w*session\w*"/i.test(raw)) expect(raw).toContain(summary.sessionId ?? 'a session id');
  });

  test('has the texts that the model served', () => {
    const texts = ofType(events, 'text-end')
      .filter(({ subagentId }) => subagentId === undefined)
      .map(({ text }) => text);
    if (isGood || (truth.finalText !== null && raw.includes(JSON.stringify(truth.finalText)))) {
      expect(summary.text).toBe(truth.finalText);
      expect(texts.at(-1)).toBe(truth.finalText);
    }
    if (isGood && truth.streamFailures.length === 0)
      expect(texts.join('')).toBe(truth.turns.map(({ text }) => text ?? '').join(''));
  });

  test('has the calls that the model made', () => {
    if (!isGood) return;
    const served = truth.turns.flatMap(({ toolCalls }) => toolCalls ?? []);
    const printed = served.flatMap((call) => (options.printed ? (options.printed(call) ?? []) : [call.name]));
    const main = summary.toolCalls.filter(({ subagentId }) => subagentId === null);
    expect(main.map(({ name }) => name).sort()).toEqual(printed.sort());
  });

  test('counts what the model served', () => testTokens(summary, truth, isGood, options));

  test('has no line that nobody knows', () => {
    expect(summary.lines.unknown).toBe(0);
    expect(summary.lines.notJson).toBeLessThanOrEqual(meta.nonJsonLines);
  });
}

function testTokens(summary: Summary, truth: Truth, isGood: boolean, { tokens, untold = [] }: RecordingOptions): void {
  if (tokens === 'none') {
    expect(summary.usage).toEqual({ state: 'unknown' });
    return;
  }
  if (!isGood || truth.streamFailures.length > 0) return;
  const served = tokens === 'all' ? truth.usageTotalWithSideCalls : truth.usageTotal;
  const caches = truth.wireApi === 'anthropic' ? served.cachedInput + served.cacheWrite : 0;
  expect(summary.usage.inputTokens).toBe(served.input + caches);
  expect(summary.usage.outputTokens).toBe(served.output + (truth.wireApi === 'gemini' ? served.reasoning : 0));
  if (!untold.includes('cacheReadTokens')) expect(summary.usage.cacheReadTokens ?? 0).toBe(served.cachedInput);
  if (!untold.includes('cacheWriteTokens')) expect(summary.usage.cacheWriteTokens ?? 0).toBe(served.cacheWrite);
}
