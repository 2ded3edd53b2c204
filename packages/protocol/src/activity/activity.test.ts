// What an agent's work looks like in five messages.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AgentStreamEvent, createDecoder } from '@tailrace/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ActivityOptions, createActivity } from './activity.ts';
import { cutText } from './cut-text.ts';
import {
  createFileChangedEvent,
  createOutputEvent,
  createProgressEvent,
  createToolCallEvent,
  createToolResultEvent,
} from './factories.ts';
import {
  type ActivityMessage,
  agentOutput,
  agentToolCall,
  agentToolResult,
  fileChanged,
  PREVIEW_CHARACTERS,
  progressUpdate,
} from './messages.ts';
import { type ParseActivityOptions, parseActivity } from './parse.ts';

const AT = Date.UTC(2026, 10, 15, 10);
const schemas = {
  agent_tool_call: agentToolCall,
  agent_tool_result: agentToolResult,
  agent_output: agentOutput,
  file_changed: fileChanged,
  progress_update: progressUpdate,
} as const;

type Fields = Record<string, unknown> & { readonly type: string };
/** Events as a decoder would give them, a second apart. */
const tell = (events: readonly Fields[], options: Partial<ActivityOptions> = {}): readonly ActivityMessage[] => {
  const activity = createActivity({ workOrderId: 'order', runId: 'run', progressIntervalMs: 1e9, ...options });
  return events.flatMap((event, seq) => activity.add({ seq, time: AT + seq * 1000, ...event } as AgentStreamEvent));
};
const ofType = <T extends ActivityMessage['type']>(messages: readonly ActivityMessage[], type: T) =>
  messages.filter((message): message is Extract<ActivityMessage, { type: T }> => message.type === type);
const call = (toolName: string, input: unknown, more: object = {}): readonly Fields[] => [
  { type: 'tool-call-start', toolCallId: 'c', toolName, kind: 'other', ...more },
  { type: 'tool-call-input-end', toolCallId: 'c', input },
];
const result = (content: readonly object[], more: object = {}): Fields => ({
  type: 'tool-call-end',
  toolCallId: 'c',
  toolName: 'Bash',
  outcome: 'success',
  content,
  ...more,
});

describe('[W-01] a call', () => {
  test('has the ids, the tool, its input and a time', () => {
    const [message] = ofType(tell(call('Bash', { command: 'ls' })), 'agent_tool_call');
    expect(message).toEqual({
      type: 'agent_tool_call',
      workOrderId: 'order',
      runId: 'run',
      eventId: 'run/c',
      toolUseId: 'c',
      tool: 'Bash',
      input: { command: 'ls' },
      timestamp: '2026-11-15T10:00:01.000Z',
    });
  });

  test.each([
    ['Read', {}, 'Read'],
    ['WebSearch', {}, 'WebSearch'],
    ['shell', { kind: 'execute' }, 'Bash'],
    ['view', { kind: 'read' }, 'Read'],
    ['list', { kind: 'search', tags: ['list'] }, 'Glob'],
    ['grep', { kind: 'search' }, 'Grep'],
    ['find', { kind: 'fetch', tags: ['web_search'] }, 'WebSearch'],
    ['get', { kind: 'fetch' }, 'WebFetch'],
    ['apply', { kind: 'edit' }, 'Edit'],
    ['mcp__x__run', { kind: 'execute', tags: ['mcp'] }, 'Other'],
    ['constructor', {}, 'Other'],
  ])('of %s with %j is %s', (name, more, tool) => {
    expect(ofType(tell(call(name, {}, more)), 'agent_tool_call')[0]?.tool).toBe(tool);
  });

  test.each([
    [undefined, {}],
    [null, {}],
    ['text', { value: 'text' }],
    [[1], { value: [1] }],
    [{ __proto__: null, constructor: 1 }, { constructor: 1 }],
  ])('with the input %j has %j', (input, expected) => {
    const [message] = ofType(tell(call('Read', input)), 'agent_tool_call');
    expect(message?.input).toEqual(expected);
    expect(agentToolCall.safeParse(message).success).toBe(true);
  });

  test('whose input nobody told comes with its result', () => {
    const [start] = call('Bash', undefined);
    const messages = tell([start as Fields, result([])]).map(({ type }) => type);
    expect(messages.filter((type) => type !== 'progress_update')).toEqual(['agent_tool_call', 'agent_tool_result']);
  });
});

describe('[W-02] a result', () => {
  test('has its success, its beginning, its length and how long it took', () => {
    const [message] = ofType(
      tell([...call('Bash', {}), result([{ type: 'text', text: 'x'.repeat(700) }])]),
      'agent_tool_result',
    );
    expect(message).toMatchObject({
      toolUseId: 'c',
      success: true,
      contentPreview: 'x'.repeat(PREVIEW_CHARACTERS),
      contentLength: 700,
      durationMs: 2000,
    });
  });

  test('takes the duration that was told, and 0 where nobody knows', () => {
    const own = tell([...call('Bash', {}), result([], { durationMs: 54 })]);
    expect(ofType(own, 'agent_tool_result')[0]?.durationMs).toBe(54);
    expect(ofType(tell([result([])]), 'agent_tool_result')[0]?.durationMs).toBe(0);
  });

  test.each(['error', 'denied', 'cancelled', 'unknown'])('that is %s is no success, and says why', (outcome) => {
    const messages = tell([result([], { outcome, error: { code: 'unknown', message: 'no such file' } })]);
    expect(ofType(messages, 'agent_tool_result')[0]).toMatchObject({ success: false, contentPreview: 'no such file' });
  });

  test('has the text of all its parts', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      { type: 'json', value: { b: 1 } },
      { type: 'resource', uri: 'file:c' },
    ];
    expect(ofType(tell([result(parts)]), 'agent_tool_result')[0]?.contentPreview).toBe('a\n{"b":1}\nfile:c');
  });

  test('is never cut in the middle of a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite', maxLength: 60 }), fc.nat(60), (text, most) => {
        const cut = cutText(text, most);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, most) - 1);
        expect(cut.length).toBeLessThanOrEqual(most);
        expect(cut).not.toMatch(/[\ud800-\udbff]$/);
      }),
    );
  });
});

describe('[W-03] output', () => {
  const says = [
    { type: 'reasoning-end', messageId: 'm', blockId: 'r', text: 'hm', form: 'full' },
    { type: 'text-end', messageId: 'm', blockId: 't', text: 'hello' },
    { type: 'text-end', messageId: 'm', blockId: 'e', text: '' },
    { type: 'notice', severity: 'info', title: 'internal' },
  ];

  test('is what the agent says, and nothing internal', () => {
    expect(ofType(tell(says), 'agent_output')).toMatchObject([
      { content: 'hello', workOrderId: 'order', runId: 'run', timestamp: '2026-11-15T10:00:01.000Z' },
    ]);
  });

  test('has what it thinks only where that is wanted', () => {
    const messages = ofType(tell(says, { includeReasoning: true }), 'agent_output');
    expect(messages.map(({ content }) => content)).toEqual(['hm', 'hello']);
  });
});

describe('[W-04] a changed file', () => {
  const change = (changes: readonly object[], more: object = {}): Fields => ({
    type: 'file-change',
    changes,
    outcome: 'success',
    ...more,
  });
  const started = { type: 'session-start', agent: 'claude', cwd: '/home/dev/shop' };

  test.each([
    [{ path: '/home/dev/shop/src/a.ts', operation: 'add', sizeBytes: 7 }, [['src/a.ts', 'created', 7]]],
    [{ path: '/home/dev/shop/a.ts', operation: 'modify' }, [['a.ts', 'modified', undefined]]],
    [{ path: '/home/dev/shop/a.ts', operation: 'delete', sizeBytes: 7 }, [['a.ts', 'deleted', undefined]]],
    [{ path: '/home/dev/shop/b', operation: 'copy', fromPath: '/home/dev/shop/a' }, [['b', 'created', undefined]]],
    [
      { path: '/home/dev/shop/b', operation: 'move', fromPath: '/home/dev/shop/a', sizeBytes: 1 },
      [
        ['a', 'deleted', undefined],
        ['b', 'created', 1],
      ],
    ],
    [{ path: '/home/dev/shopping/a', operation: 'modify' }, [['/home/dev/shopping/a', 'modified', undefined]]],
    [{ path: '/home/dev/shop', operation: 'modify' }, [['/home/dev/shop', 'modified', undefined]]],
  ])('%j is %j', (one, expected) => {
    const messages = ofType(tell([started, change([one])]), 'file_changed');
    expect(messages.map(({ path, action, sizeBytes }) => [path, action, sizeBytes])).toEqual(expected);
    for (const message of messages) expect(fileChanged.safeParse(message).success).toBe(true);
  });

  test('is none when the change failed', () => {
    expect(ofType(tell([change([{ path: 'a', operation: 'modify' }], { outcome: 'error' })]), 'file_changed')).toEqual(
      [],
    );
  });
});

describe('[W-05] [W-12] progress', () => {
  const work = (calls: number): Fields[] =>
    Array.from({ length: calls }, (_, index) => ({
      type: 'tool-call-start',
      toolCallId: `c${index}`,
      toolName: 'Read',
      kind: 'read',
    }));

  test('tells how far it is, what it is at, its calls and its time', () => {
    const messages = ofType(
      tell([{ type: 'turn-start', turnId: 't' }, ...work(3), { type: 'turn-end', turnId: 't', outcome: 'success' }]),
      'progress_update',
    );
    expect(messages.at(-1)).toMatchObject({
      percentage: 100,
      toolCallCount: 3,
      elapsedSeconds: 4,
      currentPhase: 'done',
    });
    for (const message of messages) expect(progressUpdate.safeParse(message).success).toBe(true);
  });

  test('comes at the set interval, and never falls within a turn', () => {
    const events = [{ type: 'turn-start', turnId: 't' }, ...work(60)];
    const messages = ofType(tell(events, { progressIntervalMs: 10_000 }), 'progress_update');
    expect(messages).toHaveLength(7);
    const parts = messages.map(({ percentage }) => percentage);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    expect(messages.at(-1)?.currentPhase).toBe('reading files');
  });

  test('is compared with earlier turns of the same kind', () => {
    const history = [{ kind: 'small', durationMs: 20_000, toolCalls: 10 }];
    const events = [{ type: 'turn-start', turnId: 't' }, ...work(9)];
    const told = (kind: string): number =>
      ofType(tell(events, { progressIntervalMs: 0, progress: { history, kind } }), 'progress_update').at(-1)
        ?.percentage ?? 0;
    expect(told('small')).toBeGreaterThan(0);
  });
});

describe('[W-10] the factories', () => {
  test('fill every field, whatever they are given', () => {
    const made = [
      createToolCallEvent('o', 'r', { toolUseId: 'c', tool: 'Read' }),
      createToolResultEvent('o', 'r', { toolUseId: 'c', success: false }),
      createOutputEvent('o', 'r', ''),
      createFileChangedEvent('o', 'r', { path: 'a', action: 'created', sizeBytes: 0 }),
      createProgressEvent('o', 'r', { percentage: 0, currentPhase: '', toolCallCount: 0, elapsedSeconds: 0 }),
    ];
    for (const message of made) {
      expect(schemas[message.type].safeParse(message)).toMatchObject({ success: true });
      expect(message).toMatchObject({ workOrderId: 'o', runId: 'r', timestamp: expect.stringMatching(/^\d{4}-.*Z$/) });
    }
  });

  test('take the time that is told, and now for one beyond all calendars', () => {
    expect(createOutputEvent('o', 'r', 'x', AT).timestamp).toBe('2026-11-15T10:00:00.000Z');
    expect(createOutputEvent('o', 'r', 'x', 1e300).timestamp).toMatch(/^20/);
    expect(createToolResultEvent('o', 'r', { toolUseId: 'c', success: true, durationMs: -5 }).durationMs).toBe(0);
  });
});

describe('[W-11] a stream of lines', () => {
  const fixtures = fileURLToPath(new URL('../../../../fixtures/claude/2.1.325/', import.meta.url));
  const captures = readdirSync(fixtures).filter((name) => name.endsWith('.ndjson'));
  const linesOf = (name: string): string[] => readFileSync(fixtures + name, 'utf8').split('\n');
  const gather = async (lines: AsyncIterable<string> | Iterable<string>, options: ParseActivityOptions = {}) => {
    const all: ActivityMessage[] = [];
    for await (const message of parseActivity(lines, 'order', 'run', { now: () => AT, ...options })) all.push(message);
    return all;
  };

  test.each(captures)('%s gives valid messages, in order, each call before its result', async (name) => {
    const messages = await gather(linesOf(name));
    for (const message of messages) expect(schemas[message.type].safeParse(message)).toMatchObject({ success: true });
    const calls = ofType(messages, 'agent_tool_call').map(({ toolUseId }) => toolUseId);
    expect(new Set(calls).size).toBe(calls.length);
    for (const { toolUseId } of ofType(messages, 'agent_tool_result')) {
      const place = messages.findIndex((one) => one.type === 'agent_tool_result' && one.toolUseId === toolUseId);
      expect(messages.findIndex((one) => one.type === 'agent_tool_call' && one.toolUseId === toolUseId)).toBeLessThan(
        place,
      );
    }
    const decoder = createDecoder({ agent: 'claude' });
    const events = [...decoder.feed(readFileSync(fixtures + name)), ...decoder.end()];
    expect(ofType(messages, 'agent_tool_result')).toHaveLength(
      events.filter(({ type }) => type === 'tool-call-end').length,
    );
  });

  test('tells progress on its way', async () => {
    let now = AT;
    const messages = await gather(linesOf('demo.ndjson'), { now: () => (now += 400), progressIntervalMs: 1000 });
    expect(ofType(messages, 'progress_update').length).toBeGreaterThan(2);
  });

  test('that breaks off is told as far as it came, and does not throw', async () => {
    const lines = linesOf('tools-read-edit.ndjson');
    const errors: unknown[] = [];
    async function* broken(): AsyncGenerator<string> {
      yield* lines.slice(0, 12);
      throw new Error('the pipe is gone');
    }
    const messages = await gather(broken(), { onError: (error) => errors.push(error) });
    expect(errors).toEqual([new Error('the pipe is gone')]);
    expect(messages.length).toBeGreaterThan(0);
    expect(await gather(broken())).toEqual(messages);
  });

  test('that is rubbish gives nothing wrong', async () => {
    const lines = [
      'not json',
      '{"type":"nobody knows"}',
      '[]',
      '{"type":"assistant","message":{"content":[{"type":"text","text":7}]}}',
    ];
    for (const message of await gather(lines)) expect(schemas[message.type].safeParse(message).success).toBe(true);
  });
});
