import { describe, expect, test } from 'vitest';
import { event, reduceAll } from '../../test/conversations.ts';
import type { AgentStreamEvent } from '../event/event.ts';
import { contentsOf, messagesOf } from './chat.ts';
import { formatInput, outputsOf } from './outputs.ts';
import { filesChanged, messageById, partsOf, view } from './select.ts';
import { subagentsOf } from './subagents.ts';

const text = (id: string, said: string, more: object = {}) =>
  event('text-end', { messageId: 'm', blockId: id, text: said, ...more });
const call = (id: string, more: object = {}) =>
  event('tool-call-start', { toolCallId: id, toolName: 'Read', kind: 'read', messageId: 'm', ...more });
const prompt = (said: string, origin: 'prompt' | 'injected' = 'prompt') =>
  event('user-message', { messageId: `prompt ${said}`, content: [{ type: 'text', text: said }], origin });
const notice = event('notice', { severity: 'info', title: 'n' });
const agent = (id: string, more: object = {}) =>
  event('task-start', { taskId: id, kind: 'agent', toolCallId: `call of ${id}`, ...more });

describe('messages', () => {
  const events = [
    prompt('Hi'),
    event('message-start', { messageId: 'm', model: 'opus' }),
    text('a', 'Hello'),
    call('c'),
    event('tool-call-input-end', { toolCallId: 'c', input: {} }),
    notice,
    text('b', 'More'),
    prompt('Go on', 'injected'),
    text('z', 'Other', { messageId: 'n' }),
  ];

  test('[M-03] are consecutive parts of one answer, with a role', () => {
    const messages = messagesOf(reduceAll(events));
    expect(messages.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual([
      ['user', ['prompt']],
      ['assistant', ['text', 'call']],
      ['system', ['notice']],
      ['assistant', ['text']],
      ['system', ['prompt']],
      ['assistant', ['text']],
    ]);
    expect(messages[1]).toMatchObject({ id: 'block:a', messageId: 'm', facts: { model: 'opus' } });
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
  });

  test('are the same objects while nothing of theirs changes', () => {
    const conversation = reduceAll(events);
    const before = messagesOf(conversation);
    expect(messagesOf(conversation)).toEqual(before);
    const result = event('tool-call-end', { toolCallId: 'c', toolName: 'Read', outcome: 'success', content: [] });
    const after = messagesOf(reduceAll([result], conversation));
    expect(after.map((message, at) => message === before[at])).toEqual([true, false, true, true, true, true]);
    const usage = event('message-end', { messageId: 'n', usage: { outputTokens: 3 } });
    expect(messagesOf(reduceAll([usage], conversation)).at(-1)).toMatchObject({
      facts: { usage: { outputTokens: 3 } },
    });
    expect(messageById(conversation, 'm')?.model).toBe('opus');
  });

  test('of a thread without parts are none', () => {
    expect(messagesOf(reduceAll(events), 'nobody')).toEqual([]);
    expect(partsOf(reduceAll([]))).toEqual([]);
  });
});

describe('[M-03] a message can hold', () => {
  const kindsOf = (events: readonly AgentStreamEvent[]) =>
    partsOf(reduceAll(events)).flatMap((part) => contentsOf(part).map(({ kind }) => kind));
  const change = event('file-change', {
    toolCallId: 'c',
    changes: [{ path: 'a', operation: 'modify' }],
    outcome: 'success',
  });
  const error = { code: 'server', message: 'no' } as const;
  const turn = (more: object) => event('turn-end', { turnId: 't', outcome: 'success', ...more });

  test.each<[string, readonly AgentStreamEvent[], readonly string[]]>([
    ['text', [text('a', 'Hi')], ['text']],
    ['a code block', [text('a', 'Look:\n```ts\nlet a\n```\nDone.')], ['text', 'code', 'text']],
    [
      'a question',
      [call('c'), event('question-request', { requestId: 'q', toolCallId: 'c', message: '?' })],
      ['question'],
    ],
    ['a question of its own', [event('question-request', { requestId: 'q', message: '?' })], ['question']],
    ['a todo list', [call('c'), event('todo-update', { entries: [], toolCallId: 'c' })], ['todos']],
    ['a file change', [call('c'), change], ['call', 'changes']],
    ['a file change of nobody', [event('file-change', { changes: [], outcome: 'success' })], ['changes']],
    ['tool use', [call('c')], ['call']],
    ['the activity of a sub-agent', [call('call of s'), agent('s')], ['subagent']],
    ['a sub-agent without a call', [event('task-start', { taskId: 's', kind: 'agent' })], ['subagent']],
    ['an error', [event('error', { error, fatal: true })], ['error']],
    ['a turn that failed', [turn({ outcome: 'error', error })], ['error']],
    ['what a turn resulted in', [turn({ result: 'Total: 0' })], ['text']],
    ['a thought', [event('reasoning-end', { messageId: 'm', blockId: 'r', text: 'Hm', form: 'full' })], ['reasoning']],
    ['a prompt', [prompt('Fix\n~~~\nx\n~~~')], ['text', 'code']],
    [
      'a picture in a prompt',
      [event('user-message', { content: [{ type: 'image', mediaType: 'p' }], origin: 'prompt' })],
      ['other'],
    ],
    ['a line that is no JSON', [event('raw', { reason: 'not_json', text: 'Oops' })], ['text']],
    [
      'other payloads',
      [notice, turn({}), event('task-start', { taskId: 'x', kind: 'command' })],
      ['other', 'other', 'other'],
    ],
  ])('%s', (_, events, expected) => {
    expect(kindsOf(events)).toEqual(expected);
  });

  test('and what it holds is the same object while the part is', () => {
    const [part] = partsOf(reduceAll([text('a', 'Hi')]));
    if (part) expect(contentsOf(part)).toBe(contentsOf(part));
    expect(part && contentsOf(part)).toEqual([{ kind: 'text', text: 'Hi' }]);
  });
});

describe('[M-05] sub-agents', () => {
  const nested = reduceAll([
    call('call of a'),
    call('call of b'),
    agent('a', { name: 'Explore' }),
    agent('b'),
    call('read', { subagentId: 'a', messageId: 'n' }),
    call('call of c', { subagentId: 'b' }),
    agent('c', { subagentId: 'b' }),
    call('deep', { subagentId: 'c' }),
    event('message-end', { messageId: 'n', subagentId: 'a', usage: { outputTokens: 3 } }),
    event('message-end', { messageId: 'o', subagentId: 'a', usage: { outputTokens: 4 } }),
    event('task-end', { taskId: 'b', outcome: 'success', usage: { outputTokens: 9 } }),
  ]);

  test('are a tree with their own calls and what they used', () => {
    expect(subagentsOf(nested)).toMatchObject([
      {
        task: { taskId: 'a', name: 'Explore' },
        usage: { outputTokens: 7 },
        calls: [{ toolCallId: 'read' }],
        children: [],
      },
      {
        task: { taskId: 'b', status: 'completed' },
        usage: { outputTokens: 9 },
        calls: [{ toolCallId: 'call of c' }],
        children: [
          { task: { taskId: 'c' }, part: { id: 'call:call of c' }, calls: [{ toolCallId: 'deep' }], usage: {} },
        ],
      },
    ]);
  });

  test('cost what a ledger says, else what was told', () => {
    const cost = { amount: 2, currency: 'USD' };
    const told = event('usage-update', { scope: 'turn', subagentId: 'b', cost });
    const figures = new Map([['a', { usage: { outputTokens: 8 }, costUsd: 0.5 }]]);
    expect(subagentsOf(reduceAll([told], nested), figures)).toMatchObject([
      { usage: { outputTokens: 8 }, cost: { amount: 0.5, currency: 'USD', estimated: true } },
      { cost },
    ]);
  });

  test('that claim to be each other’s parents are all there', () => {
    const circle = (id: string, parentTaskId: string) =>
      event('task-start', { taskId: id, kind: 'agent', parentTaskId });
    const found = subagentsOf(reduceAll([circle('x', 'y'), circle('y', 'x'), circle('z', 'y'), circle('w', 'w')]));
    expect(found).toMatchObject([
      { task: { taskId: 'x' }, children: [{ task: { taskId: 'y' }, children: [{ task: { taskId: 'z' } }] }] },
      { task: { taskId: 'w' } },
    ]);
  });
});

test('files are named once, with their lines, by their path from the working directory', () => {
  const change = (path: string, more: object, outcome: 'success' | 'error' = 'success') =>
    event('file-change', { changes: [{ path, operation: 'modify', ...more }], outcome });
  const conversation = reduceAll([
    event('session-start', { agent: 'x', cwd: '/p' }),
    change('/p/a', { operation: 'add', newText: 'one\ntwo\n' }),
    change('a', { linesAdded: 3, linesRemoved: 1 }),
    change('/other/b', { linesRemoved: 2 }),
    change('c', {}, 'error'),
    change('d', { operation: 'add', newText: 'no end' }),
    change('d', { operation: 'delete' }),
  ]);
  expect(filesChanged(conversation)).toEqual([
    { path: 'a', operation: 'add', linesAdded: 5, linesRemoved: 1 },
    { path: '/other/b', operation: 'modify', linesAdded: 0, linesRemoved: 2 },
    { path: 'd', operation: 'delete', linesAdded: 1, linesRemoved: 0 },
  ]);
  expect(filesChanged(conversation)).toBe(filesChanged(conversation));
});

test('a view has no places, and counts made-up ids anew', () => {
  const seen = view(reduceAll([text('a', 'Hi', { time: 5 }), notice, notice]));
  expect(seen.threads).toEqual({
    '': [
      { id: 'block:a', type: 'text', text: 'Hi', messageId: 'm', time: 5 },
      { id: 'notice#1', type: 'notice', severity: 'info', title: 'n' },
      { id: 'notice#2', type: 'notice', severity: 'info', title: 'n' },
    ],
  });
  expect(seen).not.toHaveProperty('main');
});

describe('[M-02] outputs', () => {
  const error = { code: 'server', message: 'no' } as const;
  const end = (more: object) => event('session-end', { outcome: 'success', ...more });

  test.each<[string, AgentStreamEvent, readonly object[]]>([
    ['a text', text('a', 'Hi'), [{ kind: 'text', text: 'Hi' }]],
    ['no empty text', text('a', ''), []],
    ['no delta', event('text-delta', { messageId: 'm', blockId: 'a', delta: 'H' }), []],
    ['a text of a sub-agent', text('a', 'Hi', { subagentId: 's' }), [{ kind: 'text', text: 'Hi', subagentId: 's' }]],
    ['a line that is no JSON', event('raw', { reason: 'not_json', text: 'Oops' }), [{ kind: 'text', text: 'Oops' }]],
    ['no broken protocol', event('raw', { reason: 'not_json', text: '{"type":"user"' }), []],
    ['a structured block', event('tool-call-input-end', { toolCallId: 'c', input: 1 }), [{ kind: 'block' }]],
    ['an unknown block', event('raw', { reason: 'unknown_block', value: {} }), [{ kind: 'block' }]],
    [
      'a question',
      event('question-request', { requestId: 'q', message: 'Which?', choices: ['a'] }),
      [{ kind: 'question', requestId: 'q', message: 'Which?', choices: ['a'] }],
    ],
    [
      'the session',
      event('session-start', { agent: 'x', sessionId: 's' }),
      [{ kind: 'session-started', sessionId: 's' }],
    ],
    ['no session without an id', event('session-start', { agent: 'x' }), []],
    [
      'a result',
      event('tool-call-end', {
        toolCallId: 'c',
        toolName: 'Read',
        outcome: 'error',
        content: [
          { type: 'text', text: 'a' },
          { type: 'json', value: [1] },
          { type: 'image', mediaType: 'image/png' },
          { type: 'resource', uri: 'file:b' },
        ],
      }),
      [{ kind: 'tool-result', toolCallId: 'c', text: 'a\n[\n  1\n]\n[image]\nfile:b', isError: true }],
    ],
    ['an error', event('error', { error, fatal: false }), [{ kind: 'error', error }]],
    ['a turn that failed', event('turn-end', { turnId: 't', outcome: 'error', error }), [{ kind: 'error', error }]],
    ['no turn that did not', event('turn-end', { turnId: 't', outcome: 'success' }), []],
    ['the end', end({}), [{ kind: 'complete' }]],
    ['an end with exit code 0', end({ exitCode: 0 }), [{ kind: 'complete' }]],
    [
      'an end with another',
      end({ exitCode: 3 }),
      [{ kind: 'error', error: { message: 'the agent ended with exit code 3' } }],
    ],
    ['an end by a signal', end({ signal: 'SIGKILL', error }), [{ kind: 'error', error }]],
  ])('tell %s', (_, one, expected) => {
    expect(outputsOf(one)).toHaveLength(expected.length);
    expect(outputsOf(one)).toMatchObject(expected);
  });
});

test('[M-11] input of any shape can be shown as JSON', () => {
  for (const input of [null, 'text', 7, true, [], {}, [{ a: [1] }], { nested: { deep: 'ü' } }])
    expect(JSON.parse(formatInput(input))).toEqual(input);
  expect(formatInput({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(formatInput(undefined)).toBe('');
});
