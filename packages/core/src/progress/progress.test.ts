import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capture, captures, decodeAll } from '../../test/captures.ts';
import type { AgentStreamEvent, EventOf, EventType, Outcome, TodoEntry, ToolKind, ToolTag } from '../event/event.ts';
import type { PastRun } from './estimate.ts';
import { createProgress, type Progress, type ProgressFold, type ProgressOptions } from './progress.ts';

type Fields<T extends EventType> = Omit<EventOf<T>, 'type' | 'seq'>;
const event = <T extends EventType>(type: T, fields: Fields<T>): AgentStreamEvent =>
  ({ type, seq: 0, ...fields }) as unknown as AgentStreamEvent;

const turnStart = (turnId = 't', at?: number) => event('turn-start', { turnId, ...(at !== undefined && { at }) });
const turnEnd = (outcome: Outcome, turnId = 't') => event('turn-end', { turnId, outcome });
const sessionEnd = (outcome: Outcome) => event('session-end', { outcome });
const callStart = (toolCallId: string, kind: ToolKind = 'read', tags: readonly ToolTag[] = [], more: object = {}) =>
  event('tool-call-start', { toolCallId, toolName: 'Tool', kind, tags, ...more });
const callEnd = (toolCallId: string, more: object = {}) =>
  event('tool-call-end', { toolCallId, toolName: 'Tool', outcome: 'success', content: [], ...more });
const calls = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => [callStart(`c${index}`, 'read', [], more), callEnd(`c${index}`)]).flat();
const entries = (statuses: string): TodoEntry[] =>
  [...statuses].map((letter, index) => ({
    content: `entry ${index}`,
    status:
      letter === 'x'
        ? 'completed'
        : letter === '-'
          ? 'cancelled'
          : letter === '>'
            ? 'in_progress'
            : ('pending' as const),
  }));
const todo = (statuses: string, more: object = {}) => event('todo-update', { entries: entries(statuses), ...more });
/** Something that only carries a time. */
const at = (time: number) => event('notice', { severity: 'info', title: 'n', at: time });
const permission = (requestId: string, more: object = {}) => event('permission-request', { requestId, ...more });

function foldOf(events: readonly AgentStreamEvent[], options?: ProgressOptions): ProgressFold {
  const fold = createProgress(options);
  for (const one of events) fold.add(one);
  return fold;
}
const progressOf = (events: readonly AgentStreamEvent[], options?: ProgressOptions): Progress =>
  foldOf(events, options).progress();
/** The percentage after each event. */
function percentages(events: readonly AgentStreamEvent[], options?: ProgressOptions): number[] {
  const fold = createProgress(options);
  return events.map((one) => {
    fold.add(one);
    return fold.progress().percentage;
  });
}

describe('a todo list', () => {
  test.each([
    ['>..', 0],
    ['x>.', 33],
    ['xx>', 66],
    ['x-..', 50],
    ['-', 99],
    ['xxx', 99],
  ])('%s is measured as %i', (list, percentage) => {
    expect(progressOf([turnStart(), todo(list)])).toMatchObject({ percentage, basis: 'measured' });
  });

  test('says in its own field what is in progress, until the turn is over', () => {
    const fold = foldOf([turnStart(), todo('x>>.')]);
    expect(fold.progress().activity).toBe('entry 1');
    fold.add(todo('xxx.'));
    expect(fold.progress()).not.toHaveProperty('activity');
    fold.add(todo('xx>.'));
    fold.add(turnEnd('cancelled'));
    expect(fold.progress()).not.toHaveProperty('activity');
  });

  test('does not take the percentage down when it grows, is done anew or goes away', () => {
    expect(percentages([turnStart(), todo('x.'), todo('x...'), todo('xx..'), todo('xxx.')])).toEqual([
      0, 50, 50, 50, 75,
    ]);
    expect(percentages([turnStart(), todo('xx.'), todo('...'), todo('')])).toEqual([0, 66, 66, 66]);
    expect(progressOf([turnStart(), todo('xx'), todo('')])).toMatchObject({ percentage: 99, basis: 'measured' });
  });

  test('may shrink', () => {
    expect(percentages([turnStart(), todo('x...'), todo('x.')])).toEqual([0, 25, 50]);
  });

  test('that comes late is shown when it has overtaken the guess', () => {
    const events = [turnStart(), ...calls(12)];
    const guess = progressOf(events).percentage;
    expect(guess).toBeGreaterThan(20);
    expect(guess).toBeLessThan(50);
    expect(progressOf([...events, todo('....')])).toMatchObject({ percentage: guess, basis: 'estimated' });
    expect(progressOf([...events, todo('....'), todo('xx..')])).toMatchObject({ percentage: 50, basis: 'measured' });
  });

  test('finds the percentage near 0 when it is written within the first calls or minute', () => {
    const early = [turnStart('t', 0), ...calls(4, { at: 60_000 })];
    expect(progressOf([...early, todo('...')])).toMatchObject({ percentage: expect.toSatisfy((p) => p <= 5) });
  });

  test('is no work to write, however many calls it takes', () => {
    const writing = Array.from({ length: 30 }, (_, index) => callStart(`w${index}`, 'think', ['todo']));
    expect(progressOf([turnStart(), ...writing])).toMatchObject({ percentage: 0, toolCalls: 30 });
    const history = [{ toolCalls: 30, durationMs: 1000 }];
    expect(progressOf([turnStart(), ...writing], { history }).percentage).toBe(0);
  });

  test('of a sub-agent is not the list of the turn', () => {
    expect(progressOf([turnStart(), todo('xx.', { subagentId: 's' })])).toMatchObject({
      percentage: 0,
      basis: 'estimated',
    });
  });

  test('goes before the history', () => {
    const history = [{ toolCalls: 1, durationMs: 10 }];
    expect(progressOf([turnStart(), todo('x...'), ...calls(5)], { history })).toMatchObject({
      percentage: 25,
      basis: 'measured',
    });
  });
});

describe('a history', () => {
  const history: PastRun[] = [
    { toolCalls: 10, durationMs: 100_000 },
    { toolCalls: 2, durationMs: 1 },
    { toolCalls: 900, durationMs: 900_000 },
  ];

  test('gives the median to compare calls and time with', () => {
    const halfOfBoth = [turnStart('t', 0), ...calls(5), at(50_000)];
    expect(progressOf(halfOfBoth, { history })).toEqual({
      phase: 'thinking',
      percentage: 45,
      basis: 'estimated',
      toolCalls: 5,
      elapsedMs: 50_000,
      remainingMs: 50_000,
    });
    expect(progressOf([turnStart('t', 0), ...calls(5)], { history }).percentage).toBe(22);
    expect(progressOf([turnStart('t', 0), at(50_000)], { history }).percentage).toBe(22);
    expect(progressOf([turnStart(), ...calls(5)], { history }).percentage).toBe(45);
  });

  test('of two has its median between them', () => {
    const two = [
      { toolCalls: 10, durationMs: 10 },
      { toolCalls: 30, durationMs: 30 },
    ];
    expect(progressOf([turnStart(), ...calls(10)], { history: two }).percentage).toBe(45);
  });

  test('that is overrun still leads no further than 94, with no time left', () => {
    const late = [turnStart('t', 0), ...calls(10), at(100_000)];
    expect(progressOf(late, { history }).percentage).toBe(90);
    const later = [turnStart('t', 0), ...calls(1000), at(1e9)];
    expect(progressOf(later, { history })).toMatchObject({ percentage: 94, basis: 'estimated', remainingMs: 0 });
  });

  test('whose numbers cannot be used counts for nothing', () => {
    const useless = [
      { toolCalls: Number.NaN, durationMs: Number.POSITIVE_INFINITY },
      { toolCalls: -3, durationMs: -1 },
      { toolCalls: 0, durationMs: 0 },
    ];
    const events = [turnStart('t', 0), ...calls(7), at(30_000)];
    expect(progressOf(events, { history: useless })).toEqual(progressOf(events));
    const [broken, negative] = useless;
    expect(
      progressOf(events, { history: [broken, ...history, negative, negative].flatMap((run) => run ?? []) }),
    ).toEqual(progressOf(events, { history }));
  });

  test('progress is estimated from calls, time and the kind of task', () => {
    const kinds: PastRun[] = [
      { toolCalls: 10, durationMs: 100_000, kind: 'fix' },
      { toolCalls: 100, durationMs: 1_000_000, kind: 'migrate' },
      { toolCalls: 100, durationMs: 1_000_000 },
    ];
    const of = (count: number, time: number, kind?: string) =>
      progressOf([turnStart('t', 0), ...calls(count), at(time)], { history: kinds, kind });
    expect(of(5, 50_000, 'fix')).toMatchObject({ percentage: 45, basis: 'estimated', remainingMs: 50_000 });
    expect(of(5, 50_000, 'migrate')).toMatchObject({ percentage: 4, basis: 'estimated', remainingMs: 950_000 });
    expect(of(5, 50_000, 'unheard of')).toEqual(of(5, 50_000));
    expect(of(9, 50_000, 'fix').percentage).toBeGreaterThan(of(5, 50_000, 'fix').percentage);
    expect(of(5, 90_000, 'fix').percentage).toBeGreaterThan(of(5, 50_000, 'fix').percentage);
  });
});

describe('without list and history', () => {
  test.each([
    [0, 0],
    [4, 3],
    [20, 47],
    [60, 85],
    [5000, 94],
  ])('%i calls are about %i', (count, percentage) => {
    expect(progressOf([turnStart(), ...calls(count)])).toMatchObject({
      percentage,
      basis: 'estimated',
      toolCalls: count,
    });
  });

  test('time alone leads on, but never to the end', () => {
    expect(progressOf([turnStart('t', 0), at(400_000)]).percentage).toBe(47);
    expect(progressOf([turnStart('t', 0), at(1e12)])).toMatchObject({ percentage: 94, basis: 'estimated' });
    expect(progressOf([turnStart('t', 0), at(1e12)])).not.toHaveProperty('remainingMs');
  });

  test('calls of sub-agents count', () => {
    expect(progressOf([turnStart(), ...calls(20, { subagentId: 's' })])).toMatchObject({
      percentage: 47,
      toolCalls: 20,
    });
  });
});

describe('the end', () => {
  test.each<[Outcome, string]>([
    ['success', 'done'],
    ['error', 'failed'],
    ['denied', 'failed'],
    ['cancelled', 'stopped'],
    ['unknown', 'stopped'],
  ])('%s of a turn is called %s, and only success is 100', (outcome, phase) => {
    const { percentage, basis, ...rest } = progressOf([turnStart(), todo('x.'), turnEnd(outcome)]);
    expect(rest.phase).toBe(phase);
    expect(percentage).toBe(outcome === 'success' ? 100 : 50);
    expect(basis).toBe('measured');
    expect(rest.remainingMs).toBe(outcome === 'success' ? 0 : undefined);
  });

  test.each<[Outcome, string]>([
    ['success', 'stopped'],
    ['unknown', 'stopped'],
    ['cancelled', 'stopped'],
    ['error', 'failed'],
  ])('%s of a session in the middle of a turn is called %s and is not 100', (outcome, phase) => {
    expect(progressOf([turnStart(), todo('xx'), sessionEnd(outcome)])).toMatchObject({ phase, percentage: 99 });
    expect(progressOf([sessionEnd(outcome)])).toMatchObject({ phase, percentage: 0 });
  });

  test('of a session file, which has no turns, is how its last prompt was answered', () => {
    const prompt = event('user-message', { origin: 'prompt', content: [] });
    expect(progressOf([prompt, ...calls(2), sessionEnd('success')])).toMatchObject({ phase: 'done', percentage: 100 });
    expect(progressOf([prompt, todo('x.'), sessionEnd('unknown')])).toMatchObject({ phase: 'stopped', percentage: 50 });
    expect(progressOf([prompt, todo('xx'), prompt, ...calls(1)])).toMatchObject({ basis: 'estimated' });
  });

  test('that is not good leaves the percentage as it was, however late it comes', () => {
    const failed = event('turn-end', { turnId: 't', outcome: 'error', at: 1e9 });
    const killed = event('session-end', { outcome: 'unknown', at: 1e9 });
    for (const end of [failed, killed])
      expect(progressOf([turnStart('t', 0), ...calls(20), end])).toMatchObject({ percentage: 47, elapsedMs: 1e9 });
  });

  test('of a session changes nothing about a turn that is over', () => {
    expect(progressOf([turnStart(), turnEnd('success'), sessionEnd('unknown')])).toMatchObject({
      phase: 'done',
      percentage: 100,
    });
  });

  test('is the end: nothing that follows counts, and the clock stands', () => {
    const over = [turnStart('t', 0), ...calls(2), at(5000), turnEnd('error')];
    const fold = foldOf([...over, callStart('late'), todo('xxx'), at(9e9), turnEnd('success')]);
    expect(fold.progress(9e12)).toEqual(progressOf(over));
  });

  test('of a turn that nobody saw begin is an end too', () => {
    expect(progressOf([turnEnd('success', 'x')])).toMatchObject({ phase: 'done', percentage: 100 });
    expect(progressOf([callStart('c'), turnEnd('success', 'x')])).toMatchObject({ percentage: 100, toolCalls: 1 });
  });

  test('of a turn that another one has overtaken does not end that one', () => {
    const events = [turnStart('a'), ...calls(3), turnStart('b'), callStart('x'), turnEnd('success', 'a')];
    expect(progressOf(events)).toMatchObject({ phase: 'reading files', percentage: 0, toolCalls: 1 });
    expect(progressOf([...events, turnEnd('success', 'b')])).toMatchObject({ phase: 'done', percentage: 100 });
  });
});

describe('a new turn', () => {
  test('begins at 0, with no calls, no list and no time', () => {
    const first = [turnStart('a', 0), todo('x>'), ...calls(9), at(60_000), turnEnd('success', 'a')];
    expect(progressOf([...first, turnStart('b', 70_000)])).toEqual({
      phase: 'starting',
      percentage: 0,
      basis: 'estimated',
      toolCalls: 0,
      elapsedMs: 0,
    });
  });

  test('is not one that is said to begin twice', () => {
    expect(progressOf([turnStart('a'), todo('x.'), turnStart('a')]).percentage).toBe(50);
    expect(progressOf([turnStart('a'), todo('x.'), turnEnd('error', 'a'), turnStart('a')]).percentage).toBe(0);
  });
});

describe('time', () => {
  test("is that of arrival, else the agent's own; the two are not mixed", () => {
    const own = (time: number) => event('notice', { severity: 'info', title: 'n', time });
    const elapsed = (...events: AgentStreamEvent[]) => progressOf([turnStart(), ...events]).elapsedMs;
    expect(elapsed()).toBeUndefined();
    expect(elapsed(own(1000), own(3000))).toBe(2000);
    expect(elapsed(at(10), own(9_000_000), at(30))).toBe(20);
    expect(elapsed(own(1000), own(3000), at(9_000_000), at(9_000_500), own(4000))).toBe(2500);
  });

  test("goes on with the caller's now, and never back", () => {
    const fold = foldOf([turnStart('t', 1000)]);
    expect(fold.progress(401_000)).toMatchObject({ percentage: 47, elapsedMs: 400_000 });
    expect(fold.progress()).toMatchObject({ percentage: 47, elapsedMs: 400_000 });
    expect(fold.progress(0)).toMatchObject({ percentage: 47, elapsedMs: 400_000 });
    fold.add(at(2000));
    expect(fold.progress(Number.NaN)).toMatchObject({ percentage: 47, elapsedMs: 400_000 });
  });

  test('that cannot be is not taken', () => {
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300].map(at);
    expect(progressOf([turnStart(), ...odd])).not.toHaveProperty('elapsedMs');
    expect(progressOf([turnStart('t', 5), ...odd, at(8)])).toMatchObject({ elapsedMs: 3, percentage: 0 });
    expect(foldOf([turnStart()]).progress(5000)).not.toHaveProperty('elapsedMs');
  });

  test("before the first turn is nobody's", () => {
    const fold = foldOf([event('session-start', { agent: 'claude', at: 0 }), at(3_600_000)]);
    expect(fold.progress(7_200_000)).toEqual({ phase: 'starting', percentage: 0, basis: 'estimated', toolCalls: 0 });
    fold.add(turnStart('t', 7_200_000));
    fold.add(at(7_200_010));
    expect(fold.progress()).toMatchObject({ percentage: 0, elapsedMs: 10 });
  });

  test('of a message that is only told again is that of long ago', () => {
    const echo = event('user-message', { content: [], origin: 'replay', time: 0 });
    const step = event('step-start', { stepId: 's', time: 9e9 });
    expect(progressOf([turnStart(), echo, step]).elapsedMs).toBe(0);
  });

  test('is the duration that the end tells, when nobody watched the clock', () => {
    const end = event('turn-end', { turnId: 't', outcome: 'success', durationMs: 1234 });
    const step = (time: number) => event('step-start', { stepId: 's', time });
    expect(progressOf([turnStart(), end]).elapsedMs).toBe(1234);
    expect(progressOf([turnStart(), step(0), step(99), end]).elapsedMs).toBe(1234);
    expect(progressOf([turnStart(), step(0), step(5000), end]).elapsedMs).toBe(5000);
    expect(progressOf([turnStart('t', 0), at(99), end]).elapsedMs).toBe(99);
  });

  test('spent waiting is elapsed, but takes nothing further', () => {
    const history = [{ toolCalls: 0, durationMs: 100_000 }];
    const fold = foldOf([turnStart('t', 0), at(10_000), permission('p', { at: 10_000 })], { history });
    const before = fold.progress();
    expect(before).toMatchObject({ percentage: 9, remainingMs: 90_000 });
    expect(fold.progress(5_000_000)).toEqual({ ...before, elapsedMs: 5_000_000 });
    fold.add(event('permission-resolve', { requestId: 'p', decision: 'allowed', by: 'user', at: 6_000_000 }));
    expect(fold.progress()).toMatchObject({ percentage: 9, elapsedMs: 6_000_000, phase: 'starting' });
    expect(fold.progress(6_010_000)).toMatchObject({ percentage: 18, elapsedMs: 6_010_000, remainingMs: 80_000 });
  });
});

describe('the time left', () => {
  test('follows the pace of the list', () => {
    const events = [turnStart('t', 0), todo('>...'), at(30_000), todo('x>..')];
    expect(progressOf(events).remainingMs).toBe(90_000);
    expect(foldOf(events).progress(60_000).remainingMs).toBe(180_000);
    expect(progressOf([...events, at(40_000), todo('xxxx')]).remainingMs).toBe(0);
  });

  test('is not known, or is that of the history, before the first entry of this turn is done', () => {
    const events = [turnStart('t', 0), todo('xx..'), at(30_000), todo('xx>.')];
    expect(progressOf(events)).not.toHaveProperty('remainingMs');
    expect(progressOf(events, { history: [{ toolCalls: 1, durationMs: 40_000 }] }).remainingMs).toBe(10_000);
    expect(progressOf([...events, todo('xxx.')]).remainingMs).toBe(30_000);
    expect(progressOf([turnStart(), todo('.'), todo('x')])).not.toHaveProperty('remainingMs');
    expect(progressOf([turnStart('t', 0), todo('..'), todo('x.')])).not.toHaveProperty('remainingMs');
  });
});

describe('the phase', () => {
  const phaseOf = (...events: AgentStreamEvent[]) => progressOf([turnStart(), ...events]).phase;

  test('is "starting" before anything happened', () => {
    expect(createProgress().progress()).toEqual({
      phase: 'starting',
      percentage: 0,
      basis: 'estimated',
      toolCalls: 0,
    });
    expect(phaseOf()).toBe('starting');
  });

  test.each<[string, ToolKind, ToolTag[]]>([
    ['reading files', 'read', []],
    ['editing files', 'edit', []],
    ['editing files', 'delete', []],
    ['editing files', 'move', []],
    ['searching', 'search', []],
    ['running a command', 'execute', []],
    ['thinking', 'think', []],
    ['planning', 'think', ['todo']],
    ['a sub-agent is at work', 'think', ['subagent']],
    ['fetching from the web', 'fetch', []],
    ['searching the web', 'fetch', ['web_search']],
    ['planning', 'switch_mode', []],
    ['using a tool', 'switch_mode', ['worktree']],
    ['asking a question', 'other', ['question']],
    ['using a tool', 'other', ['mcp']],
  ])('is "%s" during a call of kind %s %j', (words, kind, tags) => {
    expect(phaseOf(callStart('c', kind, tags))).toBe(words);
    expect(phaseOf(callStart('c', kind, tags), callEnd('c'))).toBe('thinking');
  });

  test.each([
    ['npm test', true],
    ['cd app && pnpm run test:unit', true],
    ['npx vitest run', true],
    ['python -m pytest -q', true],
    ['node cart.test.mjs', true],
    ['./node_modules/.bin/jest --ci', true],
    ['go test ./...', true],
    ['cat test.txt', false],
    ['npm install jest', false],
    ['node latest.js', false],
    ['git commit -m "Add tests"', false],
  ])('of the command %s is running tests: %s', (title, isTest) => {
    const words = isTest ? 'running tests' : 'running a command';
    const input = event('tool-call-input-end', { toolCallId: 'c', input: {}, title });
    expect(phaseOf(callStart('c', 'execute'), input)).toBe(words);
    expect(phaseOf(callStart('c', 'execute', [], { title }))).toBe(words);
    expect(phaseOf(callStart('c', 'read'), input)).toBe('reading files');
  });

  test('follows the text and the thoughts of the main thread', () => {
    const block = { messageId: 'm', blockId: 'b' };
    expect(phaseOf(event('step-start', { stepId: 's' }))).toBe('thinking');
    expect(phaseOf(event('text-start', block))).toBe('answering');
    expect(phaseOf(event('text-start', block), event('reasoning-start', block))).toBe('thinking');
    expect(phaseOf(event('text-start', { ...block, subagentId: 'x' }))).toBe('starting');
  });

  test('is that of the call which began last and is still open', () => {
    const both = [callStart('a', 'read'), callStart('b', 'execute')];
    expect(phaseOf(...both)).toBe('running a command');
    expect(phaseOf(...both, callEnd('b'))).toBe('reading files');
    expect(phaseOf(...both, callEnd('a'))).toBe('running a command');
    expect(phaseOf(callEnd('never begun'))).toBe('thinking');
  });

  test('counts the sub-agents that the main thread waits for', () => {
    const task = (taskId: string, more: object = {}) => event('task-start', { taskId, kind: 'agent', ...more });
    const one = [callStart('a', 'think', ['subagent']), task('1')];
    expect(phaseOf(...one)).toBe('a sub-agent is at work');
    expect(phaseOf(...one, callStart('x', 'edit', [], { subagentId: '1' }))).toBe('a sub-agent is at work');
    expect(phaseOf(...one, task('2'), task('3'))).toBe('3 sub-agents are at work');
    expect(phaseOf(callStart('e', 'edit'), ...one)).toBe('editing files');
    expect(phaseOf(task('1'))).toBe('a sub-agent is at work');
    expect(phaseOf(task('1'), event('task-end', { taskId: '1', outcome: 'success' }))).toBe('starting');
    expect(phaseOf(task('1', { background: true }))).toBe('starting');
    expect(phaseOf(task('1'), event('task-update', { taskId: '1', background: true }))).toBe('starting');
    expect(phaseOf(event('task-update', { taskId: 'unheard of', background: false }))).toBe('starting');
    expect(phaseOf(task('1', { kind: 'command' }))).toBe('starting');
  });

  test('is waiting before anything else, until it is answered in whatever way', () => {
    const asked = [callStart('c', 'edit'), permission('p', { toolCallId: 'c' })];
    const resolve = (fields: object) => event('permission-resolve', { decision: 'denied', by: 'user', ...fields });
    expect(phaseOf(...asked)).toBe('waiting for your permission');
    expect(phaseOf(...asked, resolve({ requestId: 'p' }))).toBe('editing files');
    expect(phaseOf(...asked, resolve({ toolCallId: 'c' }))).toBe('editing files');
    expect(phaseOf(...asked, resolve({ requestId: 'q' }))).toBe('waiting for your permission');
    expect(phaseOf(...asked, resolve({}))).toBe('waiting for your permission');
    expect(phaseOf(...asked, callEnd('c'))).toBe('thinking');
    expect(phaseOf(...asked, turnEnd('error'), turnStart('u'))).toBe('starting');

    const question = event('question-request', { requestId: 'q', message: 'Which?' });
    expect(phaseOf(question)).toBe('waiting for your answer');
    expect(phaseOf(question, event('question-resolve', { requestId: 'q', outcome: 'success' }))).toBe('starting');
  });

  test('is waiting also for a sub-agent, over the end of a turn', () => {
    const asked = [permission('p', { subagentId: 's' }), turnEnd('success'), turnStart('u')];
    expect(phaseOf(...asked)).toBe('waiting for your permission');
    expect(phaseOf(...asked, event('task-end', { taskId: 's', outcome: 'cancelled' }))).toBe('starting');
  });

  test('tells retries and compactions of the main thread while they last', () => {
    const retry = event('retry-start', { attempt: 1 });
    expect(phaseOf(retry)).toBe('retrying after an error');
    expect(phaseOf(retry, event('retry-end', { attempt: 1, outcome: 'success' }))).toBe('starting');
    expect(phaseOf(retry, turnEnd('error'), turnStart('u'))).toBe('starting');
    expect(phaseOf(event('retry-start', { attempt: 1, subagentId: 's' }))).toBe('starting');
    const compaction = event('compaction-start', { compactionId: 'c' });
    expect(phaseOf(compaction)).toBe('compacting the context');
    expect(phaseOf(compaction, event('compaction-end', { compactionId: 'c', outcome: 'success' }))).toBe('starting');
    expect(phaseOf(compaction, turnEnd('error'), turnStart('u'))).toBe('starting');
  });
});

describe('whatever the events', () => {
  const id = fc.constantFrom('a', 'b', 'c');
  const outcome = fc.constantFrom<Outcome>('success', 'error', 'denied', 'cancelled', 'unknown');
  const time = fc.oneof(fc.integer({ min: 0, max: 3_600_000 }), fc.double(), fc.constant(undefined));
  const status = fc.constantFrom<TodoEntry['status']>('pending', 'in_progress', 'completed', 'cancelled');
  const fields = fc.record({
    turnId: id,
    toolCallId: id,
    taskId: id,
    requestId: id,
    kind: fc.constantFrom('read', 'execute', 'think', 'agent', 'other'),
    tags: fc.subarray<ToolTag>(['todo', 'subagent', 'question']),
    outcome,
    entries: fc.array(fc.record({ content: fc.string({ maxLength: 3 }), status }), { maxLength: 8 }),
    durationMs: time,
    subagentId: fc.option(id, { nil: undefined }),
    at: time,
    time,
  });
  const typesWithoutList: EventType[] = [
    'session-start',
    'session-end',
    'turn-start',
    'turn-end',
    'step-start',
    'text-start',
    'reasoning-start',
    'user-message',
    'tool-call-start',
    'tool-call-input-end',
    'tool-call-end',
    'task-start',
    'task-update',
    'task-end',
    'permission-request',
    'permission-resolve',
    'question-request',
    'question-resolve',
    'retry-start',
    'retry-end',
    'compaction-start',
    'compaction-end',
    'raw',
  ];
  const stream = (types: readonly EventType[]) =>
    fc.array(
      fc.record({
        one: fc
          .tuple(fc.constantFrom(...types), fields)
          // Fields that a type does not have do no harm.
          .map(([type, rest]) => ({ type, seq: 0, ...rest }) as unknown as AgentStreamEvent),
        now: fc.option(time, { nil: undefined }),
      }),
      { maxLength: 120 },
    );
  const any = stream([...typesWithoutList, 'todo-update', 'todo-update', 'tool-call-start', 'tool-call-start']);
  const run = fc.record({
    toolCalls: fc.oneof(fc.nat(30), fc.double()),
    durationMs: fc.oneof(fc.nat(9e5), fc.double()),
  });
  const options = fc.record({ history: fc.option(fc.array(run, { maxLength: 5 }), { nil: undefined }) });

  /** Each event with the progress after it. */
  function trace(steps: readonly { one: AgentStreamEvent; now: number | undefined }[], given?: ProgressOptions) {
    const fold = createProgress(given);
    return steps.map(({ one, now }) => {
      fold.add(one);
      return { one, ...fold.progress(now) };
    });
  }

  test('the percentage is a whole number from 0 to 100 that falls only when a turn begins', () => {
    fc.assert(
      fc.property(any, options, (steps, given) => {
        let before = 0;
        for (const { one, percentage, basis, elapsedMs, remainingMs, toolCalls, phase } of trace(steps, given)) {
          expect(Number.isInteger(percentage)).toBe(true);
          expect(percentage).toBeGreaterThanOrEqual(one.type === 'turn-start' ? 0 : before);
          expect(percentage).toBeLessThanOrEqual(basis === 'estimated' ? 94 : 100);
          expect(elapsedMs ?? 0).toBeGreaterThanOrEqual(0);
          expect(remainingMs ?? 0).toBeGreaterThanOrEqual(0);
          for (const count of [elapsedMs ?? 0, remainingMs ?? 0, toolCalls]) expect(Number.isInteger(count)).toBe(true);
          expect(phase).not.toBe('');
          before = percentage;
        }
      }),
      { numRuns: 500 },
    );
  });

  test("100 and the word done are shown exactly from a turn's good end to the next turn", () => {
    fc.assert(
      fc.property(any, options, (steps, given) => {
        let isOver = false; // the current turn has ended, well or not
        let isDone = false;
        let current: string | undefined;
        let isPrompted = false;
        for (const { one, percentage, phase } of trace(steps, given)) {
          if (current === undefined && isPrompt(one)) {
            isOver = isDone = false;
            isPrompted = true;
          } else if (one.type === 'turn-start' && (isOver || one.turnId !== current)) {
            isOver = isDone = false;
            current = one.turnId;
          } else if (!isOver && one.type === 'turn-end' && (current === undefined || one.turnId === current)) {
            isOver = true;
            isDone = one.outcome === 'success';
          } else if (one.type === 'session-end') {
            // A session file has no turns: it ends as its session does.
            if (!isOver && isPrompted && current === undefined) isDone = one.outcome === 'success';
            isOver = true;
          }
          expect(percentage === 100).toBe(isDone);
          expect(phase === 'done').toBe(isDone);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('without list and history it is estimated and below 95 until a turn ended well', () => {
    fc.assert(
      fc.property(stream(typesWithoutList), (steps) => {
        for (const { percentage, basis } of trace(steps)) {
          expect(basis).toBe(percentage === 100 ? 'measured' : 'estimated');
          if (percentage !== 100) expect(percentage).toBeLessThan(95);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('the same events give the same progress, whenever it was asked for', () => {
    fc.assert(
      fc.property(any, options, (steps, given) => {
        const unread = progressOf(
          steps.map(({ one }) => one),
          given,
        );
        const read = trace(
          steps.map(({ one }) => ({ one, now: undefined })),
          given,
        ).at(-1);
        if (read) expect(read).toEqual({ one: read.one, ...unread });
        expect(trace(steps, given)).toEqual(trace(steps, given));
      }),
    );
  });
});

describe('every capture', () => {
  /** Each event with the progress after it, and whether the capture has a list. */
  const runs = captures.map(({ name, bytes }) => {
    const events = decodeAll([bytes]);
    const fold = createProgress();
    const seen = events.map((one) => {
      fold.add(one);
      return { one, ...fold.progress() };
    });
    return { name, seen, hasList: events.some(({ type }) => type === 'todo-update') };
  });

  test('there are captures with a list and without', () => {
    expect(runs.filter(({ hasList }) => hasList).length).toBeGreaterThan(3);
    expect(runs.filter(({ hasList }) => !hasList).length).toBeGreaterThan(50);
  });

  test.each(runs.filter(({ hasList }) => hasList))('$name: at each update, done of all within 5 points', ({ seen }) => {
    for (const { one, percentage, basis } of seen) {
      if (one.type !== 'todo-update') continue;
      const done = one.entries.filter(({ status }) => status === 'completed' || status === 'cancelled').length;
      expect(Math.abs(percentage - (100 * done) / one.entries.length)).toBeLessThanOrEqual(5);
      expect(basis).toBe('measured');
    }
  });

  test.each(runs)('$name: never backwards, and 100 only for a turn that ended well', ({ seen, hasList }) => {
    let before = 0;
    let isDone = false;
    for (const { one, percentage, basis } of seen) {
      if (one.type === 'turn-start') before = 0;
      if (one.type === 'turn-start') isDone = false;
      if (one.type === 'turn-end') isDone ||= one.outcome === 'success';
      expect(percentage).toBeGreaterThanOrEqual(before);
      if (percentage === 100) expect(isDone).toBe(true);
      else if (!hasList) expect([basis, percentage < 95]).toEqual(['estimated', true]);
      before = percentage;
    }
  });

  test.each(runs)('$name ends in the words of its last turn', ({ seen }) => {
    const ends = seen.flatMap(({ one }) => (one.type === 'turn-end' ? [one.outcome] : []));
    const words = { success: 'done', error: 'failed', denied: 'failed', cancelled: 'stopped', unknown: 'stopped' };
    const last = seen.at(-1);
    expect(last?.phase).toBe(words[ends.at(-1) ?? 'unknown']);
    expect(last?.percentage === 100).toBe(ends.at(-1) === 'success');
  });

  test('the demo goes through its phases', () => {
    const fold = createProgress();
    const phases = decodeAll([capture('demo').bytes]).map((one) => {
      fold.add(one);
      const { phase, percentage } = fold.progress();
      return `${phase} ${percentage}`;
    });
    expect(phases.filter((phase, index) => phase !== phases[index - 1])).toMatchInlineSnapshot(`
      [
        "starting 0",
        "thinking 0",
        "answering 0",
        "planning 0",
        "thinking 0",
        "planning 0",
        "thinking 0",
        "planning 0",
        "thinking 0",
        "running a command 0",
        "running tests 0",
        "thinking 0",
        "answering 0",
        "planning 0",
        "a sub-agent is at work 0",
        "a sub-agent is at work 33",
        "thinking 33",
        "reading files 33",
        "thinking 33",
        "answering 33",
        "editing files 33",
        "planning 33",
        "planning 66",
        "thinking 66",
        "running a command 66",
        "running tests 66",
        "thinking 66",
        "planning 66",
        "thinking 66",
        "thinking 99",
        "answering 99",
        "done 100",
      ]
    `);
  });
});

function isPrompt(one: AgentStreamEvent): boolean {
  return one.type === 'user-message' && one.origin === 'prompt' && one.subagentId === undefined;
}
