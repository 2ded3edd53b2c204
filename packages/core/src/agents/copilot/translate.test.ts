import { describe, expect, test } from 'vitest';
import { ofType } from '../../../test/captures.ts';
import { brokenPromises } from '../../../test/promises.ts';
import { eventsOfMessages, messagesOf } from '../../../test/recordings.ts';
import type { AgentStreamEvent, Exit } from '../../index.ts';
import { copilot } from './index.ts';
import { KEPT, QUIET } from './known.ts';

let lines = 0;

const line = (type: string, data: object = {}, rest: object = {}): object => ({
  type,
  data,
  id: `line-${++lines}`,
  parentId: null,
  timestamp: '2026-11-15T07:01:44.123Z',
  ...rest,
});
const child = (type: string, data: object = {}, agentId = 'agent-1'): object => line(type, data, { agentId });
const result = (exitCode: number, rest: object = {}): object => ({
  type: 'result',
  timestamp: '2026-11-15T07:01:46.980Z',
  sessionId: 'session-1',
  exitCode,
  usage: { premiumRequests: 0, codeChanges: {} },
  ...rest,
});

const prompt = line('user.message', { content: 'Hi.', messageId: 'u1', interactionId: 'i1', delivery: 'idle' });
const step = (turnId = '0'): object => line('assistant.turn_start', { turnId });
const said = (content: string, more: object = {}): object =>
  line('assistant.message', { messageId: 'm1', content, toolRequests: [], ...more });
const stepEnd = line('assistant.turn_end', { turnId: '0' });
const idle = line('assistant.idle', {});
const bash = (toolCallId = 'c1'): object =>
  line('tool.execution_start', { toolCallId, toolName: 'bash', arguments: { command: 'ls' } });
const complete = (data: object, toolCallId = 'c1'): object => line('tool.execution_complete', { toolCallId, ...data });
const agentStarted = child('subagent.started', {
  toolCallId: 'c1',
  agentName: 'explore',
  agentDescription: 'Look',
  executionMode: 'background',
});

function told(messages: readonly unknown[], exit?: Exit): AgentStreamEvent[] {
  const events = eventsOfMessages(copilot, messages, exit);
  expect(brokenPromises(events)).toEqual([]);
  return events;
}
const types = (events: readonly AgentStreamEvent[]): string[] => events.map(({ type }) => type);
const endOf = (events: readonly AgentStreamEvent[]) => ofType(events, 'session-end')[0];
const callEnd = (data: object) => ofType(told([prompt, step(), bash(), complete(data)]), 'tool-call-end')[0];

describe('a type without an event of its own', () => {
  test.each([...QUIET])('%s says nothing', (type) => {
    const data = { model: 'x', toolCallId: 'c1', message: 'm', turnId: '0' };
    for (const one of [line(type, data), child(type, data)])
      expect(types(told([prompt, one]))).toEqual(types(told([prompt])));
  });

  test.each([...KEPT])('%s is kept', (type) => {
    const one = line(type, { reason: 'because' });
    const [raw] = ofType(told([prompt, one]), 'raw');
    expect(raw).toMatchObject({ reason: 'no_counterpart', nativeType: type, value: one });
  });

  test('is in one list only', () => {
    expect([...QUIET].filter((type) => KEPT.has(type))).toEqual([]);
  });
});

describe('the session', () => {
  test('is known from its first line where that is printed', () => {
    const events = told([
      line('session.start', {
        sessionId: 's1',
        copilotVersion: '1.0.102',
        selectedModel: 'gpt-5.4',
        context: { cwd: '/p' },
      }),
    ]);
    expect(events[0]).toMatchObject({
      type: 'session-start',
      sessionId: 's1',
      agentVersion: '1.0.102',
      model: 'gpt-5.4',
      cwd: '/p',
    });
    expect(told([line('session.resume', { selectedModel: 'x' })])[0]).toMatchObject({ resumed: true, model: 'x' });
  });

  test('tells what changes of it', () => {
    const events = told([
      prompt,
      line('session.model_change', { newModel: 'claude' }),
      line('session.mode_changed', { newMode: 'autopilot' }),
      line('session.auto_mode_resolved', { chosenModel: 'gpt' }),
      line('session.context_changed', { cwd: '/q' }),
      line('session.title_changed', { title: 'T' }),
      line('commands.changed', { commands: [{ name: 'plan' }, 7] }),
      line('session.mcp_servers_loaded', { servers: [{ name: 'a', status: 'pending' }, { name: 'b' }] }),
      line('session.mcp_server_status_changed', { serverName: 'a', status: 'connected' }),
      line('session.mcp_server_needs_reconnect', { serverName: 'a' }),
      line('session.mcp_server_removed', { serverName: 'a' }),
      line('session.usage_info', { currentTokens: 5, tokenLimit: 10 }),
    ]);
    const updates = ofType(events, 'session-update').map(
      ({ seq: _seq, line: _line, time: _time, type: _type, lineId: _lineId, ...facts }) => facts,
    );
    expect(updates).toEqual([
      { model: 'claude' },
      { permissionMode: 'autopilot' },
      { model: 'gpt' },
      { cwd: '/q' },
      { title: 'T' },
      { commands: ['plan'] },
      { mcpServers: [{ name: 'a', status: 'pending' }, { name: 'b' }] },
      { mcpServers: [{ name: 'a', status: 'connected' }, { name: 'b' }] },
      { mcpServers: [{ name: 'a', status: 'needs-reconnect' }, { name: 'b' }] },
      { mcpServers: [{ name: 'b' }] },
    ]);
    expect(ofType(events, 'usage-update')[0]).toMatchObject({ scope: 'context', contextUsed: 5, contextSize: 10 });
  });
});

describe('a turn', () => {
  test('is a prompt until the main thread is idle, and another may follow', () => {
    const again = line('user.message', { content: 'More.', interactionId: 'i2' });
    const events = told([
      prompt,
      step(),
      said('A.'),
      stepEnd,
      idle,
      again,
      step(),
      said('B.'),
      stepEnd,
      idle,
      result(0),
    ]);
    expect(ofType(events, 'turn-end').map(({ turnId, outcome }) => [turnId, outcome])).toEqual([
      ['i1', 'success'],
      ['i2', 'success'],
    ]);
    expect(endOf(events)).toMatchObject({ outcome: 'success', sessionId: 'session-1', turns: 2 });
  });

  test('that nobody ended is ended by the last line', () => {
    expect(endOf(told([prompt, step(), said('A.'), result(0)]))?.outcome).toBe('success');
    expect(endOf(told([prompt, step(), said('A.'), result(1)]))).toMatchObject({
      outcome: 'error',
      error: { nativeCode: 'exit 1' },
    });
    expect(endOf(told([prompt, step(), said('A.')]))?.outcome).toBe('unknown');
  });

  test('may go well although the run fails', () => {
    const blocked = result(1, { outcome: 'blocked', blocker: { kind: 'permission', reason: 'needs a permission' } });
    const events = told([prompt, step(), said('A.'), stepEnd, idle, blocked], { code: 1 });
    expect(ofType(events, 'turn-end')[0]?.outcome).toBe('success');
    expect(endOf(events)).toMatchObject({
      outcome: 'error',
      error: { code: 'permission', message: 'needs a permission' },
    });
  });

  test('that was stopped is cancelled, whatever the exit code', () => {
    const stopped = [prompt, step(), bash(), line('abort', { reason: 'user_abort' })];
    for (const more of [[], [result(0)], [line('assistant.idle', { aborted: true }), result(0)]]) {
      const events = told([...stopped, ...more], { code: 0 });
      expect(ofType(events, 'tool-call-end')[0]?.outcome).toBe('cancelled');
      expect(endOf(events)?.outcome).toBe('cancelled');
    }
    const spent = told([prompt, line('abort', { reason: 'autopilot_credit_limit' }), idle]);
    expect(ofType(spent, 'turn-end')[0]).toMatchObject({ outcome: 'cancelled', stopReason: 'max_budget' });
  });

  test('steered or continued by the agent is the same turn', () => {
    const events = told([
      prompt,
      line('user.message', { content: 'Left!', delivery: 'steering' }),
      line('user.message', { content: 'Go on.', isAutopilotContinuation: true }),
      line('system.notification', { content: 'Shell 0 is done.', kind: { type: 'shell_completed' } }),
    ]);
    expect(ofType(events, 'user-message').map(({ origin }) => origin)).toEqual([
      'prompt',
      'steering',
      'injected',
      'injected',
    ]);
    expect(ofType(events, 'turn-start')).toHaveLength(1);
  });
});

describe('messages', () => {
  test('that come whole, without deltas, tell their reasoning once', () => {
    const events = told([
      prompt,
      step(),
      said('A.', { reasoningText: 'Hm.', toolRequests: [{ toolCallId: 'c1', name: 'bash' }] }),
      line('assistant.reasoning', { reasoningId: 'r1', content: 'Hm.' }),
      stepEnd,
    ]);
    expect(ofType(events, 'reasoning-end').map(({ text }) => text)).toEqual(['Hm.']);
    expect(ofType(events, 'text-end').map(({ text }) => text)).toEqual(['A.']);
    expect(ofType(events, 'step-end')[0]?.stopReason).toBe('tool_use');
  });

  test('tell reasoning that comes before them once', () => {
    const events = told([
      prompt,
      step(),
      line('assistant.reasoning', { reasoningId: 'r1', content: 'Hm.' }),
      said('A.', { reasoningText: 'Hm.' }),
    ]);
    expect(ofType(events, 'reasoning-end')).toHaveLength(1);
    expect(ofType(events, 'message-start')).toHaveLength(1);
  });

  test('with several pieces of reasoning keep each', () => {
    const delta = (reasoningId: string, deltaContent: string) =>
      line('assistant.reasoning_delta', { reasoningId, deltaContent });
    const events = told([
      prompt,
      step(),
      delta('r1', 'One.'),
      delta('r2', 'Two.'),
      said('A.', { reasoningText: 'One.Two.' }),
    ]);
    expect(ofType(events, 'reasoning-end').map(({ text }) => text)).toEqual(['One.', 'Two.']);
  });

  test('of one model call that was split are two', () => {
    const events = told([
      prompt,
      step(),
      said('A.', { chunkIndex: 0, chunkCount: 2 }),
      said('B.', { messageId: 'm2', chunkIndex: 1, chunkCount: 2 }),
    ]);
    expect(ofType(events, 'message-start').map(({ messageId }) => messageId)).toEqual(['m1', 'm2']);
    expect(ofType(events, 'step-start')).toHaveLength(1);
  });
});

describe('a call', () => {
  test.each([
    [{ success: false, error: { message: 'No.', code: 'denied' } }, 'denied', 'denied', 'policy'],
    [{ success: false, error: { message: 'No.', code: 'rejected' } }, 'denied', 'denied', 'user'],
    [{ success: false, error: { message: 'Late.', code: 'timeout' } }, 'error', 'timeout', undefined],
    [
      { success: false, error: { message: "Tool 'x' does not exist.", code: 'failure' } },
      'error',
      'tool_not_found',
      undefined,
    ],
    [{ success: false }, 'error', 'unknown', undefined],
    [{ success: true, shellExecution: { exitCode: 3 } }, 'error', undefined, undefined],
    [{ success: true, result: { contents: [{ type: 'terminal', exitCode: 4 }] } }, 'error', undefined, undefined],
    [{ success: true }, 'success', undefined, undefined],
    [{}, 'unknown', undefined, undefined],
  ])('that ends with %j', (data, outcome, code, by) => {
    const events = told([prompt, step(), bash(), complete(data)]);
    const [end] = ofType(events, 'tool-call-end');
    expect([end?.outcome, end?.error?.code]).toEqual([outcome, code]);
    expect(ofType(events, 'permission-resolve')[0]?.by).toBe(by);
  });

  test('shows its text once, and what is no text beside it', () => {
    const contents = [
      { type: 'text', text: 'seen' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ];
    const end = callEnd({ success: true, result: { content: 'seen', contents, structuredContent: { a: 1 } } });
    expect(end?.content).toEqual([
      { type: 'text', text: 'seen' },
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
    ]);
    expect(end?.output).toEqual({ a: 1 });
  });

  test('shows snapshots of its output only where nothing better comes', () => {
    const snapshot = line('tool.execution_partial_result', { toolCallId: 'c1', partialOutput: 'a\nb\n' });
    const piece = line('tool.shell_output', { toolCallId: 'c1', text: 'a\n', stream: 'terminal' });
    const progress = line('tool.execution_progress', { toolCallId: 'c1', progressMessage: 'half' });
    const shown = (messages: readonly object[]) =>
      ofType(told([prompt, step(), bash(), ...messages]), 'tool-call-update').map(
        ({ outputDelta, outputSnapshot, title }) => outputDelta ?? outputSnapshot ?? title,
      );
    expect(shown([snapshot, progress])).toEqual(['a\nb\n', 'half']);
    expect(shown([piece, snapshot])).toEqual(['a\n']);
  });

  test('whose output or end comes without it is kept raw', () => {
    const events = told([
      prompt,
      line('tool.shell_output', { toolCallId: 'c9', text: 'late' }),
      complete({ success: true }, 'c9'),
    ]);
    expect(ofType(events, 'raw').map(({ reason, nativeType }) => [reason, nativeType])).toEqual([
      ['no_counterpart', 'tool.shell_output'],
      ['no_counterpart', 'tool.execution_complete'],
    ]);
  });

  test('of an MCP server names it', () => {
    const data = { toolCallId: 'c1', toolName: 'gh-list', mcpServerName: 'gh', mcpToolName: 'list', arguments: {} };
    expect(ofType(told([prompt, step(), line('tool.execution_start', data)]), 'tool-call-start')[0]).toMatchObject({
      toolName: 'gh-list',
      tags: ['mcp'],
      mcp: { server: 'gh', tool: 'list' },
    });
  });

  test('that makes a file tells its text', () => {
    const made = line('tool.execution_start', {
      toolCallId: 'c1',
      toolName: 'create',
      arguments: { path: '/p/a', file_text: 'A\n' },
    });
    const events = told([
      prompt,
      step(),
      made,
      complete({ success: true, fileEdits: [{ path: '/p/a', kind: 'create' }] }),
    ]);
    expect(ofType(events, 'file-change')[0]?.changes).toEqual([
      { path: '/p/a', operation: 'add', oldText: null, newText: 'A\n' },
    ]);
  });

  test('that moves a file tells it as one change', () => {
    const detailedContent =
      '\ndiff --git a/p/a.txt b/p/docs/b.txt\nindex 0..0 100644\n--- a/p/a.txt\n+++ b/p/docs/b.txt\n@@ -1,1 +1,1 @@\n-x\n+y\n';
    const fileEdits = [
      { path: '/p/docs/b.txt', kind: 'create' },
      { path: '/p/a.txt', kind: 'delete' },
    ];
    const changes = (edits: readonly object[]) => {
      const end = complete({ success: true, fileEdits: edits, result: { content: 'Done.', detailedContent } });
      return ofType(told([prompt, step(), bash(), end]), 'file-change').flatMap((event) => event.changes);
    };
    expect(changes(fileEdits)).toMatchObject([{ path: '/p/docs/b.txt', operation: 'move', fromPath: '/p/a.txt' }]);
    expect(changes(fileEdits)).toHaveLength(1);
    expect(changes(fileEdits.slice(0, 1))).toMatchObject([{ path: '/p/docs/b.txt', operation: 'add' }]);
    expect(changes(fileEdits.slice(1))).toMatchObject([{ path: '/p/a.txt', operation: 'delete' }]);
  });

  test('that failed changes nothing', () => {
    const events = told([
      prompt,
      step(),
      bash(),
      complete({ success: false, fileEdits: [{ path: '/p/a', kind: 'edit' }] }),
    ]);
    expect(ofType(events, 'file-change')).toEqual([]);
  });

  test.each([
    ['task_complete', { summary: 'All done.' }, 'All done.'],
    ['ask_user', { question: 'Which?', choices: ['A'] }, 'Which?'],
    ['list_agents', {}, 'Listing'],
  ])('of %s with %j is called %s', (toolName, input, title) => {
    const call = { toolCallId: 'c1', toolName, arguments: input, toolTitle: 'Listing' };
    const events = told([prompt, step(), line('tool.execution_start', call)]);
    expect(ofType(events, 'tool-call-start')).toMatchObject([{ title }]);
  });

  test('of update_todo puts a checklist in place', () => {
    const todos = '# Plan\n- [x] Read\n- [ ] Write\n';
    const made = line('tool.execution_start', { toolCallId: 'c1', toolName: 'update_todo', arguments: { todos } });
    expect(ofType(told([prompt, step(), made, complete({ success: true })]), 'todo-update')[0]?.entries).toEqual([
      { content: 'Read', status: 'completed' },
      { content: 'Write', status: 'pending' },
    ]);
  });
});

describe('a sub-agent', () => {
  test('keeps its work apart, and does not end the turn', () => {
    const events = told([
      prompt,
      step(),
      bash(),
      agentStarted,
      child('assistant.turn_start', { turnId: '0' }),
      child('assistant.message', { messageId: 'm2', content: 'Found.', toolRequests: [] }),
      child('assistant.turn_end', { turnId: '0' }),
      child('assistant.idle', {}),
      child('subagent.completed', { toolCallId: 'c1', totalToolCalls: 2, durationMs: 9 }),
      child('assistant.turn_end', { turnId: '0' }),
      said('Thanks.'),
    ]);
    expect(ofType(events, 'task-start')).toHaveLength(1);
    expect(ofType(events, 'task-start')[0]).toMatchObject({ taskId: 'agent-1', background: true, toolCallId: 'c1' });
    expect(ofType(events, 'task-end')[0]).toMatchObject({
      outcome: 'success',
      result: 'Found.',
      toolUses: 2,
      durationMs: 9,
    });
    expect(ofType(events, 'text-end').map(({ text, subagentId }) => [text, subagentId])).toEqual([
      ['Found.', 'agent-1'],
      ['Thanks.', undefined],
    ]);
    expect(ofType(events, 'turn-end')[0]?.synthetic).toBe(true);
  });

  test('is known by the call that runs it where its line does not name it', () => {
    const delta = line('assistant.message_delta', { messageId: 'm2', deltaContent: 'x', parentToolCallId: 'c1' });
    const events = told([prompt, step(), bash(), agentStarted, delta]);
    expect(ofType(events, 'text-delta')[0]?.subagentId).toBe('agent-1');
    expect(ofType(told([prompt, delta]), 'text-delta')[0]?.subagentId).toBe('c1');
  });

  test('changes files as its own', () => {
    const events = told([
      prompt,
      step(),
      agentStarted,
      child('tool.execution_start', { toolCallId: 'c2', toolName: 'edit', arguments: { path: '/p/a' } }),
      child('tool.execution_complete', {
        toolCallId: 'c2',
        success: true,
        fileEdits: [{ path: '/p/a', kind: 'edit' }],
      }),
    ]);
    expect(ofType(events, 'file-change')[0]).toMatchObject({ subagentId: 'agent-1', toolCallId: 'c2' });
  });

  test('may fail, be stopped, start another, and go on after its end', () => {
    const events = told([
      prompt,
      agentStarted,
      child('subagent.started', { toolCallId: 'c2', agentName: 'task', parentId: 'agent-1' }, 'agent-2'),
      child('subagent.failed', { toolCallId: 'c2', error: 'no luck' }, 'agent-2'),
      child('subagent.completed', { toolCallId: 'c1', cancelled: true }),
      child('assistant.message', { messageId: 'm3', content: 'Still here.' }),
    ]);
    expect(ofType(events, 'task-start').map(({ taskId, parentTaskId }) => [taskId, parentTaskId])).toEqual([
      ['agent-1', undefined],
      ['agent-2', 'agent-1'],
      ['agent-1#2', undefined],
    ]);
    expect(ofType(events, 'task-end').map(({ outcome, error }) => [outcome, error?.message])).toEqual([
      ['error', 'no luck'],
      ['cancelled', undefined],
      ['unknown', undefined],
    ]);
    expect(ofType(events, 'text-end')[0]?.subagentId).toBe('agent-1#2');
  });

  test('that fails does not fail the turn', () => {
    const events = told([
      prompt,
      agentStarted,
      child('session.error', { errorType: 'rate_limit', message: 'Slow.' }),
      child('abort', { reason: 'user_abort' }),
      step(),
      said('Well.'),
      stepEnd,
      idle,
    ]);
    expect(ofType(events, 'error')[0]).toMatchObject({ fatal: false, subagentId: 'agent-1' });
    expect(ofType(events, 'turn-end')[0]?.outcome).toBe('success');
  });
});

describe('a workflow', () => {
  test.each([
    ['completed', 'success'],
    ['halted', 'error'],
    ['cancelled', 'cancelled'],
    ['paused', 'unknown'],
  ])('that is %s ends with %s', (status, outcome) => {
    const started = line('workflow.run_started', { runId: 'w1', workflowName: 'audit', attempt: 1 });
    const events = told([prompt, started, line('workflow.run_settled', { runId: 'w1', status, elapsedMs: 5 })]);
    expect(ofType(events, 'task-start')[0]).toMatchObject({ kind: 'workflow', name: 'audit' });
    expect(ofType(events, 'task-end')[0]).toMatchObject({ outcome, durationMs: 5 });
    const last = { type: 'workflow.result', data: { name: 'audit', run: { runId: 'w1', status } } };
    expect(endOf(told([started, last]))?.outcome).toBe(outcome);
  });
});

describe('errors and remarks', () => {
  test.each([
    ['authentication', 'authentication'],
    ['authorization', 'permission'],
    ['policy', 'permission'],
    ['quota', 'billing'],
    ['rate_limit', 'rate_limit'],
    ['context_limit', 'context_full'],
    ['persistence', 'unknown'],
    ['query', 'server'],
  ])('an error of type %s fails the turn as %s', (errorType, code) => {
    const data = { errorType, message: 'Oh.', ...(errorType === 'query' && { statusCode: 500 }) };
    const events = told([prompt, line('session.error', data), idle, result(1)]);
    expect(ofType(events, 'error')[0]).toMatchObject({ error: { code, nativeCode: errorType }, fatal: true });
    expect(ofType(events, 'turn-end')[0]).toMatchObject({ outcome: 'error', error: { code } });
    expect(endOf(events)).toMatchObject({ outcome: 'error', error: { code } });
  });

  test.each(['model_call', 'hook'])('an error of type %s passes', (errorType) => {
    const events = told([prompt, line('session.error', { errorType, message: 'Oh.' }), step(), said('A.'), idle]);
    expect(ofType(events, 'error')[0]?.fatal).toBe(false);
    expect(endOf(events)?.outcome).toBe('success');
  });

  test('two kinds of warning end the turn, the others are remarks', () => {
    const warn = (warningType: string) =>
      told([prompt, line('session.warning', { warningType, message: 'Beware.' }), idle]);
    expect(endOf(warn('policy_blocked'))).toMatchObject({ outcome: 'error', error: { code: 'permission' } });
    expect(endOf(warn('compaction_static_context_blocked'))).toMatchObject({ error: { code: 'context_full' } });
    expect(ofType(warn('mcp'), 'notice')[0]).toMatchObject({
      severity: 'warning',
      title: 'Beware.',
      nativeCode: 'mcp',
    });
    expect(endOf(warn('mcp'))?.outcome).toBe('success');
  });

  test('remarks come out as such', () => {
    const events = told([
      prompt,
      line('session.info', { infoType: 'model_retry', message: 'Compacting history and retrying...' }),
      line('session.task_complete', { summary: 'All done.' }),
      line('session.autopilot_stopped', { reason: 'task_complete' }),
      line('session.autopilot_stopped', { reason: 'cap_reached' }),
      line('session.managed_settings_enforced', { message: 'Not allowed here.' }),
    ]);
    expect(ofType(events, 'notice').map(({ severity, title }) => [severity, title])).toEqual([
      ['info', 'Compacting history and retrying...'],
      ['info', 'All done.'],
      ['warning', 'autopilot stopped: cap_reached'],
      ['warning', 'Not allowed here.'],
    ]);
  });

  test.each([
    ['context_length_exceeded', 400, 'context_full'],
    ['server_error', undefined, 'server'],
    ['server_error', 429, 'rate_limit'],
    ['rate_limit_exceeded', undefined, 'rate_limit'],
    ['something_else', 400, 'invalid_request'],
  ])('a model call that failed with %s and %s is %s', (errorCode, statusCode, code) => {
    const failure = line('model.call_failure', { errorCode, statusCode, errorMessage: 'It failed.' });
    const events = told([prompt, step(), failure, line('assistant.turn_retry', { turnId: '0' })]);
    expect(ofType(events, 'retry-start')).toMatchObject([{ error: { code, nativeCode: errorCode } }]);
  });

  test('a model call that failed tells what was said, in JSON or not', () => {
    const failure = (errorMessage: string) => line('model.call_failure', { errorMessage });
    const message = (text: string) =>
      ofType(told([prompt, step(), failure(text), line('assistant.turn_retry', {})]), 'retry-start')[0]?.error?.message;
    expect(message('{"message":"Slow down.","code":null}')).toBe('Slow down.');
    expect(message('"The connection broke."')).toBe('The connection broke.');
    expect(message('Broken.')).toBe('Broken.');
  });

  test('a retry that leads nowhere ends before the failure is told', () => {
    const failure = line('model.call_failure', { statusCode: 500, errorMessage: 'Oh.' });
    const retry = line('assistant.turn_retry', { turnId: '0' });
    const error = line('session.error', { errorType: 'query', message: 'Failed.' });
    expect(types(told([prompt, step(), failure, retry, error, idle])).slice(4, 7)).toEqual([
      'retry-start',
      'retry-end',
      'error',
    ]);
  });

  test('an error that tells nothing of itself is of the kind of the model call that failed last', () => {
    const failure = line('model.call_failure', { errorCode: 'server_error', errorMessage: 'It failed.' });
    const message = 'Failed to get response from the AI model; retried 5 times Last error: It failed.';
    const error = line('session.error', { errorType: 'query', message });
    expect(endOf(told([prompt, step(), failure, error, idle]))).toMatchObject({ error: { code: 'server', message } });
    expect(endOf(told([prompt, step(), error, idle]))).toMatchObject({ error: { code: 'unknown' } });
  });

  test('a prompt that cannot be made short enough is why the turn stops', () => {
    const message = 'The provider rejected the prompt as too long, but automatic recovery could not reduce it.';
    const events = told([prompt, step(), line('session.error', { errorType: 'query', message }), idle]);
    expect(ofType(events, 'turn-end')).toMatchObject([{ stopReason: 'context_full', error: { code: 'context_full' } }]);
  });

  test('a model call after one that failed is a retry, announced or not', () => {
    const failure = line('model.call_failure', { statusCode: 429, errorMessage: 'Slow.', retryAttempt: 0 });
    const events = told([
      prompt,
      step(),
      failure,
      line('model.call_start', { turnId: '0' }),
      said('A.'),
      stepEnd,
      idle,
    ]);
    expect(ofType(events, 'retry-start')[0]).toMatchObject({
      attempt: 1,
      error: { code: 'rate_limit', message: 'Slow.' },
    });
    expect(ofType(events, 'retry-end')[0]?.outcome).toBe('success');
    expect(ofType(events, 'error')).toEqual([]);
  });
});

describe('a message that breaks off', () => {
  const begun = [
    prompt,
    step(),
    line('assistant.reasoning_delta', { reasoningId: 'r1', deltaContent: 'Hm' }),
    line('assistant.message_delta', { messageId: 'm0', deltaContent: 'Hal' }),
    line('assistant.tool_call_delta', { toolCallId: 'c0', toolName: 'bash', inputDelta: '{"com' }),
  ];

  test('is taken back when the model is called again', () => {
    const failure = line('model.call_failure', { failureKind: 'transport', errorMessage: 'terminated' });
    const again = line('assistant.turn_retry', { turnId: '0' });
    const events = told([...begun, failure, again, said('Whole.'), stepEnd, idle, result(0)]);
    const [first, second] = ofType(events, 'message-start');
    expect(ofType(events, 'message-retract')[0]).toMatchObject({ messageIds: [first?.messageId], toolCallIds: ['c0'] });
    expect(second?.messageId).toBe('m1');
    expect(ofType(events, 'text-end').map(({ text, partial }) => [text, partial])).toEqual([
      ['Hal', true],
      ['Whole.', undefined],
    ]);
    expect(ofType(events, 'tool-call-end')[0]).toMatchObject({ toolCallId: 'c0', outcome: 'cancelled' });
  });

  test('is partial when somebody stopped it', () => {
    const events = told([...begun, line('agent.interrupted', { activity: 'model_call' }), stepEnd]);
    expect(ofType(events, 'text-end')[0]).toMatchObject({ text: 'Hal', partial: true });
    expect(ofType(events, 'reasoning-end')[0]).toMatchObject({ text: 'Hm', partial: true });
    expect(ofType(events, 'message-retract')).toEqual([]);
  });

  test('is not taken back when it is whole, or when the call was an MCP server’s', () => {
    const failure = line('model.call_failure', { source: 'mcp_sampling', errorMessage: 'no' });
    const events = told([prompt, step(), said('A.'), failure, line('model.call_start', {}), stepEnd]);
    expect(ofType(events, 'retry-start')).toEqual([]);
    const whole = told([prompt, step(), said('A.'), line('assistant.turn_retry', {}), stepEnd]);
    expect(ofType(whole, 'message-retract')).toEqual([]);
    expect(ofType(whole, 'retry-start')).toHaveLength(1);
  });
});

describe('what passes between Copilot and its host', () => {
  const asked = line('permission.requested', {
    requestId: 'p1',
    permissionRequest: { kind: 'shell', toolCallId: 'c1', fullCommandText: 'ls', warning: 'careful' },
  });

  test.each([
    [{ kind: 'approved' }, 'human_response', 'allowed', 'user'],
    [{ kind: 'approved-for-session' }, 'host_policy', 'allowed', 'policy'],
    [{ kind: 'approved' }, undefined, 'allowed', 'unknown'],
    [{ kind: 'denied-by-rules' }, undefined, 'denied', 'policy'],
    [{ kind: 'denied-interactively-by-user', feedback: 'no' }, undefined, 'denied', 'user'],
    [{ kind: 'cancelled' }, undefined, 'cancelled', 'unknown'],
  ])('a permission that ends with %j', (outcome, decisionSource, decision, by) => {
    const answered = line('permission.completed', {
      requestId: 'p1',
      toolCallId: 'c1',
      result: outcome,
      decisionSource,
    });
    const refusal = complete({ success: false, error: { message: 'No.', code: 'denied' } });
    const events = told([prompt, step(), bash(), asked, answered, ...(decision === 'denied' ? [refusal] : [])]);
    expect(ofType(events, 'permission-request')[0]).toMatchObject({
      requestId: 'p1',
      toolCallId: 'c1',
      toolName: 'bash',
      title: 'ls',
      reason: 'careful',
    });
    expect(ofType(events, 'permission-resolve').map((event) => [event.requestId, event.decision, event.by])).toEqual([
      ['p1', decision, by],
    ]);
  });

  test('questions and their answers', () => {
    const events = told([
      prompt,
      line('user_input.requested', { requestId: 'q1', question: 'Which?', choices: ['a', 'b'] }),
      line('user_input.completed', { requestId: 'q1', answer: 'a' }),
      line('elicitation.requested', { requestId: 'q2', message: 'Fill in.', requestedSchema: { type: 'object' } }),
      line('elicitation.completed', { requestId: 'q2', action: 'decline' }),
    ]);
    expect(ofType(events, 'question-request').map(({ message }) => message)).toEqual(['Which?', 'Fill in.']);
    expect(ofType(events, 'question-resolve').map(({ outcome, answer }) => [outcome, answer])).toEqual([
      ['success', 'a'],
      ['denied', undefined],
    ]);
  });

  test('hooks, compactions and plans', () => {
    const events = told([
      prompt,
      line('hook.start', { hookInvocationId: 'h1', hookType: 'preToolUse' }),
      line('hook.end', {
        hookInvocationId: 'h1',
        hookType: 'preToolUse',
        success: false,
        error: { message: 'broken' },
      }),
      line('session.compaction_start', { compactionAttemptId: 'k1', trigger: 'context_limit_retry' }),
      line('session.compaction_complete', {
        success: true,
        preCompactionTokens: 9,
        postCompactionTokens: 3,
        summaryContent: 'S',
      }),
      line('exit_plan_mode.requested', { requestId: 'e1', planContent: '# Plan' }),
    ]);
    expect(ofType(events, 'hook-start')[0]).toMatchObject({ hookId: 'h1', name: 'preToolUse' });
    expect(ofType(events, 'hook-end')[0]).toMatchObject({ outcome: 'error', output: 'broken' });
    expect(ofType(events, 'compaction-start')[0]).toMatchObject({ compactionId: 'k1', trigger: 'overflow' });
    expect(ofType(events, 'compaction-end')[0]).toMatchObject({
      outcome: 'success',
      tokensBefore: 9,
      tokensAfter: 3,
      summary: 'S',
    });
    expect(ofType(events, 'plan-update')[0]?.text).toBe('# Plan');
  });
});

describe('the command', () => {
  test('joins what a person says to its flag', () => {
    const command = copilot.command?.({ prompt: '-x', model: 'gpt', resume: 's1', approveAll: true });
    expect(command?.args).toEqual([
      '--output-format=json',
      '--no-color',
      '--allow-all-tools',
      '--model=gpt',
      '--resume=s1',
      '--prompt=-x',
    ]);
    expect(copilot.command?.({ prompt: 'a' }).args).toEqual(['--output-format=json', '--no-color', '--prompt=a']);
  });
});

describe('detection', () => {
  test('each of its lines is enough', () => {
    for (const message of messagesOf('copilot')) expect(copilot.detect([message])).toBe(0.9);
  });

  test.each(['claude', 'codex', 'gemini', 'goose', 'grok', 'kimi', 'opencode', 'pi', 'qwen'])(
    'no line of %s is its own',
    (agent) => {
      expect(messagesOf(agent).filter((message) => copilot.detect([message]) > 0)).toEqual([]);
    },
  );

  test('a line of a version to come is known by its envelope, and a common word is not', () => {
    expect(copilot.detect([line('session.invented')])).toBe(0.6);
    expect(copilot.detect([{ type: 'abort', data: {} }])).toBeLessThan(0.5);
    expect(copilot.detect([{ type: 'result', exitCode: 0 }])).toBe(0);
  });
});
