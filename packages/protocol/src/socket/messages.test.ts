// What travels on the socket, and what does not get in.

import type { AgentStreamEvent } from '@tailrace/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import {
  createFileChangedEvent,
  createOutputEvent,
  createProgressEvent,
  createToolCallEvent,
  createToolResultEvent,
} from '../activity/factories.ts';
import type { ActivityMessage } from '../activity/messages.ts';
import { isWanted } from '../activity/switches.ts';
import { MAX_ID_LENGTH, MAX_IDS, MIN_PROGRESS_INTERVAL_MS } from '../limits.ts';
import { createProblem, PROBLEM_CODES, problem } from '../problem.ts';
import { PROTOCOL_VERSION } from '../version.ts';
import { type ActivitySwitches, clientMessage } from './client-message.ts';
import { frame, type ServerMessage, type ServerMessageType, serverMessage, serverMessages } from './server-message.ts';

const activity = {
  agent_tool_call: createToolCallEvent('o', 'r', { toolUseId: 'c', tool: 'Read' }),
  agent_tool_result: createToolResultEvent('o', 'r', { toolUseId: 'c', success: true }),
  agent_output: createOutputEvent('o', 'r', 'x'),
  file_changed: createFileChangedEvent('o', 'r', { path: 'a', action: 'deleted' }),
  progress_update: createProgressEvent('o', 'r', {
    percentage: 1,
    currentPhase: 'x',
    toolCallCount: 0,
    elapsedSeconds: 0,
  }),
} as const satisfies { readonly [T in ActivityMessage['type']]: Extract<ActivityMessage, { type: T }> };

/** One of each: the compiler asks for all of them, and for no other. */
const examples: { readonly [T in ServerMessageType]: Extract<ServerMessage, { type: T }> } = {
  ...activity,
  hello: { type: 'hello', protocol: PROTOCOL_VERSION, version: '0.1.0', epoch: 'e', heartbeatMs: 1 },
  event: {
    type: 'event',
    sessionId: 's',
    position: 7,
    event: { type: 'turn-start', seq: 0, turnId: 't' } as AgentStreamEvent,
    cut: [{ path: ['content', 0, 'text'], bytes: 9, ref: '/api/sessions/s/lines/1' }],
  },
  session: {
    type: 'session',
    session: {
      id: 's',
      agent: 'claude',
      projectId: 'p',
      project: 'mill',
      cwd: '/mill',
      title: null,
      model: null,
      status: 'running',
      startedAt: 1,
      endedAt: null,
      turns: 0,
      usage: { inputTokens: 1, outputTokens: 1, state: 'known' },
      costUsd: null,
      costState: 'unknown',
      starred: false,
      tags: ['a'],
      lines: 1,
      lastText: 'Done.',
      files: 2,
      subagents: 0,
      live: { runId: 'r', state: 'waiting', since: 1, isOurs: true, waiting: 1, progress: null, subagents: 0 },
    },
  },
  ended: {
    type: 'ended',
    sessionId: 's',
    events: [{ type: 'session-end', seq: 3, outcome: 'success' } as AgentStreamEvent],
  },
  gone: { type: 'gone', sessionId: 's', movedTo: 't' },
  live: { type: 'live' },
  reset: { type: 'reset', epoch: 'e' },
  behind: { type: 'behind', queuedBytes: 5 },
  reply: { type: 'reply', commandId: 'c', result: { runId: 'r' } },
  failed: { type: 'failed', problem: createProblem('not-found', 'no session') },
  ping: { type: 'ping' },
};

describe('[W-06] the union of what a server says', () => {
  test('holds the five activity messages and everything else, each with a schema', () => {
    expect(Object.keys(serverMessages).sort()).toEqual(Object.keys(examples).sort());
    for (const [type, schema] of Object.entries(serverMessages)) {
      for (const [other, example] of Object.entries(examples))
        expect([type, other, schema.safeParse(example).success]).toEqual([type, other, type === other]);
    }
    for (const example of Object.values(examples)) expect(serverMessage.parse(example)).toEqual(example);
    expect(Object.keys(activity)).toHaveLength(5);
  });

  test('travels in frames, and keeps what an older client does not know of an event', () => {
    const known = { ...examples.event, event: { type: 'from tomorrow', seq: 1, more: { deep: [1] } } };
    const whole = { subscriptionId: 's', cursor: 'e.1', messages: [known, examples.live] };
    expect(frame.parse(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
    expect(frame.safeParse({ messages: [{ type: 'from tomorrow' }] }).success).toBe(false);
  });
});

describe('[W-07] a subscription', () => {
  const base = { type: 'subscribe', subscriptionId: 'one', view: 'activity' } as const;
  const messages = Object.values(activity);
  const names = [
    'includeToolCalls',
    'includeToolResults',
    'includeOutput',
    'includeFileChanges',
    'includeProgress',
  ] as const;

  test('has everything unless it is switched off', () => {
    expect(messages.filter((message) => isWanted(message, {}))).toEqual(messages);
    for (const [index, name] of names.entries()) {
      const switches: ActivitySwitches = { [name]: false };
      expect(clientMessage.parse({ ...base, ...switches })).toEqual({ ...base, ...switches });
      expect(messages.filter((message) => !isWanted(message, switches))).toEqual([messages[index]]);
      expect(messages.filter((message) => isWanted(message, { [name]: true }))).toEqual(messages);
    }
  });

  test('may name sessions, runs, a filter and a cursor', () => {
    const whole = {
      ...base,
      sessions: ['s'],
      runs: ['r'],
      cursor: 'e.1',
      progressIntervalMs: MIN_PROGRESS_INTERVAL_MS,
      filter: { kinds: ['text-end'], tools: ['Read'], agents: ['claude'], subagents: 'none', projects: ['p'] },
    };
    expect(clientMessage.parse(whole)).toEqual(whole);
  });

  test.each([
    ['another view', { view: 'everything' }],
    ['a name too long', { subscriptionId: 'x'.repeat(MAX_ID_LENGTH + 1) }],
    ['no name', { subscriptionId: '' }],
    ['too many sessions', { sessions: Array.from({ length: MAX_IDS + 1 }, String) }],
    ['progress too often', { progressIntervalMs: MIN_PROGRESS_INTERVAL_MS - 1 }],
    ['rights of its own', { scope: 'answer' }],
    ['a switch that is none', { includeProgress: 'no' }],
  ])('with %s is refused', (_, more) => expect(clientMessage.safeParse({ ...base, ...more }).success).toBe(false));
});

describe('a command', () => {
  const parse = (command: object) => clientMessage.safeParse({ type: 'command', commandId: 'k', command });

  test.each([
    [{ action: 'start', project: 'p', prompt: '--settings=x' }],
    [{ action: 'send', runId: 'r', text: 'go on' }],
    [{ action: 'answer', runId: 'r', requestId: 'q', digest: 'd', answer: { decision: 'allow', input: { a: 1 } } }],
    [{ action: 'answer', runId: 'r', requestId: 'q', digest: 'd', answer: { decision: 'deny', reason: 'no' } }],
    [{ action: 'interrupt', runId: 'r' }],
    [{ action: 'stop', runId: 'r' }],
  ])('%j is understood', (command) => expect(parse(command).success).toBe(true));

  // [T-08] [T-09] [T-13]: rights, programs, paths and process numbers are not a client's to name.
  test.each([
    ['a program', { action: 'start', project: 'p', prompt: 'x', command: '/bin/sh' }],
    ['a folder', { action: 'start', project: 'p', prompt: 'x', cwd: '/' }],
    ['a flag for a model', { action: 'start', project: 'p', prompt: 'x', model: '--dangerous' }],
    ['a flag for a session', { action: 'start', project: 'p', prompt: 'x', resume: '-r' }],
    ['a flag for a message', { action: 'start', project: 'p', prompt: 'x', resume: 's', resumeAt: '-r' }],
    ['an environment', { action: 'start', project: 'p', prompt: 'x', env: {} }],
    ['a process', { action: 'stop', pid: 1 }],
    ['no digest', { action: 'answer', runId: 'r', requestId: 'q', answer: { decision: 'allow' } }],
    [
      'two decisions',
      { action: 'answer', runId: 'r', requestId: 'q', digest: 'd', answer: { decision: 'allow', reason: 'x' } },
    ],
    ...[
      { decision: 'allow', input: 'a string' },
      { decision: 'allow', input: ['ls'] },
      { decision: 'allow', input: null },
      { decision: 'allow', content: {} },
      { decision: 'answer', content: 'blue' },
      { decision: 'answer', content: null },
      { decision: 'answer' },
      { decision: 'perhaps' },
    ].map((answer): [string, object] => [
      `[T-21] the answer ${JSON.stringify(answer)}`,
      { action: 'answer', runId: 'r', requestId: 'q', digest: 'd', answer },
    ]),
    ['nothing that is known', { action: 'kill', runId: 'r' }],
  ])('with %s is refused', (_, command) => expect(parse(command).success).toBe(false));
});

test('whatever a client says, it is understood or refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect([true, false]).toContain(clientMessage.safeParse(value).success);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    }),
    { numRuns: counts.hostileLines },
  );
});

test('every problem has a status and a title of its own', () => {
  for (const code of PROBLEM_CODES) expect(problem.parse(createProblem(code))).toMatchObject({ code });
  expect(new Set(PROBLEM_CODES.map((code) => createProblem(code).title)).size).toBe(PROBLEM_CODES.length);
});
