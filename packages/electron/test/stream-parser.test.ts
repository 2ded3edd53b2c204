// An agent's stdout as an emitter of typed events, for an app that starts the agent by itself.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createDecoder, createSummary } from '@tailrace/core';
import { type StreamMessage, streamMessages } from '@tailrace/protocol';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { counts } from '../../../proof/counts.ts';
import {
  createBroadcast,
  createCheckpoints,
  createStreamParser,
  MAX_CHECKPOINTS,
  type MetadataStore,
  type RunTotals,
  type StreamParser,
  type StreamParserEvents,
  type StreamParserOptions,
} from '../src/main/index.ts';
import { capture, captureNames, openPipe, piped } from './captures.ts';
import { FakeMain, FakeWindow, PAGE } from './fake-electron.ts';
import { program, temporaryFolder } from './place.ts';

const SESSION = '4b765885-5882-4c9c-a13d-ea4c5d7d3a01';
const NAMES = ['init', 'user', 'assistant', 'tool_result', 'result', 'warning', 'error', 'close'] as const;

type Heard = { readonly [N in (typeof NAMES)[number]]: StreamParserEvents[N][0][] } & { readonly order: string[] };

function hear(parser: StreamParser): Heard {
  const heard: Heard = {
    init: [],
    user: [],
    assistant: [],
    tool_result: [],
    result: [],
    warning: [],
    error: [],
    close: [],
    order: [],
  };
  for (const name of NAMES)
    parser.on(name, (event?: unknown) => {
      (heard[name] as unknown[]).push(event);
      heard.order.push(name);
    });
  return heard;
}

/** Unlike `once` of Node it listens to no errors. */
function closed(parser: StreamParser): Promise<void> {
  return new Promise((resolve) => parser.on('close', resolve));
}

/** A whole stream, and what was heard of it. */
async function parse(options: Omit<StreamParserOptions, 'sessionId'> & { readonly sessionId?: string }) {
  const parser = createStreamParser({ sessionId: randomUUID(), ...options });
  const heard = hear(parser);
  await closed(parser);
  return heard;
}

const lines = (...messages: readonly object[]): Buffer =>
  Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));

const init = { type: 'system', subtype: 'init', session_id: SESSION, tools: ['Read', 'Bash'], model: 'm-1' };
const says = (text: string, id: string, usage?: object): object => ({
  type: 'assistant',
  session_id: SESSION,
  uuid: '00000000-0000-4000-8000-00000000aaaa',
  message: { id, role: 'assistant', model: 'm-1', content: [{ type: 'text', text }], ...(usage && { usage }) },
});
const prompt = (uuid: string, text = uuid): object => ({
  type: 'user',
  session_id: SESSION,
  uuid,
  isReplay: true,
  message: { role: 'user', content: text },
});

describe('[G-01] stdout', () => {
  test('is parsed as it arrives: each line is told before the next one comes', async () => {
    const { stdout, say } = openPipe();
    const parser = createStreamParser({ sessionId: randomUUID(), stdout });
    const heard = hear(parser);
    const next = async (name: 'init' | 'user' | 'assistant' | 'result', message: object) => {
      const came = once(parser, name);
      say(message);
      await came;
    };
    await next('init', init);
    await next('user', prompt('00000000-0000-4000-8000-000000000001', 'Hello'));
    await next('assistant', says('Hi', 'msg_1', { input_tokens: 10, output_tokens: 5 }));
    await next('result', { type: 'result', subtype: 'success', session_id: SESSION, cost_usd: 0.01 });
    stdout.end();
    await closed(parser);
    expect(heard.order).toEqual(['init', 'user', 'assistant', 'assistant', 'result', 'close']);
  });

  test('of every recorded run of ten agents is read to its end, and no line of Claude is left out but those that were broken', async () => {
    for (const name of captureNames()) {
      const heard = await parse({ stdout: piped(capture(name)) });
      expect(heard.close, name).toHaveLength(1);
      expect(heard.error, name).toEqual([]);
    }
    const { warning } = await parse({ stdout: piped(capture('claude/2.1.325/stdin-multiturn.ndjson')) });
    expect(warning).toEqual([]);
  });

  test('of a real process is read to its end, whichever way it goes', async () => {
    const script = join(temporaryFolder(), 'script.json');
    const steps = [['init'], ['text', 'Hello'], ['raw', 'half a line'], ['die', 'SIGKILL']];
    writeFileSync(script, JSON.stringify(steps));
    const child = spawn(process.execPath, [program], {
      env: { FAKE_AGENT: script },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const heard = await parse({ stdout: child.stdout });
    expect(heard.init).toMatchObject([{ tools: ['Bash', 'Read', 'Write'] }]);
    expect(heard.assistant).toMatchObject([{ content: 'Hello' }, { tokens: { input: 10, output: 1 } }]);
    expect(heard.warning).toMatchObject([{ line: 'half a line' }]);
    expect(heard.order.at(-1)).toBe('close');
  });

  test('cut anywhere gives the same events', async () => {
    const names = ['partial-messages', 'stdin-multiturn', 'subagent-forward-text', 'permission-stdio'];
    for (const name of names) {
      const bytes = capture(`claude/2.1.325/${name}.ndjson`);
      const whole = await parse({ stdout: piped(bytes) });
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 8 }),
          async (sizes) => {
            expect(await parse({ stdout: piped(bytes, sizes) })).toEqual(whole);
          },
        ),
        { numRuns: Math.ceil(counts.chunkings / 60) },
      );
    }
  });
});

describe('[G-02] a malformed line', () => {
  test('gives a warning with its first hundred characters, and the others are read', async () => {
    const long = `{"type":"assistant", ${'é𝄞'.repeat(100)}`;
    const { stdout, say } = openPipe();
    say(init, long, says('First', 'msg_1'), 'not json', says('Second', 'msg_2'));
    stdout.end();
    const { warning, assistant } = await parse({ stdout });
    expect(warning.map(({ line }) => line)).toEqual([[...long].slice(0, 100).join(''), 'not json']);
    expect(warning[1]?.message).toContain('not json');
    expect(assistant.flatMap(({ content }) => content ?? [])).toEqual(['First', 'Second']);
  });

  test.each(['null', '[]', '7', '""'])('%s is JSON and no message, and is told', async (line) => {
    const { stdout, say } = openPipe();
    say(init, line, says('First', 'msg_1'));
    stdout.end();
    expect((await parse({ stdout })).warning).toMatchObject([{ line }]);
  });

  test('of a killed run is told', async () => {
    const { warning, close } = await parse({ stdout: piped(capture('claude/2.1.325/sigkill-cut-line.ndjson')) });
    expect(warning).toHaveLength(1);
    expect(close).toHaveLength(1);
  });
});

describe('[G-03] the session', () => {
  test('is told by the callback and, as stream:init, to every open window', async () => {
    const main = new FakeMain();
    const windows = [new FakeWindow(main), new FakeWindow(main), new FakeWindow(main, 'https://elsewhere.example/')];
    const captured: string[] = [];
    const send = createBroadcast({ windows: () => windows, pages: PAGE });
    const stdout = piped(lines(init, says('Hi', 'msg_1')));
    const { init: told } = await parse({ stdout, send, onSessionIdCaptured: (id) => captured.push(id) });
    expect(captured).toEqual([SESSION]);
    expect(told).toEqual([{ type: 'init', sessionId: SESSION, tools: ['Read', 'Bash'] }]);
    const formerId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    for (const window of windows.slice(0, 2))
      expect(window.on('stream:init')).toEqual([{ sessionId: SESSION, formerId, tools: ['Read', 'Bash'] }]);
    expect(windows[2]?.messages).toEqual([]);
  });

  test('is told with the id that windows knew it by until then, if that is another', async () => {
    const FORMER = '99999999-2222-4333-8444-555555555555';
    for (const [sessionId, former] of [
      [FORMER, { formerId: FORMER }],
      [SESSION, {}],
    ] as const) {
      const told: StreamMessage[] = [];
      const stdout = piped(lines(init));
      await closed(createStreamParser({ sessionId, stdout, send: (...message) => told.push(message) }));
      expect(told.filter(([channel]) => channel === 'stream:init')).toEqual([
        ['stream:init', { sessionId: SESSION, ...former, tools: ['Read', 'Bash'] }],
      ]);
    }
  });

  test('is told once, though the agent says it with every turn', async () => {
    const { init: told, result } = await parse({ stdout: piped(capture('claude/2.1.325/stdin-multiturn.ndjson')) });
    expect(told).toHaveLength(1);
    expect(result.length).toBeGreaterThan(1);
  });

  test('is told again when its tools come late, and it is the same session then', async () => {
    const captured: string[] = [];
    const stdout = piped(capture('pi/0.87.1/multi-tool.ndjson'));
    const { init: told } = await parse({ stdout, onSessionIdCaptured: (id) => captured.push(id) });
    expect(captured).toHaveLength(1);
    const [sessionId] = captured;
    expect(told).toEqual([
      { type: 'init', sessionId, tools: [] },
      { type: 'init', sessionId, tools: ['read', 'bash', 'edit', 'write'] },
    ]);
  });

  test('of a window that is closing harms no other', async () => {
    const main = new FakeMain();
    const [gone, open] = [new FakeWindow(main), new FakeWindow(main)];
    gone.isGone = true;
    const failing = Object.assign(new FakeWindow(main), { isDestroyed: () => false });
    failing.webContents.send = () => {
      throw new Error('Render frame was disposed');
    };
    const warnings: string[] = [];
    const windows = (): FakeWindow[] => [gone, failing, open];
    const send = createBroadcast({ windows, pages: PAGE, onWarning: (message) => warnings.push(message) });
    await parse({ stdout: piped(lines(init)), send });
    expect(open.on('stream:init')).toHaveLength(1);
    expect(warnings[0]).toContain('Render frame was disposed');
  });
});

describe('[G-04] checkpoints', () => {
  const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

  test('are the prompts: chronological, once each, and no results or synthetic lines', async () => {
    const checkpoints = createCheckpoints();
    await parse({ stdout: piped(capture('claude/2.1.325/stdin-multiturn.ndjson')), checkpoints });
    const [session] = new Set(
      createDecoder()
        .feed(capture('claude/2.1.325/stdin-multiturn.ndjson'))
        .map(({ sessionId }) => sessionId),
    );
    expect(checkpoints.of(session ?? '').map(({ text }) => text)).toEqual(['Read a.txt', 'Now backwards']);
    const { stdout, say } = openPipe();
    const synthetic = { ...prompt(id(7)), isReplay: undefined, isSynthetic: true };
    say(init, prompt(id(1)), says('Hi', 'm'), prompt(id(2)), prompt(id(1)), synthetic);
    stdout.end();
    await parse({ stdout, checkpoints });
    expect(checkpoints.of(SESSION).map((one) => one.id)).toEqual([id(1), id(2)]);
  });

  test('are a hundred at most, and those of one session are nothing to another', async () => {
    const checkpoints = createCheckpoints();
    const other = randomUUID();
    const many = Array.from({ length: MAX_CHECKPOINTS + 5 }, (_, index) => prompt(id(index)));
    await parse({ stdout: piped(lines(init, ...many)), checkpoints });
    await parse({
      stdout: piped(lines({ ...init, session_id: other }, { ...prompt(id(1)), session_id: other })),
      checkpoints,
    });
    expect(checkpoints.of(SESSION).map((one) => one.id)).toEqual(
      Array.from({ length: MAX_CHECKPOINTS }, (_, index) => id(index + 5)),
    );
    checkpoints.clear(SESSION);
    expect(checkpoints.of(SESSION)).toEqual([]);
    expect(checkpoints.of(other)).toHaveLength(1);
  });
});

describe('[G-05] the emitter', () => {
  test('tells every block of a message, each once, and what a message took once', async () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 7 };
    const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'a.txt' } };
    const block = (content: object): object => ({
      type: 'assistant',
      session_id: SESSION,
      message: { id: 'msg_1', role: 'assistant', model: 'm-1', content: [content], usage },
    });
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true };
    const parts = [
      { type: 'text', text: 'no such file' },
      { type: 'image', source: {} },
    ];
    const heard = await parse({
      stdout: piped(
        lines(
          init,
          block({ type: 'text', text: 'I look.' }),
          block(call),
          { type: 'user', session_id: SESSION, message: { role: 'user', content: [{ ...result, content: parts }] } },
          { type: 'result', subtype: 'success', session_id: SESSION, duration_ms: 12, is_error: false, usage },
        ),
      ),
    });
    expect(heard.assistant).toEqual([
      { type: 'assistant', content: 'I look.' },
      { type: 'assistant', toolUse: call },
      { type: 'assistant', tokens: { input: 15, output: 7 } },
    ]);
    expect(heard.tool_result).toEqual([
      { type: 'tool_result', toolUseId: 'toolu_1', content: expect.stringContaining('no such file'), isError: true },
    ]);
    expect(heard.result).toEqual([{ type: 'result', success: true, durationMs: 12, tokens: { input: 15, output: 7 } }]);
  });

  test('reads the error before the word success', async () => {
    const result = { type: 'result', subtype: 'success', is_error: true, session_id: SESSION };
    const heard = await parse({ stdout: piped(lines(init, result)) });
    expect(heard.result).toMatchObject([{ success: false }]);
  });

  test('tells why a turn has failed, in the words of whoever refused it', async () => {
    const { result } = await parse({ stdout: piped(capture('claude/2.1.325/api-error-400.ndjson')) });
    expect(result).toMatchObject([{ success: false, error: expect.stringContaining('something is invalid') }]);
  });

  test('tells the uuid of the line where it has one', async () => {
    const { assistant } = await parse({ stdout: piped(lines(init, says('Hi', 'msg_1'))) });
    expect(assistant[0]).toEqual({
      type: 'assistant',
      content: 'Hi',
      uuid: '00000000-0000-4000-8000-00000000aaaa',
    });
  });

  test('marks what a sub-agent says', async () => {
    const { assistant } = await parse({ stdout: piped(capture('claude/2.1.325/subagent-forward-text.ndjson')) });
    expect(assistant.some(({ subagentId }) => subagentId !== undefined)).toBe(true);
    expect(assistant.some(({ subagentId, content }) => subagentId === undefined && content)).toBe(true);
  });

  test('tells a pipe that fails, and closes', async () => {
    const stdout = new PassThrough();
    const parser = createStreamParser({ sessionId: randomUUID(), stdout });
    const heard = hear(parser);
    const came = once(parser, 'init');
    stdout.write(lines(init));
    await came;
    stdout.destroy(new Error('EIO'));
    await closed(parser);
    expect(heard.error).toMatchObject([{ message: 'EIO' }]);
    expect(heard.close).toHaveLength(1);
  });

  test('does not end the app when nobody listens to errors', async () => {
    const stdout = new PassThrough();
    const parser = createStreamParser({ sessionId: randomUUID(), stdout });
    const warnings: string[] = [];
    parser.on('warning', ({ message }) => warnings.push(message));
    stdout.destroy(new Error('EIO'));
    await closed(parser);
    expect(warnings).toEqual(['the pipe failed: EIO']);
  });

  test('goes on when the promise of a listener fails, and tells it', async () => {
    const fail = (why: string) => async (): Promise<never> => Promise.reject(new Error(why));
    const parser = createStreamParser({
      sessionId: randomUUID(),
      stdout: piped(lines(init, says('First', 'msg_1'))),
      onSessionIdCaptured: fail('no name'),
      send: fail('no window'),
    });
    const warnings = new Set<string>();
    parser.on('warning', async ({ message }) => {
      warnings.add(message);
      throw new Error('nor now');
    });
    parser.on('assistant', fail('never'));
    await closed(parser);
    // A rejection that nobody takes would fail this test too.
    await vi.waitFor(() =>
      expect([...warnings].sort()).toEqual([
        'a listener failed: never',
        'a listener failed: no name',
        'a listener failed: no window',
      ]),
    );
  });

  test('goes on when a listener fails, and closes a pipe that was over before it came', async () => {
    const stdout = piped(lines(init, says('First', 'msg_1'), says('Second', 'msg_2')));
    const parser = createStreamParser({
      sessionId: randomUUID(),
      stdout,
      onSessionIdCaptured: () => {
        throw new Error('not now');
      },
    });
    const warnings: string[] = [];
    const texts: string[] = [];
    parser.on('warning', ({ message }) => {
      warnings.push(message);
      throw new Error('nor now');
    });
    parser.on('assistant', ({ content }) => {
      if (content !== undefined) texts.push(content);
      throw new Error('never');
    });
    await closed(parser);
    expect(texts).toEqual(['First', 'Second']);
    expect(warnings[0]).toContain('not now');
    await closed(createStreamParser({ sessionId: randomUUID(), stdout }));
  });
});

/** What windows hear of a stream. */
async function sent(bytes: Uint8Array): Promise<readonly StreamMessage[]> {
  const messages: StreamMessage[] = [];
  await parse({ stdout: piped(bytes), send: (...message) => void messages.push(message) });
  return messages;
}

describe('what windows hear', () => {
  test('[G-06] is the text of the main thread, once, whether it comes in pieces or whole', async () => {
    for (const name of captureNames('claude')) {
      const bytes = capture(name);
      const decoder = createDecoder();
      const events = [...decoder.feed(bytes), ...decoder.end()];
      const said = events.flatMap((event) =>
        event.type === 'text-end' && event.subagentId === undefined ? [event.text] : [],
      );
      const chunks = (await sent(bytes)).flatMap(([channel, message]) =>
        channel === 'stream:chunk' ? [message.content] : [],
      );
      expect(chunks.join(''), name).toBe(said.join(''));
    }
  });

  test('[G-06] names session and line', async () => {
    const [chunk] = (await sent(lines(init, says('Hi', 'msg_1')))).filter(([channel]) => channel === 'stream:chunk');
    const uuid = '00000000-0000-4000-8000-00000000aaaa';
    expect(chunk).toEqual(['stream:chunk', { sessionId: SESSION, type: 'text', content: 'Hi', uuid }]);
  });

  test('[G-07] is each call with its input, and its result as text', async () => {
    const messages = await sent(capture('claude/2.1.325/stdin-multiturn.ndjson'));
    const tools = messages.flatMap(([channel, message]) => (channel === 'stream:tool' ? [message] : []));
    expect(tools[0]).toMatchObject({
      type: 'tool_use',
      toolUse: { type: 'tool_use', name: 'Read', input: { file_path: expect.any(String) } },
    });
    const [use, result] = tools;
    if (use?.type !== 'tool_use' || result?.type !== 'tool_result') throw new Error('a call, then its result');
    expect(result.toolResult).toEqual({
      type: 'tool_result',
      tool_use_id: use.toolUse.id,
      content: expect.stringContaining('1'),
      is_error: false,
    });
  });

  test('[G-05] [G-07] is a result too whose call nobody saw, once, and never in silence', async () => {
    const call = { type: 'tool_use', id: 'c1', name: 'Read', input: {} };
    const calls = { type: 'assistant', session_id: SESSION, message: { id: 'msg_1', content: [call] } };
    const brings = (result: object): object => ({
      type: 'user',
      session_id: SESSION,
      message: { role: 'user', content: [{ type: 'tool_result', ...result }] },
    });
    const parts = [{ type: 'text', text: 'Not' }, { type: 'text', text: 'found' }, { type: 'image' }];
    const sent: StreamMessage[] = [];
    const heard = await parse({
      stdout: piped(
        lines(
          init,
          brings({ tool_use_id: 'lost', content: parts, is_error: true }),
          brings({ tool_use_id: 'lost', content: 'again' }),
          calls,
          brings({ tool_use_id: 'c1', content: 'seen' }),
          brings({ tool_use_id: 'c1', content: 'seen' }),
          brings({ content: 'whose?' }),
        ),
      ),
      send: (...message) => sent.push(message),
    });
    expect(heard.tool_result).toEqual([
      { type: 'tool_result', toolUseId: 'lost', content: 'Not\nfound\n[image]', isError: true },
      { type: 'tool_result', toolUseId: 'c1', content: 'seen', isError: false },
    ]);
    const results = sent.flatMap(([, message]) => ('toolResult' in message ? [message.toolResult] : []));
    expect(results.map(({ tool_use_id: id, is_error: isError }) => [id, isError])).toEqual([
      ['lost', true],
      ['c1', false],
    ]);
    expect(heard.warning).toMatchObject([{ line: expect.stringContaining('whose?') }]);
  });

  test('[G-07] [M-10] of every recorded run of ten agents: no call is left without a result', async () => {
    for (const name of captureNames()) {
      const open = new Set<string>();
      for (const [channel, message] of await sent(capture(name))) {
        if (channel !== 'stream:tool') continue;
        if (message.type === 'tool_use') open.add(message.toolUse.id);
        else expect(open.delete(message.toolResult.tool_use_id), name).toBe(true);
      }
      expect([...open], name).toEqual([]);
    }
  });

  test('[G-12] fits its schemas, with a UUID as session id, whatever an agent calls its sessions', async () => {
    for (const name of captureNames()) {
      const messages = await sent(capture(name));
      expect(messages.length, name).toBeGreaterThan(0);
      for (const [channel, message] of messages) {
        const read = streamMessages[channel].safeParse(structuredClone(message));
        expect(read.error, `${name} ${channel}`).toBeUndefined();
      }
    }
  });

  test('[G-09] [G-12] tell a session whose id is no UUID by one that is made of it, always the same; its row has its own', async () => {
    const told = new Set<string>();
    for (let run = 0; run < 2; run++) {
      const { metadata, added } = createRow();
      const captured: string[][] = [];
      const sessions: string[] = [];
      await parse({
        stdout: piped(capture('opencode/1.18.33/tool-ok.ndjson')),
        metadata,
        onSessionIdCaptured: (...ids) => captured.push(ids),
        send: (_channel, message) => sessions.push(message.sessionId),
      });
      const [[own = '', uuid = ''] = []] = captured;
      expect(captured).toHaveLength(1);
      expect(own).toMatch(/^ses_/);
      expect(added).toMatchObject([{ sessionId: own, inputTokens: 3100, outputTokens: 38 }]);
      expect(sessions.at(-1)).toBe(uuid);
      told.add(uuid);
    }
    expect([...told]).toEqual([expect.stringMatching(/^7461696c-7263-8/)]);
  });

  test('without a pipe to read from is refused in a sentence', () => {
    // As a process has it that was started without a pipe.
    const stdout = null as unknown as PassThrough;
    expect(() => createStreamParser({ sessionId: randomUUID(), stdout })).toThrow(
      "stdout is missing; start the agent with a pipe there: stdio: 'pipe'",
    );
  });

  test('[G-12] under a provisional id that is no UUID is refused before anything is read', () => {
    const { stdout } = openPipe();
    expect(() => createStreamParser({ sessionId: 'new', stdout, send: () => {} })).toThrow(/no UUID/);
    expect(stdout.listenerCount('data')).toBe(0);
  });

  test('are the neutral events, beside the others and without the messages they were made of', async () => {
    const bytes = capture('claude/2.1.325/permission-stdio.ndjson');
    const decoder = createDecoder();
    const events = [...decoder.feed(bytes), ...decoder.end()];
    const told = (await sent(bytes)).flatMap(([channel, message]) =>
      channel === 'stream:event' ? [message.event] : [],
    );
    expect(told.map(({ at: _at, ...event }) => event)).toEqual(events);
  });
});

/** A store of one row, whatever the session is. */
function createRow(add?: MetadataStore['add']): { readonly metadata: MetadataStore; readonly added: RunTotals[] } {
  const added: RunTotals[] = [];
  return {
    added,
    metadata: {
      create: async () => {},
      add: async (run) => {
        added.push(run);
        return (await add?.(run)) ?? 'added';
      },
    },
  };
}

/** Over the sessions of a run. */
function sumOf(added: readonly RunTotals[]): Pick<RunTotals, 'inputTokens' | 'outputTokens' | 'costUsd'> {
  const sum = (name: 'inputTokens' | 'outputTokens' | 'costUsd'): number =>
    added.reduce((all, one) => all + one[name], 0);
  return { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens'), costUsd: sum('costUsd') };
}

describe('[G-08] the bill', () => {
  test.each(['total_cost_usd', 'cost_usd', 'costUSD'])('reads the cost under the name %s', async (name) => {
    const result = { type: 'result', subtype: 'success', session_id: SESSION, [name]: 0.125 };
    const heard = await parse({ stdout: piped(lines(init, says('Hi', 'm', { input_tokens: 1 }), result)) });
    expect(heard.result).toMatchObject([{ costUsd: 0.125 }]);
  });

  test('of every recorded run of ten agents is the one of the summary', async () => {
    for (const name of captureNames()) {
      const bytes = capture(name);
      const summary = createSummary();
      const decoder = createDecoder();
      for (const event of [...decoder.feed(bytes), ...decoder.end()]) summary.add(event);
      const { usage, costUsd } = summary.summary(decoder.stats.lines);
      const { added, metadata } = createRow();
      await parse({ stdout: piped(bytes), metadata });
      const { inputTokens = 0, outputTokens = 0 } = usage;
      if (inputTokens + outputTokens + (costUsd ?? 0) === 0) expect(added, name).toEqual([]);
      else expect(sumOf(added), name).toEqual({ inputTokens, outputTokens, costUsd: expect.closeTo(costUsd ?? 0, 12) });
    }
  });

  test('adds up over the turns of a run', async () => {
    const { result } = await parse({ stdout: piped(capture('claude/2.1.325/stdin-multiturn.ndjson')) });
    const costs = result.map(({ costUsd }) => costUsd ?? 0);
    expect(costs.length).toBeGreaterThan(1);
    expect(costs).toEqual([...costs].sort((a, b) => a - b));
    expect(costs[0]).toBeLessThan(costs.at(-1) ?? 0);
  });
});

describe('[G-09] the row of a session', () => {
  const usage = { input_tokens: 3, output_tokens: 4 };
  const result = { type: 'result', subtype: 'success', session_id: SESSION, total_cost_usd: 0.5, usage };

  test('gets the totals when the stream closes, not with the result, and before close is told', async () => {
    const order: string[] = [];
    const { metadata, added } = createRow(async () => {
      order.push('added');
      await Promise.resolve();
      return 'added';
    });
    const { stdout, say } = openPipe();
    const parser = createStreamParser({ sessionId: randomUUID(), stdout, metadata, runId: 'run-7' });
    parser.on('result', () => order.push('result')).on('close', () => order.push('close'));
    const came = once(parser, 'result');
    say(init, says('Hi', 'msg_1', usage), result);
    await came;
    expect(added).toEqual([]);
    stdout.end();
    await closed(parser);
    expect(order).toEqual(['result', 'added', 'close']);
    const totals = { inputTokens: 3, outputTokens: 4, costUsd: 0.5, model: 'm-1' };
    expect(added).toEqual([{ runId: 'run-7', sessionId: SESSION, ...totals }]);
  });

  test('is that of each session which a run was in, with what was taken there', async () => {
    const { metadata, added } = createRow();
    const stdout = piped(capture('claude/2.1.325/clear.ndjson'));
    const { init: inits } = await parse({ stdout, metadata, runId: 'run-7' });
    const [first = '', second = ''] = inits.map(({ sessionId }) => sessionId);
    expect(second).not.toBe(first);
    const model = 'claude-opus-5-5';
    expect(added).toEqual([
      {
        runId: 'run-7',
        sessionId: first,
        inputTokens: 587,
        outputTokens: 4,
        costUsd: expect.closeTo(0.002946, 12),
        model,
      },
      {
        ...{ runId: `run-7:${second}`, sessionId: second },
        ...{ inputTokens: 589, outputTokens: 4, costUsd: expect.closeTo(0.002955, 12), model },
      },
    ]);
    // [G-03] The agent tells its tools again only where they are others.
    expect(inits.map(({ tools }) => tools.length)).toEqual([22, 22]);
  });

  test('gets what is known of a run that was killed', async () => {
    const { metadata, added } = createRow();
    await parse({ stdout: piped(capture('claude/2.1.325/sigkill.ndjson')), metadata });
    expect(added).toMatchObject([{ inputTokens: expect.any(Number) }]);
  });

  test('names no model when the run names none', async () => {
    const { metadata, added } = createRow();
    const { model: _, ...nameless } = init;
    await parse({ stdout: piped(lines(nameless, result)), metadata });
    expect(added).toHaveLength(1);
    expect(added[0]).not.toHaveProperty('model');
  });

  test('is left alone when there is nothing to add', async () => {
    const { metadata, added } = createRow();
    await parse({ stdout: piped(lines(init)), metadata });
    expect(added).toEqual([]);
  });

  test('that is not there, and a database that fails, are warnings: nothing is thrown into the stream', async () => {
    const unknown = createRow(async () => ({ warning: 'The session is not known' }));
    const first = await parse({ stdout: piped(lines(init, result)), metadata: unknown.metadata });
    expect(first.warning).toMatchObject([{ message: 'The session is not known' }]);
    const broken = createRow(async () => {
      throw new Error('SQLITE_FULL');
    });
    const second = await parse({ stdout: piped(lines(init, result)), metadata: broken.metadata });
    expect(second.warning).toMatchObject([{ message: expect.stringContaining('SQLITE_FULL') }]);
    expect(second.order.at(-1)).toBe('close');
  });
});
