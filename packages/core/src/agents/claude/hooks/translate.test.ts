// Payloads of hooks become the same events as the stream of the same run: the recordings hold both.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../../../proof/counts.ts';
import { ofType } from '../../../../test/captures.ts';
import { brokenPromises } from '../../../../test/promises.ts';
import { type Agent, type AgentStreamEvent, createDecoder, type Exit } from '../../../index.ts';
import { claude } from '../index.ts';
import { createHookTranslator, isHookPayload } from './translate.ts';

const folder = fileURLToPath(new URL('../../../../../../fixtures/claude/2.1.325/hooks/', import.meta.url));
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.hooks.ndjson'))
  .map((file) => file.slice(0, -'.hooks.ndjson'.length));

const listener: Agent = { ...claude, createTranslator: () => createHookTranslator() };

function eventsOf(payloads: readonly unknown[], exit?: Exit): AgentStreamEvent[] {
  const decoder = createDecoder({ agent: listener });
  const events = payloads.flatMap((payload, index) =>
    decoder.feed(Buffer.from(`${JSON.stringify(payload)}\n`), { at: 1000 + index * 10, source: 'hook' }),
  );
  return [...events, ...decoder.end(exit)];
}

function payloadsOf(name: string): readonly Record<string, unknown>[] {
  const lines = readFileSync(`${folder}${name}.hooks.ndjson`, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

function printedOf(name: string): AgentStreamEvent[] {
  const decoder = createDecoder({ agent: 'claude' });
  return [...decoder.feed(readFileSync(`${folder}${name}.ndjson`)), ...decoder.end()];
}

const base = { session_id: 's', transcript_path: '/t', cwd: '/home/dev', prompt_id: 'p', permission_mode: 'default' };
const payload = (hook_event_name: string, more: object = {}) => ({ ...base, hook_event_name, ...more });
const types = (events: readonly AgentStreamEvent[]) => events.map(({ type }) => type);
const bash = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'c' };

/** The calls as both tell them. What the model reads, and who is asked for what, differ. */
function callsOf(events: readonly AgentStreamEvent[]) {
  const ends = new Map(ofType(events, 'tool-call-end').map((end) => [end.toolCallId, end]));
  return ofType(events, 'tool-call-start')
    .map(({ toolCallId, toolName, kind, tags, mcp, subagentId }) => {
      const { outcome, exitCode } = ends.get(toolCallId) ?? {};
      return { toolCallId, toolName, kind, tags, mcp, subagentId, outcome, exitCode };
    })
    .sort((a, b) => a.toolCallId.localeCompare(b.toolCallId));
}

describe.each(names)('[R-13] the hooks of %s', (name) => {
  const events = eventsOf(payloadsOf(name));
  const printed = printedOf(name);
  const isMain = ({ subagentId }: AgentStreamEvent) => subagentId === undefined;

  test('keeps the promises about events', () => {
    expect(brokenPromises(events)).toEqual([]);
    expect(events.filter((event) => event.type === 'raw' && event.reason !== 'no_counterpart')).toEqual([]);
  });

  test('has the calls of the stream, with the same ids, kinds and outcomes', () => {
    const told = callsOf(events);
    // A rule that refuses a call before any hook is asked looks like any other mistake in it.
    const wanted = callsOf(printed).map((call) =>
      name === 'permission-rule-deny' && call.toolName === 'Read' ? { ...call, outcome: 'error' } : call,
    );
    // An interrupt ends without a payload, and a call that waited for its turn was never told of.
    if (name === 'interrupt-one-pending') {
      expect(told).toMatchObject([{ outcome: 'unknown' }]);
      expect(wanted.map(({ toolCallId }) => toolCallId)).toContain(told[0]?.toolCallId);
    } else if (name === 'subagent-nested') {
      // The stream is silent about what a sub-agent of a sub-agent does.
      expect(told).toEqual(expect.arrayContaining(wanted));
      expect(told).toHaveLength(wanted.length + 1);
    } else expect(told).toEqual(wanted);
  });

  test('has the file changes and the todos of the stream', () => {
    const changes = (all: readonly AgentStreamEvent[]) =>
      ofType(all, 'file-change')
        .filter(isMain)
        .map(({ toolCallId, changes, outcome }) => ({ toolCallId, changes, outcome }));
    expect(changes(events)).toEqual(changes(printed));
    const todos = (all: readonly AgentStreamEvent[]) => ofType(all, 'todo-update').map(({ entries }) => entries);
    expect(todos(events)).toEqual(todos(printed));
  });

  test('has the texts of the main thread, and ends its turns as the stream does', () => {
    const texts = (all: readonly AgentStreamEvent[]) =>
      ofType(all, 'text-end')
        .filter(isMain)
        .map(({ text }) => text);
    // The CLI shows its error as a text; the stream has it as an error.
    if (name !== 'error-500') expect(texts(events)).toEqual(texts(printed));
    const ends = (all: readonly AgentStreamEvent[]) =>
      ofType(all, 'turn-end').flatMap(({ outcome, stopReason, result }) =>
        // A command of the CLI's own is a turn of the stream with nothing to say, and no turn here.
        result === '' ? [] : [{ outcome, stopReason, result: result?.trim() }],
      );
    if (name === 'interrupt-one-pending') expect(ends(events)).toMatchObject([{ outcome: 'unknown' }]);
    // Whoever stops twice has two turns: nothing tells that another hook sent the model on.
    else if (name === 'hook-stop-blocks')
      expect(ends(events)).toEqual([{ ...ends(printed)[0], result: 'I am done.' }, ...ends(printed)]);
    else expect(ends(events)).toEqual(ends(printed));
  });

  test('has the tasks of the stream', () => {
    const tasks = (all: readonly AgentStreamEvent[]) =>
      ofType(all, 'task-end')
        .map(({ taskId, outcome }) => ({ taskId, outcome }))
        .sort((a, b) => a.taskId.localeCompare(b.taskId));
    expect(tasks(events)).toEqual(tasks(printed));
  });
});

describe('a session', () => {
  test('starts with what the first payload tells, and says when it was resumed', () => {
    const events = eventsOf([payload('SessionStart', { source: 'resume', model: 'm' })]);
    expect(events[0]).toMatchObject({
      type: 'session-start',
      agent: 'claude',
      sessionId: 's',
      model: 'm',
      cwd: '/home/dev',
      permissionMode: 'default',
      resumed: true,
    });
    expect(types(events)).toEqual(['session-start', 'session-end']);
  });

  test('tells what has changed, but not where a sub-agent works', () => {
    const events = eventsOf([
      payload('SessionStart'),
      payload('CwdChanged', { old_cwd: '/home/dev', new_cwd: '/home/dev/b' }),
      payload('PostModelSwitch', { cwd: '/home/dev/b', to_model: 'n' }),
      payload('PreToolUse', { ...bash, cwd: '/elsewhere', agent_id: 'a', agent_type: 'x' }),
    ]);
    expect(ofType(events, 'session-update').map(({ cwd, model }) => [cwd, model])).toEqual([
      ['/home/dev/b', undefined],
      [undefined, 'n'],
    ]);
  });
});

describe('a turn', () => {
  test('that is answered by another prompt was broken off; what is typed meanwhile belongs to it', () => {
    const events = eventsOf([
      payload('UserPromptSubmit', { prompt: 'one' }),
      payload('UserPromptSubmit', { prompt: 'and' }),
      payload('PreToolUse', bash),
      payload('UserPromptSubmit', { prompt: 'two', prompt_id: 'q' }),
      payload('Stop', { prompt_id: 'q', last_assistant_message: 'Done.' }),
    ]);
    expect(ofType(events, 'user-message').map(({ origin }) => origin)).toEqual(['prompt', 'steering', 'prompt']);
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'cancelled', synthetic: true }]);
    expect(ofType(events, 'turn-end')).toMatchObject([
      { outcome: 'cancelled', synthetic: true },
      { outcome: 'success', result: 'Done.' },
    ]);
    // Nothing was shown, so the last text is all there is.
    expect(ofType(events, 'text-end')).toMatchObject([{ text: 'Done.' }]);
    expect(events.at(-1)).toMatchObject({ type: 'session-end', outcome: 'success', turns: 2 });
  });

  test('fails with the reason that the payload gives', () => {
    const [end] = ofType(
      eventsOf([payload('StopFailure', { error: 'rate_limit', error_details: 'slow down' })]),
      'turn-end',
    );
    expect(end).toMatchObject({ outcome: 'error', error: { code: 'rate_limit', message: 'slow down' } });
  });
});

describe('a call', () => {
  test('takes as long as the payload says', () => {
    const events = eventsOf([payload('PreToolUse', bash), payload('PostToolUse', { ...bash, duration_ms: 7 })]);
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'success', durationMs: 7 }]);
  });

  test('that began before anybody listened is begun, and none is told twice', () => {
    const done = payload('PostToolUse', { ...bash, tool_response: { stdout: 'x', stderr: '' } });
    const events = eventsOf([done, done, payload('PostToolBatch', { tool_calls: [bash] })]);
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ exitCode: 0, content: [{ text: 'x' }] }]);
    expect(ofType(events, 'raw')).toHaveLength(2);
  });

  test('is cancelled by an interrupt', () => {
    const events = eventsOf([
      payload('PreToolUse', bash),
      payload('PostToolUseFailure', { ...bash, error: 'stop', is_interrupt: true }),
    ]);
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'cancelled', error: { code: 'cancelled' } }]);
  });

  test('that was refused is told so by the answer it belongs to, and by nobody else', () => {
    const ask = payload('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } });
    const batch = payload('PostToolBatch', { tool_calls: [{ ...bash, tool_response: 'Rather not.' }] });
    const events = eventsOf([payload('PreToolUse', bash), ask, batch]);
    expect(ofType(events, 'permission-request')).toMatchObject([{ toolCallId: 'c', toolName: 'Bash' }]);
    expect(ofType(events, 'permission-resolve')).toMatchObject([{ decision: 'denied', by: 'user', toolCallId: 'c' }]);
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'denied' }]);
  });
});

test('a question that was answered before its hook had told of it is not asked again', () => {
  const ask = payload('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } });
  const batch = payload('PostToolBatch', { tool_calls: [{ ...bash, tool_response: 'Rather not.' }] });
  expect(ofType(eventsOf([payload('PreToolUse', bash), batch, ask]), 'permission-request')).toEqual([]);
  expect(ofType(eventsOf([ask]), 'permission-request')).toHaveLength(1);
});

describe('a sub-agent', () => {
  const helper = (id: string) => ({
    tool_name: 'Agent',
    tool_input: { subagent_type: 'x', prompt: id },
    tool_use_id: id,
  });

  test('is the one of the only call that it can be', () => {
    const starts = (calls: readonly string[]) =>
      ofType(
        eventsOf([
          ...calls.map((id) => payload('PreToolUse', helper(id))),
          payload('SubagentStart', { agent_id: 'a', agent_type: 'x' }),
        ]),
        'task-start',
      );
    expect(starts(['c'])).toMatchObject([{ taskId: 'a', toolCallId: 'c', name: 'x', prompt: 'c' }]);
    expect(starts(['c', 'd'])[0]).not.toHaveProperty('toolCallId');
  });
});

describe('what people are told', () => {
  test.each([
    ['Notification', { message: 'Look', notification_type: 'permission_prompt' }, ['notice', 'session-update']],
    ['Notification', { message: 'Still there?', notification_type: 'idle_prompt' }, ['notice', 'session-update']],
    ['PermissionDenied', { ...bash, reason: 'no' }, ['permission-resolve']],
    ['Elicitation', { mcp_server_name: 'm', message: '?' }, ['question-request', 'question-resolve']],
    ['FileChanged', { file_path: 'a', event: 'unlink' }, ['file-change']],
    ['PreCompact', { trigger: 'auto' }, ['compaction-start', 'compaction-end']],
    ['PostCompact', { trigger: 'auto', compact_summary: 's' }, ['compaction-start', 'compaction-end']],
    ['ConfigChange', { source: 'x' }, ['raw']],
    ['SomethingNew', {}, ['raw']],
  ])('%s %j', (name, more, wanted) => {
    const events = eventsOf([payload(name, more)]);
    expect(types(events).slice(1, -1)).toEqual(wanted);
    expect(brokenPromises(events)).toEqual([]);
  });

  test('an answer to a server of tools', () => {
    const about = { mcp_server_name: 'm', message: '?' };
    const answer = payload('ElicitationResult', { ...about, action: 'accept', content: { a: 1 } });
    const events = eventsOf([payload('Elicitation', about), answer, answer]);
    expect(ofType(events, 'question-resolve')).toMatchObject([{ outcome: 'success', answer: { a: 1 } }]);
    expect(ofType(events, 'raw')).toHaveLength(1);
  });
});

test('a payload is known by its two fields', () => {
  expect(isHookPayload(payload('Stop'))).toBe(true);
  for (const other of [
    null,
    [],
    'x',
    { session_id: 's' },
    { hook_event_name: 'Stop' },
    { ...payload('Stop'), type: 'system' },
  ])
    expect(isHookPayload(other)).toBe(false);
});

test('whatever payloads say, in whatever order, the promises hold', () => {
  const all = names.flatMap(payloadsOf);
  const fields = [...new Set(all.flatMap((one) => Object.keys(one)))];
  const bend = fc.record({
    field: fc.constantFrom(...fields),
    value: fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(
        undefined,
        'a',
        'b',
        '__proto__',
        '',
        null,
        true,
        ...all.slice(0, 40).map((one) => one['tool_use_id']),
      ),
    ),
  });
  const bent = fc
    .tuple(fc.constantFrom(...all), fc.array(bend, { maxLength: 3 }))
    .map(([one, bends]) => ({ ...one, ...Object.fromEntries(bends.map(({ field, value }) => [field, value])) }));
  // Ids meet when neighbours of one recording are kept together.
  const piece = fc
    .tuple(fc.nat(all.length - 1), fc.integer({ min: 1, max: 12 }))
    .map(([from, size]) => all.slice(from, from + size));
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          piece,
          bent.map((one) => [one]),
        ),
        { maxLength: 12 },
      ),
      fc.constantFrom<Exit>({}, { signal: 'SIGKILL' }, { code: 1 }),
      (pieces, exit) => {
        expect(brokenPromises(eventsOf(pieces.flat(), exit))).toEqual([]);
      },
    ),
    { numRuns: counts.runs * 5 },
  );
});
