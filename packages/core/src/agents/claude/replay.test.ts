// Recordings of the real program, played again by something that acts as it.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../create-decoder.ts';
import type { AgentStreamEvent } from '../../event/event.ts';
import { command } from './command.ts';
import { input, promptLine } from './input.ts';
import type { Recording } from './recording.ts';
import { createReplay, type Replay } from './replay.ts';
import { retell } from './retell.ts';

const fixtures = new URL('../../../../../fixtures/', import.meta.url);
const linesOf = (name: string): string[] =>
  readFileSync(new URL(name, fixtures), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
const recorded = (name: string): Recording => ({
  printed: linesOf(`${name}.ndjson`).map((text) => ({ text, wait: 1 })),
  heard: linesOf(`${name}.stdin.ndjson`),
});

const INFRA = 'Clean the build folder and build again';
const DOCS = 'Rewrite the install guide';
const shopApi = recorded('demo/1-shop-api');
const infra = recorded('demo/2-infra');
const infraDenied = recorded('demo/2-infra.denied');
const docs = ['demo/3-docs', 'demo/3-docs.container', 'demo/3-docs.denied'].map(recorded);
const turns = recorded('claude/2.1.325/stdin-multiturn');
const all = [shopApi, infra, infraDenied, ...docs, recorded('demo/4-reports'), turns];

const ARGS = command({ prompt: '', asks: true }).args;
const NOW = '2030-01-02T03:04:05.678Z';
const PROMPT_ID = '99999999-0000-4000-8000-000000000001';

/** A replay with ids that tell in which order they were made. */
function begin(recordings: readonly Recording[] = all, args: readonly string[] = ARGS): Replay {
  let made = 0;
  const createId = (): string => `aaaaaaaa-0000-4000-8000-${String(++made).padStart(12, '0')}`;
  return createReplay({ recordings, args, folder: '/srv/here', createId, now: () => NOW });
}

/** Takes all that is due. */
function drain(replay: Replay): string[] {
  const lines: string[] = [];
  while (replay.due) lines.push(replay.take());
  return lines;
}

const say = (replay: Replay, text: string): void => void replay.hear(promptLine(text, PROMPT_ID));

function eventsOf(lines: readonly string[]): readonly AgentStreamEvent[] {
  const decoder = createDecoder({ agent: 'claude' });
  return [...decoder.feed(Buffer.from(lines.map((line) => `${line}\n`).join(''))), ...decoder.end()];
}

const textsOf = (lines: readonly string[]): string =>
  eventsOf(lines)
    .flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []))
    .join('');

function requestIn(lines: readonly string[]): AgentStreamEvent & { type: 'permission-request' | 'question-request' } {
  for (const event of eventsOf(lines))
    if (event.type === 'permission-request' || event.type === 'question-request') return event;
  throw new Error('nothing was asked');
}

const ended = (lines: readonly string[]) => eventsOf(lines).filter((event) => event.type === 'turn-end');
const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line));

describe('what is played', () => {
  test('is what was printed, but for ids, times and the folder', () => {
    const replay = begin();
    say(replay, 'Fix the flaky checkout test');
    const lines = drain(replay);
    const shape = (texts: readonly string[], folder: string): unknown =>
      texts.map((text) =>
        retell(text, { idOf: () => 'id', timeOf: () => 'time', texts: new Map([[folder, 'folder']]) }),
      );
    const printed = shopApi.printed.map(({ text }) => text);
    expect(shape(lines, '/srv/here')).toEqual(shape(printed, '/home/dev/project'));
    expect(replay.exitCode).toBe(0);
    expect(replay.isBusy).toBe(false);
  });

  test('has ids that nobody has used, the same for the same', () => {
    const replay = begin();
    say(replay, 'Fix the flaky checkout test');
    const text = drain(replay).join('\n');
    const idsIn = (lines: string): string[] =>
      [...lines.matchAll(/\b(?:msg|toolu|req)_\w{20,}|(?<="(?:uuid|session_id)":")[^"]+/g)].map(([id]) => id);
    const before = new Set(idsIn(shopApi.printed.map((line) => line.text).join('\n')));
    expect(before.size).toBeGreaterThan(400);
    expect(idsIn(text).filter((id) => before.has(id))).toEqual([]);
    expect(new Set(idsIn(text)).size).toBe(before.size);
    const calls = eventsOf(text.split('\n'));
    const begun = calls.flatMap((event) => (event.type === 'tool-call-start' ? [event.toolCallId] : []));
    const over = calls.flatMap((event) => (event.type === 'tool-call-end' ? [event.toolCallId] : []));
    expect(begun.length).toBeGreaterThan(15);
    expect([...over].sort()).toEqual([...begun].sort());
    expect(new Set(calls.flatMap(({ sessionId }) => sessionId ?? [])).size).toBe(1);
  });

  test('tells the prompt as it was said here, by the id it was given', () => {
    const replay = begin();
    say(replay, 'Something that nobody ever said');
    const lines = drain(replay);
    const echo = parsed(lines).find((line) => line.isReplay);
    expect(echo).toMatchObject({
      uuid: PROMPT_ID,
      timestamp: NOW,
      message: { content: 'Something that nobody ever said' },
    });
    // The first recording is played.
    expect(textsOf(lines)).toContain('The checkout test is stable now.');
  });

  test('waits as long as each line did', () => {
    const replay = begin([{ ...infra, printed: infra.printed.map(({ text }, wait) => ({ text, wait })) }]);
    say(replay, INFRA);
    expect([replay.due?.wait, replay.take(), replay.due?.wait]).toEqual([0, expect.any(String), 1]);
  });

  test('is nothing before something is said', () => {
    const replay = begin();
    expect([replay.due, replay.isBusy, replay.take()]).toEqual([undefined, false, '']);
  });

  test('is a failure where one was recorded', () => {
    const replay = begin();
    say(replay, 'Write the weekly report');
    expect(ended(drain(replay))).toMatchObject([{ outcome: 'error' }]);
    expect(replay.exitCode).toBe(1);
  });

  test('has no parts of messages and no prompts where nobody asked for them', () => {
    const replay = begin(all, ['--print']);
    say(replay, 'Fix the flaky checkout test');
    const lines = parsed(drain(replay));
    expect(lines.length).toBeGreaterThan(30);
    expect(lines.filter(({ type, isReplay }) => type === 'stream_event' || isReplay)).toEqual([]);
  });

  test.each([
    [['--session-id=12345678-0000-4000-8000-000000000000'], '12345678-0000-4000-8000-000000000000'],
    [['--resume=22345678-0000-4000-8000-000000000000'], '22345678-0000-4000-8000-000000000000'],
    [['--resume=22345678-0000-4000-8000-000000000000', '--fork-session'], 'aaaaaaaa-0000-4000-8000-000000000001'],
  ])('with %j is the session %s', (args, sessionId) => {
    const replay = begin(all, [...ARGS, ...args]);
    say(replay, INFRA);
    expect(new Set(parsed(drain(replay)).flatMap((line) => line.session_id ?? []))).toEqual(new Set([sessionId]));
  });
});

describe('turns', () => {
  test('follow each other, and then it says that there are no more', () => {
    const replay = begin([turns]);
    say(replay, 'Read a.txt');
    const first = drain(replay);
    expect(ended(first)).toHaveLength(1);
    say(replay, 'Whatever comes next');
    const second = drain(replay);
    expect(ended([...first, ...second])).toHaveLength(2);
    say(replay, 'And then?');
    const third = drain(replay);
    const events = eventsOf([...first, ...second, ...third]);
    expect(events.filter((event) => event.type === 'turn-end')).toHaveLength(3);
    expect(parsed(third)).toMatchObject([
      { isReplay: true, uuid: PROMPT_ID, message: { content: 'And then?' } },
      { message: { content: [{ text: 'This is a replay, and what was recorded ends here.' }] } },
      { type: 'result', is_error: false },
    ]);
    expect(new Set(events.flatMap(({ sessionId }) => sessionId ?? [])).size).toBe(1);
    // Once more: nothing of it has an id that was there before.
    say(replay, 'And then?');
    expect(parsed(drain(replay))[2].uuid).not.toBe(parsed(third)[2].uuid);
  });

  test('of a session that is gone on with are played where they were recorded, and else it says so', () => {
    const resumed = [...ARGS, '--resume=22345678-0000-4000-8000-000000000000'];
    const replay = begin(all, resumed);
    say(replay, 'And now?');
    const lines = drain(replay);
    expect(parsed(lines)).toMatchObject([
      { subtype: 'init', cwd: '/srv/here' },
      { isReplay: true, message: { content: 'And now?' } },
      { type: 'assistant' },
      { type: 'result', is_error: false },
    ]);
    expect(new Set(parsed(lines).map((line) => line.session_id))).toEqual(
      new Set(['22345678-0000-4000-8000-000000000000']),
    );
  });

  test('begin with another recording where the prompt is that of one', () => {
    const replay = begin();
    say(replay, 'Write the weekly report');
    drain(replay);
    say(replay, 'Fix the flaky checkout test');
    expect(textsOf(drain(replay))).toContain('The checkout test is stable now.');
  });

  test('wait for each other', () => {
    const replay = begin();
    say(replay, 'Fix the flaky checkout test');
    say(replay, 'Write the weekly report');
    expect(ended(drain(replay)).map(({ outcome }) => outcome)).toEqual(['success', 'error']);
  });

  test('that were broken off end where they did', () => {
    const replay = begin([{ ...infra, printed: infra.printed.slice(0, 40) }]);
    say(replay, INFRA);
    expect(drain(replay)).toHaveLength(40);
    expect(replay.isBusy).toBe(false);
  });
});

describe('a request', () => {
  function ask(prompt = INFRA, recordings = all) {
    const replay = begin(recordings);
    say(replay, prompt);
    const lines = drain(replay);
    const request = requestIn(lines);
    return { replay, lines, request };
  }

  test('waits, and goes on when it is allowed', () => {
    const { replay, lines, request } = ask();
    expect([replay.due, replay.isBusy]).toEqual([undefined, true]);
    expect(request).toMatchObject({ type: 'permission-request', toolName: 'Bash' });
    // The message that asks is complete.
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ event: { type: 'message_stop' } });
    const answer = input.answer(request, { decision: 'allow' });
    const echoed = replay.hear(answer);
    expect(echoed).toEqual([answer.trim()]);
    const rest = drain(replay);
    const events = eventsOf([...lines, ...echoed, ...rest]);
    expect(textsOf([...lines, ...rest])).toContain('Done: the folder was removed and built again.');
    expect(
      events.find((event) => event.type === 'tool-call-end' && event.toolCallId === request.toolCallId),
    ).toMatchObject({
      outcome: 'success',
    });
    expect(replay.exitCode).toBe(0);
  });

  test.each([
    ['in the order of the recordings', all],
    ['in any order', [infraDenied, infra]],
  ])('goes on in the other way when it is refused, %s', (_name, recordings) => {
    const { replay, lines, request } = ask(INFRA, recordings);
    replay.hear(input.answer(request, { decision: 'deny', reason: 'Not "today"' }));
    const rest = drain(replay);
    // In the person's own words.
    expect(parsed(rest).find(({ type }) => type === 'user').message.content[0].content).toBe('Not "today"');
    expect(textsOf([...lines, ...rest])).toContain('I left the build folder as it is');
    const events = eventsOf([...lines, ...rest]);
    expect(
      events.find((event) => event.type === 'tool-call-end' && event.toolCallId === request.toolCallId),
    ).toMatchObject({
      outcome: 'denied',
    });
  });

  test('is answered before the message that asks is complete', () => {
    const replay = begin();
    say(replay, INFRA);
    const lines: string[] = [];
    while (!lines.at(-1)?.includes('control_request')) lines.push(replay.take());
    replay.hear(input.answer(requestIn(lines), { decision: 'allow' }));
    lines.push(...drain(replay));
    expect(ended(lines)).toMatchObject([{ outcome: 'success' }]);
    const stops = parsed(lines).filter(({ event }) => event?.type === 'message_stop');
    expect(stops).toHaveLength(4);
  });

  test.each([
    ['npm', 'With npm first, then.'],
    ['Container', 'In a container first, then.'],
    // What nobody said then is answered as a yes was.
    ['Something else', 'With npm first, then.'],
  ])('that is a question goes on by the answer: %s', (label, expected) => {
    const { replay, lines, request } = ask(DOCS);
    const { questions } = request as AgentStreamEvent & { type: 'question-request' };
    const [{ question } = { question: '' }] = questions ?? [];
    replay.hear(input.answer(request, { decision: 'answer', content: { [question]: label } }));
    expect(textsOf([...lines, ...drain(replay)])).toContain(expected);
  });

  test('that is a question may be refused', () => {
    const { replay, lines, request } = ask(DOCS);
    replay.hear(input.answer(request, { decision: 'deny' }));
    expect(textsOf([...lines, ...drain(replay)])).toContain('Then I leave the guide as it is for now.');
  });

  test('is refused when nobody can answer any more', () => {
    const { replay, lines } = ask();
    replay.close();
    expect(textsOf([...lines, ...drain(replay)])).toContain('I left the build folder as it is');
  });

  test('is refused, and not printed, where nobody is there to answer', () => {
    const replay = begin(all, ['--include-partial-messages']);
    say(replay, INFRA);
    const lines = drain(replay);
    expect(lines.join('')).not.toContain('control_request');
    expect(textsOf(lines)).toContain('I left the build folder as it is');
  });

  test('takes no answer to another one, and no second one', () => {
    const { replay, request } = ask();
    const answer = JSON.parse(input.answer(request, { decision: 'allow' }));
    answer.response.request_id = 'another';
    replay.hear(JSON.stringify(answer));
    expect(replay.due).toBeUndefined();
    replay.hear(input.answer(request, { decision: 'allow' }));
    replay.hear(input.answer(request, { decision: 'deny' }));
    expect(textsOf(drain(replay))).toContain('Done: the folder');
  });

  test('that is refused with an interruption ends the turn', () => {
    const { replay, lines, request } = ask();
    const rest = replay.hear(input.answer(request, { decision: 'deny', interrupt: true }));
    expect(ended([...lines, ...rest])).toMatchObject([{ outcome: 'cancelled' }]);
    expect([replay.due, replay.isBusy, replay.exitCode]).toEqual([undefined, false, 1]);
  });
});

describe('a host', () => {
  const ask = (replay: Replay, subtype: string, more: object = {}) =>
    replay.hear(JSON.stringify({ type: 'control_request', request_id: 'r1', request: { subtype, ...more } }));

  test.each([
    ['initialize', {}, { subtype: 'success', response: { commands: [] } }],
    ['set_model', { model: 'x' }, { subtype: 'success', response: {} }],
    ['set_permission_mode', { mode: 'plan' }, { subtype: 'success', response: { mode: 'plan' } }],
    ['interrupt', {}, { subtype: 'success', response: { still_queued: [] } }],
    ['get_context_usage', {}, { subtype: 'error', error: 'a replay cannot do that' }],
  ])('that asks for %s is answered by its id', (subtype, more, response) => {
    const lines = ask(begin(), subtype, more);
    expect(parsed(lines)).toMatchObject([{ type: 'control_response', response: { request_id: 'r1', ...response } }]);
  });

  test('that interrupts ends the turn, with what is open', () => {
    const replay = begin();
    say(replay, INFRA);
    const lines = drain(replay);
    const rest = ask(replay, 'interrupt');
    expect(parsed(rest).map(({ type }) => type)).toEqual([
      'control_cancel_request',
      'control_response',
      'user',
      'user',
      'result',
    ]);
    const events = eventsOf([...lines, ...rest]);
    expect(events.filter((event) => event.type === 'turn-end')).toMatchObject([{ outcome: 'cancelled' }]);
    expect(events.find((event) => event.type === 'permission-resolve')).toMatchObject({ decision: 'cancelled' });
    expect([replay.due, replay.isBusy]).toEqual([undefined, false]);
    // And may go on.
    say(replay, 'Write the weekly report');
    expect(ended(drain(replay))).toHaveLength(1);
  });

  test('that interrupts what has not begun yet ends it', () => {
    const replay = begin();
    say(replay, INFRA);
    const lines = ask(replay, 'interrupt');
    expect(ended(lines)).toMatchObject([{ outcome: 'cancelled' }]);
    expect(replay.due).toBeUndefined();
  });

  test('that interrupts in the middle of a text ends it there', () => {
    const replay = begin();
    say(replay, INFRA);
    const lines = Array.from({ length: 30 }, () => replay.take());
    lines.push(...ask(replay, 'interrupt'));
    expect(ended(lines)).toMatchObject([{ outcome: 'cancelled' }]);
    expect(lines.join('')).toContain('[Request interrupted by user]');
  });

  test.each(['', 'not JSON', '[]', '{"type":"keep_alive"}', '{"type":"control_response"}'])(
    'that says %j is not heard',
    (line) => {
      const replay = begin();
      replay.hear(line);
      expect([replay.due, replay.isBusy]).toEqual([undefined, false]);
    },
  );
});
