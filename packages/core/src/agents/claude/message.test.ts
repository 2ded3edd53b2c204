import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { counts } from '../../../../../proof/counts.ts';
import { capture, captures } from '../../../test/captures.ts';
import type { ResultLine, TaskLine } from '../dialects/claude/wire.ts';
import {
  type AssistantMessage,
  type ClaudeMessage,
  type ContentBlock,
  contentBlocks,
  contentText,
  type InitMessage,
  inputText,
  isInit,
  isMessage,
  isResult,
  isTextBlock,
  isToolResultBlock,
  isToolUseBlock,
  messageUsage,
  type ResultMessage,
  resultCost,
  textContent,
  toolResultBlocks,
  toolUseBlocks,
} from './message.ts';

const text = { type: 'text', text: 'Hello, ' };
const more = { type: 'text', text: 'world' };
const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
const call = { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a.js', limit: 3 } };
const searching = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } };
const result = { type: 'tool_result', tool_use_id: 't1', content: 'done' };
const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] };
const image = { type: 'image', source: { type: 'base64', data: 'AA==' } };

const assistant = (content: unknown): unknown => ({ type: 'assistant', message: { role: 'assistant', content } });
const user = (content: unknown): unknown => ({ type: 'user', message: { role: 'user', content } });

describe('[R-01] messages are typed', () => {
  test('init has tools, servers, model and session', () => {
    const message: unknown = capture('mcp-tools').messages.find(isInit);
    expect(isInit(message)).toBe(true);
    if (!isInit(message)) return;
    expect(message.tools).toContain('Bash');
    expect(message.mcp_servers?.length).toBeGreaterThan(0);
    expect(message.model).toMatch(/^claude-/);
    expect(message.session_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a message has blocks and usage', () => {
    const message = capture('tools-read-edit').messages[2];
    expect(contentBlocks(message)).toEqual(message.message.content);
    expect(messageUsage(message)).toMatchObject({
      input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
      cache_read_input_tokens: expect.any(Number),
    });
  });

  test('a result has cost, durations and turns', () => {
    const message: unknown = capture('tools-read-edit').messages.at(-1);
    expect(isResult(message)).toBe(true);
    if (!isResult(message)) return;
    expect(resultCost(message)).toBe(0.019596);
    expect(message.duration_ms).toBeGreaterThan(0);
    expect(message.duration_api_ms).toBe(94);
    expect(message.num_turns).toBe(4);
    expect(message.is_error).toBe(false);
    expect(messageUsage(message)).toEqual({
      input_tokens: 535,
      output_tokens: 216,
      cache_creation_input_tokens: 2370,
      cache_read_input_tokens: 6430,
    });
  });

  test('the type tells the members apart, and the open one does not stand in the way', () => {
    const read = (message: ClaudeMessage): unknown => {
      switch (message.type) {
        case 'system':
          if (message.subtype === 'init') {
            expectTypeOf(message).toEqualTypeOf<InitMessage>();
            return message.tools;
          }
          if (message.subtype === 'task_started') expectTypeOf(message).toExtend<TaskLine>();
          return message.subtype === 'api_retry' ? message.retry_delay_ms : message.subtype;
        case 'assistant':
          expectTypeOf(message).toEqualTypeOf<AssistantMessage>();
          return message.message.usage?.input_tokens;
        case 'user':
          return message.tool_use_result;
        case 'result':
          expectTypeOf(message).toEqualTypeOf<ResultMessage>();
          expectTypeOf(message).toExtend<ResultLine>();
          return message.total_cost_usd ?? message.cost_usd ?? message.costUSD;
        case 'stream_event':
          return message.event.delta?.text;
        case 'control_request':
          return message.request?.tool_name;
        case 'keep_alive':
          return 'known by name';
        default:
          return message.session_id;
      }
    };
    expect(read({ type: 'user', message: {}, tool_use_result: 5 })).toBe(5);
    expect(read({ type: 'keep_alive' })).toBe('known by name');
  });

  test('so do blocks', () => {
    const read = (block: ContentBlock): unknown => {
      switch (block.type) {
        case 'text':
          expectTypeOf(block.text).toEqualTypeOf<string>();
          return block.text;
        case 'thinking':
          return block.thinking;
        case 'redacted_thinking':
          return block.data;
        case 'tool_use':
        case 'mcp_tool_use':
        case 'server_tool_use':
          return block.name;
        case 'tool_result':
          return block.tool_use_id;
        default:
          return block.type;
      }
    };
    expect(contentBlocks(assistant([text, call, image])).map(read)).toEqual(['Hello, ', 'Read', 'image']);
  });
});

describe('[R-04] helpers on a message', () => {
  test('give all text, calls and results, whatever lies between them', () => {
    const message = assistant([text, thinking, call, more, searching, found, image]);
    expect(textContent(message)).toBe('Hello, world');
    expect(toolUseBlocks(message)).toEqual([call, searching]);
    expect(toolResultBlocks(message)).toEqual([found]);
    expect(contentBlocks(message)).toEqual([text, thinking, call, more, searching, found, image]);
    expect(toolResultBlocks(user([result, text]))).toEqual([result]);
  });

  test.each([
    ['a string for content', user('a prompt'), [{ type: 'text', text: 'a prompt' }]],
    ['strings in the list', user(['a', 'b']), [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }]], // biome-ignore format: a row
    ['one block for content', assistant(call), [call]],
    ['one block for a message', { type: 'assistant', message: call }, [call]],
    ['content moved up', { type: 'assistant', content: [text] }, [text]],
    ['a string moved up', { type: 'user', content: 'hi' }, [{ type: 'text', text: 'hi' }]],
    ['a bare call', call, [call]],
    ['a bare result', result, [result]],
  ])('read older shapes: %s', (_, message, blocks) => {
    expect(contentBlocks(message)).toMatchObject(blocks);
    expect(contentBlocks(message)).toHaveLength(blocks.length);
  });

  test.each([
    ['total_cost_usd', { type: 'result', total_cost_usd: 0.5, cost_usd: 0.1 }, 0.5],
    ['cost_usd', { type: 'result', cost_usd: 0.25 }, 0.25],
    ['costUSD', { type: 'result', costUSD: 0 }, 0],
    ['none', { type: 'result' }, undefined],
    ['no number', { type: 'result', total_cost_usd: '0.5' }, undefined],
    ['no result', { type: 'assistant', total_cost_usd: 0.5 }, undefined],
  ])('find the cost under any name: %s', (_, message, cost) => {
    expect(resultCost(message)).toBe(cost);
  });

  test.each([
    ['an answer', { type: 'assistant', message: { usage: { input_tokens: 1, output_tokens: 2 } } }],
    ['a result', { type: 'result', usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: null } }],
    ['the start of a stream', { type: 'stream_event', event: { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 2 } } } }], // biome-ignore format: a row
    ['the end of a stream', { type: 'stream_event', event: { type: 'message_delta', usage: { input_tokens: 1, output_tokens: 2 } } }], // biome-ignore format: a row
    ['a bare event', { type: 'message_delta', usage: { input_tokens: 1, output_tokens: 2, other: 5 } }],
  ])('find the usage of %s', (_, message) => {
    expect(messageUsage(message)).toStrictEqual({ input_tokens: 1, output_tokens: 2 });
  });

  test('tell what begins and ends a turn', () => {
    for (const { messages } of captures) {
      for (const message of messages) {
        expect(isInit(message)).toBe(message.type === 'system' && message.subtype === 'init');
        expect(isResult(message)).toBe(message.type === 'result');
        expect(isMessage(message)).toBe(true);
      }
    }
  });

  test('find the calls that were made in the recorded runs, and the results that came', () => {
    // Two were killed in the middle of the line that has the call.
    for (const { name, messages, expected } of captures.filter(({ name }) => !name.startsWith('sigkill'))) {
      const calls = new Set(messages.flatMap(toolUseBlocks).map(({ id }) => id));
      const results = new Set(messages.flatMap(toolResultBlocks).map((block) => block.tool_use_id));
      for (const call of expected.tool_calls) {
        expect(calls.has(call.id), `${name}: ${call.id}`).toBe(true);
        if (call.result_seen_in_stream !== undefined) expect(results.has(call.id)).toBe(call.result_seen_in_stream);
      }
    }
  });
});

describe('[R-05] helpers on a block', () => {
  test.each([
    [text, [true, false, false]],
    [thinking, [false, false, false]],
    [call, [false, true, false]],
    [searching, [false, true, false]],
    [{ type: 'mcp_tool_use' }, [false, true, false]],
    [result, [false, false, true]],
    [found, [false, false, true]],
    [{ type: 'mcp_tool_result' }, [false, false, true]],
    [image, [false, false, false]],
    [{ type: 'text', text: 5 }, [false, false, false]],
    [{ type: 'tool_use', id: 5 }, [false, false, false]],
    [{ type: 'tool_result', tool_use_id: null }, [false, false, false]],
    [{ type: 'constructor' }, [false, false, false]],
    [{ type: ['text'] }, [false, false, false]],
  ])('%o is what it is', (block, kinds) => {
    expect([isTextBlock(block), isToolUseBlock(block), isToolResultBlock(block)]).toEqual(kinds);
  });

  test.each([
    ['an object', { input: { a: 1, b: ['x'] } }, '{\n  "a": 1,\n  "b": [\n    "x"\n  ]\n}'],
    ['a string', { input: '{"a":1' }, '{"a":1'],
    ['an empty object', { input: {} }, '{}'],
    ['a number', { input: 0 }, '0'],
    ['nothing', {}, ''],
    ['null', { input: null }, ''],
  ])("a call's input as text: %s", (_, block, expected) => {
    expect(inputText({ type: 'tool_use', ...block })).toBe(expected);
  });

  test.each([
    ['a string', { content: 'as it is \n' }, 'as it is \n'],
    ['a list of text', { content: [text, more, '!'] }, 'Hello, world!'],
    ['one block of text', { content: more }, 'world'],
    ['a list with an image', { content: [text, image] }, JSON.stringify([text, image])],
    ['an object', { content: { stdout: 'x' } }, '{"stdout":"x"}'],
    ["a look-alike's name for it", { output: 'out' }, 'out'],
    ['an empty list', { content: [] }, ''],
    ['an empty string', { content: '', output: 'x' }, ''],
    ['nothing', {}, ''],
    ['null', { content: null }, ''],
  ])("a result's content as text: %s", (_, block, expected) => {
    expect(contentText({ type: 'tool_result', ...block })).toBe(expected);
  });
});

describe('[R-06] helpers never throw', () => {
  const circular: Record<string, unknown> = { type: 'tool_use' };
  circular['input'] = circular;
  circular['content'] = [circular];

  const emptyFor = (value: unknown): void => {
    expect(contentBlocks(value)).toEqual([]);
    expect(toolUseBlocks(value)).toEqual([]);
    expect(toolResultBlocks(value)).toEqual([]);
    expect(textContent(value)).toBe('');
    expect(messageUsage(value)).toBeUndefined();
    expect(resultCost(value)).toBeUndefined();
    expect(isInit(value)).toBe(false);
    expect(isResult(value)).toBe(false);
  };

  test.each([
    undefined,
    null,
    0,
    'assistant',
    true,
    Symbol('x'),
    10n,
    () => {},
    [],
    [assistant([text])],
    {},
    Object.create(null),
    new Map(),
    { type: 5 },
    { type: 'assistant' },
    { type: 'assistant', message: null },
    { type: 'assistant', message: 'text' },
    { type: 'assistant', message: [text] },
    { type: 'assistant', message: {} },
    { type: 'user', message: { content: null, usage: 'much' } },
    { type: 'user', message: { content: [] } },
    { type: 'user', message: { content: [null, 5, {}, { type: 7 }, []] } },
    { type: 'system', subtype: 'informational', text: 'x' },
    { type: 'stream_event', event: null },
    { type: 'stream_event', event: { usage: { input_tokens: -1, output_tokens: 1.5 } } },
    { type: 'hologram', message: { content: [text], usage: { input_tokens: 1 } } },
  ])('%o is empty', (value) => {
    emptyFor(value);
    expect(inputText(value)).toBe('');
    expect(contentText(value)).toBe('');
    expect([isTextBlock(value), isToolUseBlock(value), isToolResultBlock(value)]).toEqual([false, false, false]);
  });

  test('a value that JSON cannot hold is an empty text', () => {
    expect(inputText(circular)).toBe('');
    expect(contentText(circular)).toBe('');
    expect(inputText({ input: 10n })).toBe('');
    expect(inputText({ input: () => {} })).toBe('');
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(contentText({ content: deep })).toBe('');
  });

  test('whatever comes', () => {
    const words = fc.constantFrom('assistant', 'user', 'result', 'system', 'text', 'tool_use', 'tool_result', 'error');
    const odd = fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true, maxDepth: 3 });
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        odd,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.record(
          {
            type: fc.oneof(words, odd),
            message: tie('value'),
            content: tie('value'),
            input: odd,
            text: odd,
            usage: odd,
            event: tie('value'),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    fc.assert(
      fc.property(value, (any) => {
        expect(typeof textContent(any)).toBe('string');
        expect(typeof inputText(any)).toBe('string');
        expect(typeof contentText(any)).toBe('string');
        for (const block of contentBlocks(any)) expect(typeof block.type).toBe('string');
        for (const block of toolUseBlocks(any)) expect(typeof inputText(block)).toBe('string');
        for (const block of toolResultBlocks(any)) expect(typeof contentText(block)).toBe('string');
        messageUsage(any);
        resultCost(any);
        isMessage(any);
      }),
      { numRuns: counts.bentMessages },
    );
  });
});
