import { describe, expect, test } from 'vitest';
import { ofType } from '../../../test/captures.ts';
import { brokenPromises } from '../../../test/promises.ts';
import { eventsOfMessages, messagesOf } from '../../../test/recordings.ts';
import type { AgentStreamEvent, Exit } from '../../index.ts';
import { opencode } from './index.ts';

let parts = 0;

/** A line of the session; its part has an id that no other has. */
const line = (type: string, part: object, rest: object = {}): object => ({
  type,
  timestamp: 1_794_725_810_844,
  sessionID: 'ses_1',
  part: { id: `prt_${++parts}`, sessionID: 'ses_1', messageID: 'msg_1', ...part },
  ...rest,
});
const errorLine = (error: object): object => ({ type: 'error', timestamp: 1, sessionID: 'ses_1', error });

const start = (messageID = 'msg_1'): object => line('step_start', { messageID, type: 'step-start' });
const text = (said: string, more: object = {}): object =>
  line('text', { text: said, time: { start: 1, end: 2 }, ...more });
const finish = (reason: string, messageID = 'msg_1'): object =>
  line('step_finish', {
    messageID,
    reason,
    cost: 0.5,
    tokens: { total: 111, input: 10, output: 20, reasoning: 1, cache: { read: 30, write: 50 } },
  });
const call = (tool: string, state: object, more: object = {}): object =>
  line('tool_use', {
    type: 'tool',
    tool,
    callID: `call_${parts}`,
    state: { time: { start: 5, end: 9 }, ...state },
    ...more,
  });
const done = (tool: string, metadata: object, state: object = {}, more: object = {}): object =>
  call(tool, { status: 'completed', input: {}, output: 'out', title: '', metadata, ...state }, more);
const failed = (tool: string, error: string, state: object = {}): object =>
  call(tool, { status: 'error', input: {}, error, ...state });

function told(messages: readonly unknown[], exit?: Exit): AgentStreamEvent[] {
  const events = eventsOfMessages(opencode, messages, exit);
  expect(brokenPromises(events)).toEqual([]);
  return events;
}
const endOf = (events: readonly AgentStreamEvent[]) => ofType(events, 'session-end')[0];
const callEnd = (message: object) => ofType(told([start(), message]), 'tool-call-end')[0];

describe('a turn', () => {
  test('ends with a step that stops, and later lines begin another', () => {
    const events = told([start(), text('One.'), finish('stop'), start('msg_2'), text('Two.'), finish('stop', 'msg_2')]);
    expect(ofType(events, 'turn-end').map(({ outcome, stopReason }) => [outcome, stopReason])).toEqual([
      ['success', 'end_turn'],
      ['success', 'end_turn'],
    ]);
    expect(endOf(events)?.outcome).toBe('success');
  });

  test('that has ended well stays so when a call is told that a broken stream left behind', () => {
    const left = failed('bash', 'Tool execution aborted', { metadata: { interrupted: true } });
    const events = told([start(), start(), text('Done.'), finish('stop'), left], { code: 0 });
    expect(ofType(events, 'tool-call-end')[0]?.error?.code).toBe('cancelled');
    expect(ofType(events, 'turn-end').map(({ outcome, stopReason }) => [outcome, stopReason])).toEqual([
      ['success', 'end_turn'],
      ['success', 'end_turn'],
    ]);
    expect(endOf(events)?.outcome).toBe('success');
  });

  test('is cut off by the length', () => {
    expect(ofType(told([start(), finish('length')]), 'turn-end')[0]).toMatchObject({
      outcome: 'success',
      stopReason: 'max_tokens',
    });
  });

  test.each(['tool-calls', 'unknown', 'content-filter', 'error'])('goes on after "%s"', (reason) => {
    const events = told([start(), finish(reason)]);
    expect(ofType(events, 'turn-end')[0]).toMatchObject({ outcome: 'unknown', synthetic: true });
    expect(endOf(events)?.outcome).toBe('unknown');
  });

  test('goes on after a stop when the step has a call whose result the model is to see', () => {
    const own = told([start(), done('read', {}), finish('stop')]);
    expect(ofType(own, 'turn-end')[0]?.synthetic).toBe(true);
    const provided = told([
      start(),
      done('websearch', {}, {}, { metadata: { providerExecuted: true } }),
      finish('stop'),
    ]);
    expect(ofType(provided, 'turn-end')[0]?.synthetic).toBeUndefined();
    expect(ofType(provided, 'tool-call-start')[0]?.serverSide).toBe(true);
  });
});

describe('tokens', () => {
  test('caches are part of input and reasoning is part of output', () => {
    const [end] = ofType(told([start(), finish('stop')]), 'step-end');
    expect(end).toMatchObject({
      usage: {
        inputTokens: 90,
        cacheReadTokens: 30,
        cacheWriteTokens: 50,
        outputTokens: 21,
        reasoningTokens: 1,
        totalTokens: 111,
      },
      cost: { amount: 0.5, currency: 'USD' },
    });
  });

  test('of a step whose beginning was not seen are counted', () => {
    expect(endOf(told([finish('stop')]))?.usage?.inputTokens).toBe(90);
  });
});

describe('a call', () => {
  test('that was refused is denied, and says by whom', () => {
    const sentence = 'The user rejected permission to use this specific tool call';
    const by = (message: object) => ofType(told([start(), message]), 'permission-resolve')[0]?.by;
    expect(by(failed('bash', `${sentence}.`))).toBe('unknown');
    expect(by(failed('bash', `${sentence} with the following feedback: no`))).toBe('user');
    expect(by(failed('bash', 'The user has specified a rule which prevents you from using this …'))).toBe('policy');
    expect(by(failed('bash', 'rejected permission'))).toBeUndefined();
    expect(callEnd(failed('bash', `${sentence}.`))?.outcome).toBe('denied');
  });

  test('that was stopped is an error, as OpenCode says, with the code that tells why', () => {
    const stopped = failed('bash', 'Tool execution aborted', { metadata: { interrupted: true } });
    expect(callEnd(stopped)).toMatchObject({ outcome: 'error', error: { code: 'cancelled' } });
    expect(callEnd(failed('bash', 'Tool execution aborted'))?.error?.code).toBe('cancelled');
  });

  test('of a command has the exit code, which decides', () => {
    expect(callEnd(done('bash', { exit: 3 }))).toMatchObject({
      outcome: 'error',
      exitCode: 3,
      nativeStatus: 'completed',
    });
    expect(callEnd(done('bash', { exit: null }))?.exitCode).toBeUndefined();
  });

  test('with an input that does not fit is an invalid input', () => {
    const input = { tool: 'read', error: 'Invalid input for tool read: …' };
    expect(callEnd(done('invalid', {}, { input }))).toMatchObject({
      outcome: 'error',
      error: { code: 'invalid_input' },
    });
  });

  test('of a failed request does not take its status for the model’s', () => {
    expect(callEnd(failed('webfetch', 'Request failed with status code: 404'))?.error?.code).toBe('unknown');
  });

  test('shows the files that came with its result', () => {
    const attachments = [
      { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA', filename: 'a.png' },
      { type: 'file', mime: 'application/pdf', url: 'file:///b.pdf', filename: 'b.pdf' },
      7,
    ];
    expect(callEnd(done('read', {}, { attachments }))?.content).toEqual([
      { type: 'text', text: 'out' },
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      { type: 'resource', uri: 'file:///b.pdf', mediaType: 'application/pdf', title: 'b.pdf' },
    ]);
  });

  test('is told once, also when its part is printed again', () => {
    const one = done('read', {});
    const compacted = done('read', {}, { time: { start: 1, end: 2, compacted: 3 } });
    expect(ofType(told([start(), one, one, compacted]), 'tool-call-start')).toHaveLength(1);
  });

  test('of an MCP server is known by its name', () => {
    const [begun] = ofType(told([start(), done('github_list_issues', {})]), 'tool-call-start');
    expect(begun).toMatchObject({ kind: 'other', tags: ['mcp'], mcp: { server: 'github', tool: 'list_issues' } });
    const [resource] = ofType(told([start(), done('read_mcp_resource', {})]), 'tool-call-start');
    expect(resource).toMatchObject({ kind: 'read' });
    expect(resource?.mcp).toBeUndefined();
  });

  test('of apply_patch changes the files it names', () => {
    const patch = 'Index: a\n===\n--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n';
    const files = [
      { filePath: '/p/new', type: 'add', patch, additions: 1, deletions: 0 },
      { filePath: '/p/old', movePath: '/p/moved', type: 'move', patch, additions: 1, deletions: 1 },
      { filePath: '/p/gone', type: 'delete', patch: '', additions: 0, deletions: 4 },
      { filePath: '/p/same', type: 'update', patch, additions: 1, deletions: 1 },
    ];
    const events = told([
      start(),
      done('apply_patch', { files }, { title: 'Success. Updated the following files:\nA new' }),
    ]);
    expect(ofType(events, 'file-change')[0]?.changes).toEqual([
      { path: '/p/new', operation: 'add', patch: '@@ -1 +1 @@\n-x\n+y', linesAdded: 1, linesRemoved: 0 },
      {
        path: '/p/moved',
        fromPath: '/p/old',
        operation: 'move',
        patch: '@@ -1 +1 @@\n-x\n+y',
        linesAdded: 1,
        linesRemoved: 1,
      },
      { path: '/p/gone', operation: 'delete', linesAdded: 0, linesRemoved: 4 },
      { path: '/p/same', operation: 'modify', patch: '@@ -1 +1 @@\n-x\n+y', linesAdded: 1, linesRemoved: 1 },
    ]);
    expect(ofType(events, 'tool-call-start')[0]?.title).toBe('Success. Updated the following files:');
  });

  test('that failed changes nothing', () => {
    const metadata = { filediff: { file: '/p/a', patch: '', additions: 1, deletions: 0 } };
    expect(ofType(told([start(), failed('edit', 'no', { metadata })]), 'file-change')).toEqual([]);
  });
});

describe('a sub-agent', () => {
  const input = { description: 'Count', prompt: 'Count the lines', subagent_type: 'general' };

  test('in the background has no end that anybody tells', () => {
    const output = '<task id="ses_2" state="running">\n<task_result>\nstarted\n</task_result>\n</task>';
    const events = told([
      start(),
      done('task', { sessionId: 'ses_2', background: true }, { input, output }),
      finish('stop'),
    ]);
    expect(ofType(events, 'task-start')[0]).toMatchObject({ taskId: 'ses_2', background: true });
    expect(ofType(events, 'task-end')[0]).toMatchObject({ outcome: 'unknown', synthetic: true });
  });

  test('that failed says why; one that was refused never began', () => {
    const lost = failed('task', 'Subagent failed (task_id: ses_2): overloaded', {
      input,
      metadata: { sessionId: 'ses_2' },
    });
    expect(ofType(told([start(), lost]), 'task-end')[0]).toMatchObject({
      outcome: 'error',
      error: { message: 'Subagent failed (task_id: ses_2): overloaded' },
    });
    const refused = failed('task', 'The user rejected permission to use this specific tool call.', { input });
    expect(ofType(told([start(), refused]), 'task-start')).toEqual([]);
  });

  test('that is asked again is another task', () => {
    const once = () => done('task', { sessionId: 'ses_2' }, { input, output: 'plain answer' });
    const events = told([start(), once(), once()]);
    expect(ofType(events, 'task-start').map(({ taskId }) => taskId)).toEqual(['ses_2', 'ses_2#2']);
    expect(ofType(events, 'task-end')[0]?.result).toBe('plain answer');
  });
});

describe('an error', () => {
  test.each([
    ['ProviderAuthError', 'authentication', 'error'],
    ['StructuredOutputError', 'structured_output', 'error'],
    ['ContentFilterError', 'content_filter', 'content_filter'],
    ['MessageOutputLengthError', 'unknown', 'max_tokens'],
    ['UnknownError', 'unknown', 'error'],
    ['constructor', 'unknown', 'error'],
  ])('%s is %s and ends the turn', (name, code, stopReason) => {
    const events = told([start(), errorLine({ name, data: { message: 'Oh.' } })]);
    expect(ofType(events, 'error')[0]).toMatchObject({
      error: { code, message: 'Oh.', nativeCode: name },
      fatal: true,
    });
    expect(ofType(events, 'turn-end')[0]).toMatchObject({ outcome: 'error', stopReason });
    expect(endOf(events)).toMatchObject({ outcome: 'error', error: { code } });
  });

  test('of a request that was refused has a tag and a message', () => {
    const [error] = ofType(told([errorLine({ _tag: 'InvalidRequestError', message: 'No such field.' })]), 'error');
    expect(error?.error).toEqual({ code: 'unknown', message: 'No such field.', nativeCode: 'InvalidRequestError' });
  });

  test('of a provider tells its status and whether it may pass', () => {
    const data = { message: 'Slow down', statusCode: 429, isRetryable: true };
    expect(ofType(told([errorLine({ name: 'APIError', data })]), 'error')[0]?.error).toEqual({
      code: 'rate_limit',
      message: 'Slow down',
      nativeCode: 'APIError',
      httpStatus: 429,
      retryable: true,
    });
  });

  test('that it gets over by summarising fails the run all the same, as its exit code does', () => {
    const lines = [
      start(),
      errorLine({ name: 'ContextOverflowError', data: { message: 'too long' } }),
      start('msg_2'),
      text('Summary.', { messageID: 'msg_2' }),
      finish('stop', 'msg_2'),
      text('Continue.', { messageID: 'msg_3', synthetic: true, metadata: { compaction_continue: true } }),
      start('msg_4'),
      text('Done.', { messageID: 'msg_4' }),
      finish('stop', 'msg_4'),
    ];
    const events = told(lines);
    expect(ofType(events, 'error')[0]).toMatchObject({ error: { code: 'context_full' }, fatal: false });
    expect(ofType(events, 'compaction-end')[0]).toMatchObject({ outcome: 'success', summary: 'Summary.' });
    expect(ofType(events, 'user-message')[0]).toMatchObject({ origin: 'injected', content: [{ text: 'Continue.' }] });
    expect(ofType(events, 'turn-end').map(({ outcome }) => outcome)).toEqual(['success', 'success']);
    expect(endOf(events)?.outcome).toBe('error');
    expect(endOf(told(lines, { code: 1 }))?.outcome).toBe('error');
  });

  test('that says that somebody stopped it is no failure', () => {
    const events = told([start(), errorLine({ name: 'MessageAbortedError', data: { message: 'Aborted' } })], {
      code: 1,
    });
    expect(ofType(events, 'error')).toEqual([]);
    expect(endOf(events)).toMatchObject({ outcome: 'cancelled', exitCode: 1 });
  });
});

describe('the end of the process', () => {
  test('by a signal is a cancellation, by a code an error', () => {
    expect(endOf(told([start(), text('Hm.')], { code: null, signal: 'SIGINT' }))?.outcome).toBe('cancelled');
    expect(endOf(told([start(), text('Hm.')], { code: 1 }))).toMatchObject({ outcome: 'error' });
    expect(endOf(told([start(), text('Hm.')], { code: 0 }))?.outcome).toBe('unknown');
  });
});

describe('a part that is told twice', () => {
  test('counts once', () => {
    const end = finish('stop');
    expect(endOf(told([start(), text('Hi.'), end, end]))?.usage?.totalTokens).toBe(111);
  });
});

describe('a model call that is tried again', () => {
  test('is a step of its own', () => {
    const events = told([start(), start(), text('At last.'), finish('stop')]);
    expect(ofType(events, 'step-start').map(({ stepId }) => stepId)).toEqual(['msg_1', 'msg_1#2']);
    expect(endOf(events)?.usage?.totalTokens).toBe(111);
  });
});

describe('the command', () => {
  test('has the prompt on stdin, where nothing is done to it', () => {
    const { args, stdin } =
      opencode.command?.({ prompt: 'a "b" c', model: 'x/y', resume: 'ses_1', approveAll: true }) ?? {};
    expect(args).toEqual(['run', '--format=json', '--thinking', '--auto', '--model=x/y', '--session=ses_1']);
    expect(stdin).toBe('a "b" c');
    expect(opencode.command?.({ prompt: 'a' }).args).toEqual(['run', '--format=json', '--thinking']);
  });
});

describe('detection', () => {
  test('each of its lines is enough', () => {
    for (const message of messagesOf('opencode')) expect(opencode.detect([message])).toBe(0.9);
  });

  test.each(['claude', 'codex', 'copilot', 'gemini', 'goose', 'grok', 'kimi', 'pi', 'qwen'])(
    'no line of %s is its own',
    (agent) => {
      expect(messagesOf(agent).filter((message) => opencode.detect([message]) > 0)).toEqual([]);
    },
  );

  test('a line without a part is not enough', () => {
    expect(opencode.detect([{ type: 'text', timestamp: 1, sessionID: 'ses_1' }])).toBeLessThan(0.5);
    expect(opencode.detect([{ type: 'error', timestamp: 1, sessionID: 'ses_1' }])).toBeLessThan(0.5);
    expect(opencode.detect([{ type: 'text', part: {} }])).toBe(0);
  });
});
