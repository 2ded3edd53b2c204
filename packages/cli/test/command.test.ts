import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counts } from '../../../proof/counts.ts';
import { call, fixtures, start } from './command.ts';

const capture = (name: string): string => `${fixtures}${name}.ndjson`;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = (text: string): string[] => text.trimEnd().split('\n');

describe('tailrace summary', () => {
  test('--json prints one object', async () => {
    const { code, stdout, stderr } = await call(['summary', capture('subagent'), '--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(lines(stdout)).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({
      agent: 'claude',
      outcome: 'success',
      text: 'The agent found alpha.',
      usage: { state: 'reconciled' },
    });
  });

  test('is the same from a file, a compressed file, and a pipe of either, cut anywhere', async () => {
    const bytes = readFileSync(capture('unicode'));
    const packed = gzipSync(bytes);
    writeFileSync(join(folder, 'odd-name'), packed);
    const { stdout } = await call(['summary', capture('unicode'), '--json']);
    const byByte = function* (all: Uint8Array) {
      for (let at = 0; at < all.length; at += 7) yield all.subarray(at, at + 7);
    };
    expect((await call(['summary', join(folder, 'odd-name'), '--json'])).stdout).toBe(stdout);
    expect((await call(['summary', '-', '--json'], { input: [bytes] })).stdout).toBe(stdout);
    expect((await call(['summary', '--json'], { input: byByte(packed) })).stdout).toBe(stdout);
    expect((await call(['summary', '--json'], { input: [packed.subarray(0, 1), packed.subarray(1)] })).stdout).toBe(
      stdout,
    );
  });

  test('is the same from a large file that hardly compresses', async () => {
    let seed = 7;
    const noise = Array.from({ length: 3_000_000 }, () => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return 'abcdefghijklmnopqrstuvwxyz0123456789'[(seed >>> 16) % 36];
    }).join('');
    const pieces = Array.from({ length: 300 }, (_, n) =>
      JSON.stringify({
        type: 'assistant',
        session_id: 's',
        message: { id: `m${n}`, content: [{ type: 'text', text: noise.slice(n * 10_000, (n + 1) * 10_000) }] },
      }),
    );
    const bytes = Buffer.from(`${pieces.join('\n')}\n`);
    writeFileSync(join(folder, 'large'), bytes);
    writeFileSync(join(folder, 'large.gz'), gzipSync(bytes));
    const { stdout } = await call(['events'], { input: [bytes] });
    expect((await call(['events', join(folder, 'large')])).stdout).toBe(stdout);
    expect((await call(['events', join(folder, 'large.gz')])).stdout).toBe(stdout);
  });

  test('for people says how it ended, what it cost and what was done', async () => {
    const { stdout } = await call(['summary', capture('tools-read-edit')]);
    expect(stdout).toMatch(/outcome +done, end_turn/);
    expect(stdout).toMatch(/files +modify greet\.js/);
    expect(stdout).toMatch(/cost +\$0\.\d+/);
    expect(stdout).not.toContain('\u001b');
  });

  test('of nothing is a summary, too', async () => {
    const { code, stdout } = await call(['summary', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ agent: null, outcome: 'incomplete', lines: { total: 0 } });
  });

  test('tells about the reading, and with --exit-status about the run', async () => {
    expect((await call(['summary', capture('api-error-400')])).code).toBe(0);
    expect((await call(['summary', capture('api-error-400'), '--exit-status'])).code).toBe(1);
    expect((await call(['summary', capture('basic-text'), '--exit-status'])).code).toBe(0);
    expect((await call(['events', capture('sigterm'), '--exit-status'])).code).toBe(1);
    expect((await call(['view', capture('sigterm'), '--exit-status'])).code).toBe(1);
  });
});

describe('tailrace events', () => {
  test('prints one event per line', async () => {
    const { stdout } = await call(['events', capture('tools-parallel')]);
    const events = lines(stdout).map((line) => JSON.parse(line));
    expect(events[0].type).toBe('session-start');
    expect(events.at(-1)).toMatchObject({ type: 'session-end', outcome: 'success' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  });

  test('comes out while the input still goes on', async () => {
    const child = start(['events']);
    const seen = new Promise<string>((resolve) => {
      let text = '';
      child.stdout?.on('data', (bytes) => {
        text += bytes;
        if (text.includes('"turn-start"')) resolve(text);
      });
    });
    child.stdin?.write(`${lines(readFileSync(capture('basic-text'), 'utf8'))[0]}\n`);
    expect(await seen).toContain('session-start');
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.stdin?.end();
    expect(await closed).toBe(0);
  });

  test('a reader that has seen enough is no error', async () => {
    const child = start(['events', capture('large-result')]);
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await closed).toBe(0);
  });

  test('lone surrogates and NUL survive the way out', async () => {
    const text = 'a\ud800b\u0000c';
    const line = JSON.stringify({
      type: 'assistant',
      session_id: 's',
      message: { id: 'm', content: [{ type: 'text', text }] },
    });
    const { stdout } = await call(['events'], { input: [Buffer.from(`${line}\n`)] });
    expect(
      lines(stdout)
        .map((one) => JSON.parse(one))
        .find(({ type }) => type === 'text-end').text,
    ).toBe(text);
  });
});

describe('tailrace view', () => {
  test('shows text, calls, changes and the bill', async () => {
    const { stdout } = await call(['view', capture('tools-read-edit')]);
    expect(stdout).toMatchInlineSnapshot(`
      "● claude-opus-5-5 · project

      I will look at the file first.
        ✓ Read  greet.js                                                                             46 ms
        ✓ Edit  greet.js  +1 −1                                                                      21 ms
            - export const greet = (n) => \`Helo, \${n}!\`;
            + export const greet = (n) => \`Hello, \${n}!\`;
        ✓ Read  greet.js                                                                             12 ms

      Fixed the typo: \`Helo\` is now \`Hello\` in **greet.js**.

      ✓ done in 0.4 s · $0.020 · 9335 in (69 % cached) · 216 out · 1 file +1 −1
        resume: tailrace import && tailrace resume 6a7358e3
      "
    `);
  });

  test('a call that is over is printed before anything follows', async () => {
    const lines = readFileSync(capture('tools-read-edit'), 'utf8').split('\n');
    const result = lines.findIndex((line) => line.includes('tool_result'));
    const child = start(['--plain']);
    child.stdin?.write(`${lines.slice(0, result + 1).join('\n')}\n`);
    let shown = '';
    // Nothing more is written until the card stands there.
    for await (const text of child.stdout?.setEncoding('utf8') ?? []) {
      shown += text;
      if (shown.includes('✓ Read')) child.stdin?.end();
    }
    expect(shown).toMatch(/✓ Read {2}greet\.js/);
  });

  test('is what a pipe without a command gets', async () => {
    const bytes = readFileSync(capture('partial-messages'));
    const piped = await call([], { input: [bytes] });
    expect(piped.stdout).toBe((await call(['view', capture('partial-messages')])).stdout);
    expect(piped.stdout).toContain('I will read the file, then answer.');
    expect((await call(['--quiet'], { input: [bytes] })).stdout).toMatch(/^✓ done/);
  });

  test('--json is tailrace events', async () => {
    expect((await call(['view', '--json', '--plain', capture('basic-text')])).stdout).toBe(
      (await call(['events', capture('basic-text')])).stdout,
    );
  });

  test('shows the result of a stream that has no other text', async () => {
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'the answer',
      session_id: 's',
      duration_api_ms: 1,
    };
    expect((await call([], { input: [Buffer.from(JSON.stringify(result))] })).stdout).toContain('the answer');
  });

  test('colours only where it is wanted', async () => {
    const coloured = await call(['view', capture('tool-errors')], { env: { FORCE_COLOR: '1' } });
    expect(coloured.stdout).toContain('\u001b[31m');
    for (const env of [{ NO_COLOR: '1', FORCE_COLOR: '1' }, { FORCE_COLOR: '0' }, {}])
      expect((await call(['view', capture('tool-errors')], { env })).stdout).not.toContain('\u001b');
    expect(
      (await call(['view', '--plain', capture('tool-errors')], { env: { FORCE_COLOR: '1' } })).stdout,
    ).not.toContain('\u001b');
  });

  test('lets nothing that an agent printed steer the terminal', async () => {
    const evil = '\u001b]0;title\u0007\u001b[2Jgone\u009b31mred\u001bPq#0\u001b\\dcs\u001b]8;;x\ny\u0000\u0008z';
    const delta = (text: string, uuid: string) =>
      JSON.stringify({
        type: 'stream_event',
        event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        session_id: 's',
        uuid,
        api_message_id: 'm',
      });
    const call_ = JSON.stringify({
      type: 'assistant',
      session_id: 's',
      message: { id: 'n', content: [{ type: 'tool_use', id: 't', name: evil, input: { command: evil } }] },
    });
    const ask = JSON.stringify({
      type: 'control_request',
      request_id: 'r',
      request: { subtype: 'can_use_tool', tool_name: evil, tool_use_id: 'x' },
    });
    const strange = JSON.stringify({ type: evil, session_id: 's' });
    const input = [
      `${delta('a\u001b', '1')}\n${delta('[31mb', '2')}\n${delta(evil, '3')}\n${call_}\n${ask}\n${strange}\n${evil}\n`,
    ];
    const { stdout } = await call(['view', '--agent', 'claude'], { input: input.map((text) => Buffer.from(text)) });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(stdout).toContain('ab');
    // In a name the escape is written out; a message that nobody knows is shown as JSON, whose escapes are plain letters.
    expect(stdout.replaceAll(String.raw`\u{1b}]0;title`, '').replaceAll(String.raw`\u001b]0;title`, '')).not.toContain(
      'title',
    );
  });

  test('is as wide as COLUMNS says', async () => {
    const width = (text: string): number => Math.max(...lines(text).map((line) => line.length));
    for (const columns of [60, 90]) {
      const { stdout } = await call(['view', capture('tools-read-edit')], { env: { COLUMNS: `${columns}` } });
      expect(stdout).toMatch(/Read .* 46 ms\n/);
      expect(width(stdout)).toBe(columns);
    }
  });

  test('--only shows one thing, --full all of it', async () => {
    const only = await call(['view', '--only', 'text', capture('tools-read-edit')]);
    expect(only.stdout).toBe(
      'I will look at the file first.\n\nFixed the typo: `Helo` is now `Hello` in **greet.js**.\n',
    );
    const both = await call(['view', '--only', 'tools,summary', capture('tools-read-edit')]);
    expect(both.stdout).toMatch(/^ {2}✓ Read[\s\S]*\n✓ done/);
    expect(await call(['view', '--only', 'nonsense', capture('basic-text')])).toMatchObject({ code: 2, stdout: '' });
    const folded = await call(['view', capture('large-result')]);
    const full = await call(['view', '--full', capture('large-result')]);
    expect(folded.stdout).toContain('Full output saved to');
    expect(folded.stdout).not.toContain('\n      526\n');
    expect(full.stdout).not.toContain('(--full)');
    expect(full.stdout).toContain('\n      526\n');
  });

  test('a reader that has seen the first line is no error', async () => {
    const child = start(['view', capture('large-result'), '--full']);
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    let stderr = '';
    child.stderr?.on('data', (bytes) => {
      stderr += bytes;
    });
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect([await closed, stderr]).toEqual([0, '']);
  });

  test('the first line is out while the input still goes on, and so is each paragraph', async () => {
    const all = lines(readFileSync(capture('tools-read-edit'), 'utf8'));
    const child = start([]);
    let text = '';
    const seen = (words: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (text.includes(words)) resolve();
        };
        child.stdout?.on('data', look);
        look();
      });
    child.stdout?.on('data', (bytes) => {
      text += bytes;
    });
    const upTo = all.findIndex((line) => line.includes('I will look at the file first.'));
    child.stdin?.write(`${all.slice(0, upTo + 1).join('\n')}\n`);
    await seen('● claude-opus-5-5 · project\n');
    // Nothing says yet whether the sentence goes on; it comes when nothing else does.
    await seen('I will look at the file first.\n');
    child.stdin?.end();
    await new Promise((resolve) => child.once('close', resolve));
    expect(text.match(/I will look at the file first\./g)).toHaveLength(1);
  });

  test('--follow reads a file on as it grows, and Ctrl-C ends it with what it came to', async () => {
    const all = lines(readFileSync(capture('tools-read-edit'), 'utf8'));
    const file = join(folder, 'growing.ndjson');
    writeFileSync(file, `${all.slice(0, 2).join('\n')}\n${all[2]?.slice(0, 50)}`);
    const child = start(['--follow', file]);
    let text = '';
    const seen = (words: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (text.includes(words)) resolve();
        };
        child.stdout?.on('data', look);
        look();
      });
    child.stdout?.on('data', (bytes) => {
      text += bytes;
    });
    await seen('I will look');
    appendFileSync(file, `${all[2]?.slice(50)}\n${all.slice(3).join('\n')}\n`);
    await seen('Fixed the typo');
    expect(text).not.toContain('done in');
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    expect(await closed).toBe(130);
    expect(text).toMatch(/\n✓ done in 0\.4 s · \$0\.020/);
  });

  test('--follow says when the file was written anew', async () => {
    const file = join(folder, 'anew.ndjson');
    const all = readFileSync(capture('tools-read-edit'), 'utf8').split('\n');
    writeFileSync(file, `${all.slice(0, 6).join('\n')}\n`);
    const child = start(['--follow', file]);
    const closed = new Promise((resolve) => child.once('close', resolve));
    let shown = '';
    let isAnew = false;
    for await (const text of child.stdout?.setEncoding('utf8') ?? []) {
      shown += text;
      if (!isAnew && shown.includes('✓ Read')) {
        isAnew = true;
        writeFileSync(file, readFileSync(capture('basic-text')));
      } else if (shown.includes('Hello!')) child.kill('SIGINT');
    }
    await closed;
    expect(shown).toMatch(/✓ Read.*── the file was written anew.*Hello!/s);
  });

  test('--follow ends what was running when another session stands in the file, and counts that one alone', async () => {
    const file = join(folder, 'other.ndjson');
    const all = lines(readFileSync(capture('tools-read-edit'), 'utf8'));
    const isCall = (line: string): boolean => line.includes('"type":"tool_use"');
    // It stops in the middle of its first call.
    writeFileSync(file, `${all.slice(0, all.findIndex(isCall) + 1).join('\n')}\n`);
    const child = start(['--follow', file]);
    const closed = new Promise((resolve) => child.once('close', resolve));
    let shown = '';
    let step = 0;
    for await (const text of child.stdout?.setEncoding('utf8') ?? []) {
      shown += text;
      if (step === 0 && shown.includes('I will look')) {
        step = 1;
        rmSync(file);
      } else if (step === 1 && shown.includes('was removed')) {
        step = 2;
        writeFileSync(file, readFileSync(capture('basic-text')));
      } else if (step === 2 && shown.includes('Hello!')) {
        step = 3;
        child.kill('SIGINT');
      }
    }
    await closed;
    const alone = (await call(['view', capture('basic-text')])).stdout;
    expect(shown.match(/was removed/g)).toHaveLength(1);
    const [before = '', after = ''] = shown.split(/^.*written anew.*\n\n/m);
    expect(before).toMatch(/Read/);
    expect(after).toBe(alone);
  });

  test('--follow wants a file that is there', async () => {
    expect((await call(['view', '--follow'])).stderr).toMatch(/--follow wants a file/);
    expect(await call(['view', '--follow', join(folder, 'none')])).toMatchObject({ code: 1 });
  });

  test('every capture can be viewed', async () => {
    for (const name of [
      'compact-manual',
      'plan-mode',
      'todo-write',
      'subagents-two',
      'api-retry',
      'permission-stdio',
      'ask-user-question',
      'sigkill',
      'hooks',
      'cut-text-partial',
      'unknown-block-partial',
      'api-error-400',
      'usage-error',
    ]) {
      const { code, stdout, stderr } = await call(['view', capture(name)]);
      expect([name, code, stderr]).toEqual([name, 0, '']);
      expect(stdout).toMatch(/done|failed|stopped|incomplete/);
    }
  });
});

test('what the model said is printed once, also when the result of a turn comes after the next one began', async () => {
  const { stdout } = await call(['view', '--plain', `${fixtures}subagent-background.ndjson`]);
  expect(stdout.match(/The agent says alpha\./g)).toHaveLength(1);
});

describe('help and mistakes', () => {
  test.each([['--help'], ['-h'], ['help']])('%s tells what there is', async (word) => {
    const { code, stdout } = await call([word]);
    expect(code).toBe(0);
    for (const command of ['view', 'events', 'summary', 'demo']) expect(stdout).toContain(`tailrace ${command}`);
  });

  test.each(['view', 'events', 'summary', 'demo'])('%s --help has its own page', async (command) => {
    expect((await call([command, '--help'])).stdout).toMatch(new RegExp(`^tailrace ${command} `));
    expect((await call(['help', command])).stdout).toMatch(new RegExp(`^tailrace ${command} `));
  });

  test('--version says which', async () => {
    expect((await call(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each<[string[], number, RegExp]>([
    [['nonsense'], 2, /there is no command "nonsense"/],
    [['constructor'], 2, /there is no command/],
    [['summary', '--nonsense'], 2, /^tailrace: there is no option --nonsense\. See tailrace summary --help\.\n$/],
    [['--nonsense=1'], 2, /^tailrace: there is no option --nonsense\. See tailrace view --help\.\n$/],
    [["--it's"], 2, /^tailrace: there is no option --it's\. See tailrace view --help\.\n$/],
    [['run', '-z', 'x'], 2, /^tailrace: there is no option -z\. See tailrace run --help\.\n$/],
    [['view', '--full=yes'], 2, /^tailrace: --full takes no value\. See tailrace view --help\.\n$/],
    [['view', '--agent', '--full'], 2, /^tailrace: --agent wants a value; .* See tailrace view --help\.\n$/],
    [['doctor', 'nonsense'], 2, /^tailrace: .*nonsense/],
    [['summary', 'a', 'b'], 2, /one file at a time/],
    [['summary', '--agent', 'nobody'], 2, /no agent is called "nobody"/],
    [['summary', '--max-line', 'much'], 2, /"much" is no size/],
    [['summary', '--max-line', '1G'], 2, /256M at the most/],
    [['summary', '--quiet'], 2, /quiet/],
    [['summary', '--agent'], 2, /^tailrace: --agent wants a value behind it\. See tailrace summary --help\.\n$/],
    [['summary', 'no-such-file'], 1, /there is no file .*no-such-file/],
    [['view', '.'], 1, /is a folder/],
  ])('%j is answered with a sentence', async (args, expected, message) => {
    const { code, stderr, stdout } = await call(args);
    expect(code).toBe(expected);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/at .*\.js:\d+/);
    expect(stdout).toBe('');
  });

  test('compressed input that ends in the middle is read as far as it goes', async () => {
    const packed = gzipSync(readFileSync(capture('large-result')));
    writeFileSync(join(folder, 'cut.gz'), packed.subarray(0, packed.length / 2));
    const { code, stderr, stdout } = await call(['events', join(folder, 'cut.gz')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/ends in the middle/);
    expect(lines(stdout).at(-1)).toContain('session-end');
    const summary = await call(['summary', '--json', join(folder, 'cut.gz')]);
    expect([summary.code, JSON.parse(summary.stdout).agent]).toEqual([1, 'claude']);
  });

  test('a full disk is told in a sentence', async () => {
    const { code, stderr } = await call(['events', capture('large-result')], { out: '/dev/full' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/no space left/);
    expect(stderr).not.toMatch(/at .*\.js:\d+/);
  });

  test('an interrupt stops it with 130', async () => {
    const child = start(['events']);
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    await new Promise((resolve) => {
      child.stdout?.once('data', resolve);
      child.stdin?.write(`${lines(readFileSync(capture('basic-text'), 'utf8'))[0]}\n`);
    });
    child.kill('SIGINT');
    expect(await closed).toBe(130);
  });
});

describe('input that is out of all bounds', () => {
  /** Everything that follows has to do with this much memory, whatever it is fed. */
  const node = ['--max-old-space-size=512'];
  const piece = (byte: number): Uint8Array => Buffer.alloc(1_000_000, byte);
  function* repeat(byte: number, size: number): Generator<Uint8Array> {
    for (let left = size; left > 0; left -= 1_000_000) yield piece(byte);
  }

  test('a line of hundreds of megabytes is reported, and the next one is read', async () => {
    const input = function* () {
      yield* repeat(120, counts.longLine);
      yield Buffer.from('\n');
      yield readFileSync(capture('basic-text'));
    };
    const { code, stdout } = await call(['summary', '--json'], { input: input(), node });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'success', lines: { tooLong: 1 } });
  });

  test('a long line within the limit is read', async () => {
    const input = function* () {
      yield Buffer.from('{"type":"assistant","session_id":"s","message":{"id":"m","content":[{"type":"text","text":"');
      yield* repeat(120, 40_000_000);
      yield Buffer.from('"}]}}\n');
    };
    const { stdout } = await call(['summary', '--json'], { input: input(), node });
    expect(JSON.parse(stdout).text).toHaveLength(40_000_000);
  });

  test('a stream of zeros, and one of brackets, end well', async () => {
    const zeros = await call(['summary', '--json'], { input: repeat(0, counts.longLine), node });
    expect(JSON.parse(zeros.stdout)).toMatchObject({ outcome: 'incomplete', lines: { total: 1, tooLong: 1 } });
    const brackets = await call(['summary', '--json'], { input: repeat(0x5b, 60_000_000), node });
    expect(JSON.parse(brackets.stdout)).toMatchObject({ lines: { total: 1, tooDeep: 1 } });
  });

  test('random bytes are lines that are no JSON, none of them lost', async () => {
    let seed = 12345;
    const bytes = Buffer.from(
      Array.from({ length: 2_000_000 }, () => {
        seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
        return seed >>> 24;
      }),
    );
    const { code, stdout } = await call(['summary', '--json'], { input: [bytes], node });
    expect(code).toBe(0);
    const { lines: counted } = JSON.parse(stdout);
    expect(counted.notJson + counted.unknown + counted.cutOff).toBe(counted.total);
    expect(counted.total).toBeGreaterThan(5_000);
    expect((await call(['view'], { input: [bytes], node })).code).toBe(0);
  });

  test('memory stays bounded over a long stream', async () => {
    const turn = readFileSync(capture('tools-parallel'));
    const input = function* () {
      for (let left = counts.longStream; left > 0; left -= turn.length) yield turn;
    };
    const { code, stderr } = await call(['events'], {
      input: input(),
      node: ['--max-old-space-size=128'],
      out: '/dev/null',
    });
    expect([code, stderr]).toEqual([0, '']);
  });
});
