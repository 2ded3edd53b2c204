// Streams that a hostile or broken agent could print. Each would take minutes if anything in the translator looked through all
// that came before for every line; none is timed, the test's own limit is enough.

import { describe, expect, test } from 'vitest';
import { counts } from '../../../../../../proof/counts.ts';
import { decodeMessages, ofType, summarize } from '../../../../test/captures.ts';
import { brokenPromises } from '../../../../test/promises.ts';

const MANY = counts.sameLines;
const S = { session_id: 's' };
const init = { type: 'system', subtype: 'init', ...S };
const many = (make: (index: number) => object): object[] => Array.from({ length: MANY }, (_, index) => make(index));
const assistant = (id: string, content: unknown, more: object = {}): object => ({
  type: 'assistant',
  message: { id, model: 'm', content },
  ...S,
  ...more,
});
const stream = (event: object): object => ({ type: 'stream_event', event, ...S, uuid: 'u', api_message_id: 'm' });

describe('very many', () => {
  test.each<[string, () => readonly object[]]>([
    [
      'calls with one and the same id',
      () => many((n) => assistant(`m${n}`, [{ type: 'tool_use', id: 'same', name: 'T', input: {} }])),
    ],
    ['turns that never end', () => many(() => init)],
    [
      'turns that end after all have begun',
      () => [...many(() => init), ...many((n) => ({ type: 'result', is_error: false, uuid: `r${n}`, ...S }))],
    ],
    [
      'calls on one line',
      () => [
        assistant(
          'm',
          many((n) => ({ type: 'tool_use', id: `t${n}`, name: 'T', input: {} })),
        ),
      ],
    ],
    [
      'results on one line',
      () => [
        assistant(
          'm',
          many((n) => ({ type: 'tool_use', id: `t${n}`, name: 'T', input: {} })),
        ),
        {
          type: 'user',
          message: { content: many((n) => ({ type: 'tool_result', tool_use_id: `t${n}`, content: 'x' })) },
          tool_result_meta: many((n) => ({ id: `t${n}` })),
          ...S,
        },
      ],
    ],
    [
      'blocks that stream side by side',
      () => [
        ...many((n) => stream({ type: 'content_block_start', index: n, content_block: { type: 'text', text: '' } })),
        ...many((n) => stream({ type: 'content_block_delta', index: n, delta: { type: 'text_delta', text: `${n}` } })),
        assistant('m', [{ type: 'text', text: 'x' }]),
      ],
    ],
    [
      'sub-agents',
      () => many((n) => assistant(`m${n}`, [{ type: 'text', text: 'x' }], { parent_tool_use_id: `p${n}` })),
    ],
    [
      'tasks that start',
      () => many((n) => ({ type: 'system', subtype: 'task_started', task_id: `t${n}`, tool_use_id: `c${n}`, ...S })),
    ],
    [
      'permissions that nobody answers',
      () => [
        ...many((n) => ({
          type: 'control_request',
          request_id: `r${n}`,
          request: { subtype: 'can_use_tool', tool_use_id: `t${n}`, tool_name: 'T' },
        })),
        ...many((n) => assistant(`m${n}`, [{ type: 'tool_use', id: `t${n}`, name: 'T', input: {} }])),
      ],
    ],
    [
      'texts in one turn, then all taken back',
      () => [
        ...many((n) => assistant(`m${n}`, [{ type: 'text', text: 'x' }], { uuid: `u${n}` })),
        assistant('last', [{ type: 'text', text: 'y' }], {
          supersedes: Array.from({ length: MANY }, (_, n) => `u${n}`),
        }),
      ],
    ],
    [
      'hooks that never answer',
      () => many((n) => ({ type: 'system', subtype: 'hook_started', hook_id: `h${n}`, ...S })),
    ],
    [
      'todo entries',
      () => [
        assistant('m', [
          {
            type: 'tool_use',
            id: 't',
            name: 'TodoWrite',
            input: { todos: many((n) => ({ content: `${n}`, status: 'pending' })) },
          },
        ]),
        { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] }, ...S },
      ],
    ],
  ])('%s', (_name, lines) => {
    const events = decodeMessages(lines());
    expect(events.length).toBeGreaterThan(3);
    expect(brokenPromises(events)).toEqual([]);
    summarize(events);
  });
});

describe('older figures that tell less than the whole', () => {
  const usage = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens });
  const said = (id: string, used: object, more: object = {}) => ({
    type: 'assistant',
    message: { id, model: 'm', content: [], usage: used },
    ...S,
    ...more,
  });

  test('of the main thread alone are a lower bound when sub-agents worked', () => {
    const summary = summarize(
      decodeMessages([
        init,
        said('a', usage(10, 1)),
        said('b', usage(7, 2), { parent_tool_use_id: 'p' }),
        { type: 'result', is_error: false, usage: usage(10, 40), total_cost_usd: 0.5, ...S },
      ]),
    );
    expect(summary.usage).toMatchObject({ inputTokens: 17, outputTokens: 42, state: 'known' });
    expect(summary.mainUsage).toMatchObject({ inputTokens: 10, outputTokens: 40 });
    expect(summary.costUsd).toBe(0.5);
  });

  test('that are zero after a stop do not take the place of what was seen', () => {
    const summary = summarize(
      decodeMessages([
        init,
        said('a', usage(17, 1)),
        { type: 'result', is_error: true, usage: usage(0, 0), total_cost_usd: 0.1, ...S },
      ]),
    );
    expect(summary.usage).toMatchObject({ inputTokens: 17, outputTokens: 1, state: 'known' });
  });

  test('begin anew after the conversation was cleared', () => {
    const total = (inputTokens: number, costUSD: number, uuid: string) => ({
      type: 'result',
      is_error: false,
      uuid,
      modelUsage: { m: { inputTokens, outputTokens: 1, costUSD } },
      ...S,
    });
    const summary = summarize(
      decodeMessages([init, total(30, 0.25, 'a'), { type: 'conversation_reset', ...S }, init, total(60, 0.5, 'b')]),
    );
    expect(summary).toMatchObject({ usage: { inputTokens: 90, outputTokens: 2 }, costUsd: 0.75 });
  });

  test('that run out of range are no figures', () => {
    const models = {
      a: { inputTokens: 1e300, outputTokens: 2, costUSD: 1e308 },
      b: { inputTokens: 3, outputTokens: 4, costUSD: 1e308 },
    };
    const events = decodeMessages([
      init,
      { type: 'result', is_error: false, model_usage_since_last_result: models, ...S },
    ]);
    expect(summarize(events)).toMatchObject({ costUsd: null, usage: { inputTokens: 3, outputTokens: 6 } });
    expect(ofType(events, 'turn-end')[0]?.cost).toBeUndefined();
  });
});

describe('nesting that comes by a side door', () => {
  const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

  test('in a server-sent line is not passed on', () => {
    const events = decodeMessages([init, `data: {"type":"zzz","v":${deep(100_000)}}`]);
    expect(ofType(events, 'raw')).toMatchObject([{ reason: 'not_json' }]);
    JSON.stringify(events);
  });

  test('in an input that came in pieces stays text', () => {
    for (const levels of [100_000, 1_000_000]) {
      const partial_json = `{"command":${deep(levels)}}`;
      const events = decodeMessages([
        init,
        stream({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'Bash' } }),
        stream({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } }),
        stream({ type: 'content_block_stop', index: 0 }),
      ]);
      expect(ofType(events, 'tool-call-input-end')[0]?.input).toBe(partial_json);
      JSON.stringify(events);
    }
  });

  test('behind a stray quote is not recovered', () => {
    const events = decodeMessages([init, `"${JSON.stringify(init).slice(0, -1)},"a":${deep(1_000_000)}}`]);
    expect(ofType(events, 'raw')).toHaveLength(1);
    JSON.stringify(events);
  });
});

test('a call that has its result takes no more input', () => {
  const events = decodeMessages([
    init,
    stream({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'Bash' } }),
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] }, ...S },
    stream({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } }),
    stream({ type: 'content_block_stop', index: 0 }),
  ]);
  expect(brokenPromises(events)).toEqual([]);
});

test('a request that still waits is asked once', () => {
  const ask = {
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'can_use_tool', tool_name: 'T', tool_use_id: 't' },
  };
  expect(ofType(decodeMessages([init, ask, ask]), 'permission-request')).toHaveLength(1);
});

test('a result that is printed twice counts once', () => {
  const result = {
    type: 'result',
    is_error: false,
    uuid: 'r',
    model_usage_since_last_result: { m: { inputTokens: 5, outputTokens: 5, costUSD: 1 } },
    ...S,
  };
  expect(summarize(decodeMessages([init, result, result]))).toMatchObject({ turns: 1, costUsd: 1 });
});

test('whole lines that come after their message has stopped are the blocks that streamed', () => {
  const events = decodeMessages([
    init,
    stream({ type: 'message_start', message: { id: 'm', model: 'x' } }),
    stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } }),
    stream({ type: 'content_block_stop', index: 0 }),
    stream({ type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'Read' } }),
    stream({ type: 'content_block_stop', index: 1 }),
    stream({ type: 'message_stop' }),
    assistant('m', [{ type: 'text', text: 'hi' }]),
    assistant('m', [{ type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'f' } }]),
  ]);
  expect(ofType(events, 'text-end')).toHaveLength(1);
  expect(ofType(events, 'tool-call-start')).toHaveLength(1);
  expect(brokenPromises(events)).toEqual([]);
});

test('a stream of bare events of the API is recognised', () => {
  const bare = [
    { type: 'message_start', message: { id: 'm', model: 'x', usage: { input_tokens: 3, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_stop' },
  ];
  const summary = summarize(decodeMessages(bare));
  expect(summary).toMatchObject({ agent: 'claude', text: 'hi', usage: { inputTokens: 3 } });
});

test('a stream that shows no text has it from its result', () => {
  const result = { type: 'result', is_error: false, result: 'the answer', ...S };
  expect(summarize(decodeMessages([result])).text).toBe('the answer');
  expect(summarize(decodeMessages([{ ...result, is_error: true }])).text).toBeNull();
  expect(summarize(decodeMessages([{ ...result, structured_output: { a: 1 } }])).text).toBeNull();
  expect(summarize(decodeMessages([init, assistant('m', [{ type: 'text', text: 'said' }]), result])).text).toBe('said');
});
