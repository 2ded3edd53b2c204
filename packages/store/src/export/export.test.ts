import { createDecoder } from '@tailrace/core';
import { describe, expect, test } from 'vitest';
import { leaks, type Planted, planted } from '../../../core/test/planted.ts';
import { inputFrom, inputOf, linesIn, recordings, textOf } from '../../test/exported.ts';
import { exportJson } from './export-json.ts';
import { exportMarkdown } from './export-markdown.ts';
import { exportNdjson } from './export-ndjson.ts';
import { exportHtml } from './html/export-html.ts';
import type { ExportInput, ExportOptions } from './input.ts';

const forms: Readonly<
  Record<string, (input: ExportInput, options?: ExportOptions) => AsyncIterable<string | Uint8Array>>
> = {
  html: exportHtml,
  md: exportMarkdown,
  json: exportJson,
  ndjson: exportNdjson,
};

/** What Claude Code prints when it says this text piece by piece, uses a tool with it, and gets it back. */
function linesWith(text: string, size: number): readonly Uint8Array[] {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const stream = (event: unknown): unknown => ({
    type: 'stream_event',
    event,
    session_id: 's',
    parent_tool_use_id: null,
    uuid: crypto.randomUUID(),
  });
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
  const lines: unknown[] = [
    {
      type: 'system',
      subtype: 'init',
      session_id: 's',
      model: 'm',
      cwd: '/mill',
      tools: [],
      claude_code_version: '2.1.325',
    },
    stream({ type: 'message_start', message }),
    stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...pieces.map((piece) =>
      stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } }),
    ),
    stream({ type: 'content_block_stop', index: 0 }),
    {
      type: 'assistant',
      message: { ...message, content: [{ type: 'text', text }] },
      session_id: 's',
      parent_tool_use_id: null,
      uuid: 'u1',
    },
    {
      type: 'assistant',
      message: { ...message, content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: text } }] },
      session_id: 's',
      parent_tool_use_id: null,
      uuid: 'u2',
    },
    {
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: text }] },
      session_id: 's',
      parent_tool_use_id: null,
      uuid: 'u3',
    },
    { type: 'result', subtype: 'success', is_error: false, result: text, session_id: 's', usage: {}, uuid: 'u4' },
  ];
  return lines.map((line) => new TextEncoder().encode(`${JSON.stringify(line)}\n`));
}

function inputWith(text: string, size = 5): ExportInput {
  const lines = linesWith(text, size);
  const decoder = createDecoder({ agent: 'claude' });
  return inputOf([...lines.flatMap((line) => decoder.feed(line)), ...decoder.end()], lines);
}

/** Everything that the deltas of a stream say, put together again as somebody would who looks for it. */
function putTogether(text: string): string {
  const values = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return values.map((value) => value.delta ?? value.event?.delta?.text ?? '').join('');
}

function check(text: string, one: Planted): void {
  expect(leaks(text, one), text).toBe(false);
  expect(leaks(text.replaceAll('\\n', '\n').replaceAll('\\"', '"'), one), text).toBe(false);
}

describe('[T-28] exports', () => {
  test.each(Object.entries(forms))(
    '[T-28] no planted secret comes through %s, whole or cut over events and lines',
    async (form, write) => {
      for (const [index, one] of planted.entries()) {
        let count = 0;
        const text = await textOf(write(inputWith(one.text, 1 + (index % 7)), { onRedacted: () => count++ }));
        check(text, one);
        expect(count, one.kind).toBeGreaterThan(0);
        if (form === 'json' || form === 'ndjson') check(putTogether(text), one);
        else expect(text).toContain('left out');
      }
    },
  );

  test.each(Object.entries(forms))('%s keeps them for whoever wants them', async (_form, write) => {
    for (const one of planted.slice(0, 12)) {
      const text = await textOf(write(inputWith(one.text), { redact: false }));
      expect(text.includes(one.secret) || text.includes(one.secret.replaceAll('_', '\\_'))).toBe(true);
    }
  });

  test('[T-28] a growing output is not shown with half a secret at its end', async () => {
    for (const one of planted.slice(2, 40)) {
      const start = one.text.indexOf(one.secret);
      for (let cut = start + 1; cut < start + one.secret.length; cut++) {
        const outputSnapshot = one.text.slice(0, cut);
        check(
          await textOf(exportJson(inputOf([{ seq: 0, type: 'tool-call-update', toolCallId: 'c', outputSnapshot }]))),
          one,
        );
      }
    }
  });

  test('[T-28] a key that is printed as plain lines is left out of the raw lines', async () => {
    for (const one of planted.filter(({ kind }) => kind === 'private-key')) {
      const lines = linesIn(new TextEncoder().encode(`Here it is:\n${one.secret}\nThat was it.\n`));
      const text = await textOf(exportNdjson(inputOf([], lines)));
      check(text, one);
      expect(text).toMatch(/^Here it is:\n[\s\S]*That was it\.\n$/);
    }
  });

  test('[T-28] a key over several rows of a patch is left out, and every line stays JSON', async () => {
    for (const one of planted.filter(({ kind, secret }) => kind === 'private-key' && secret.includes('\n'))) {
      for (const sign of ['+', '-', ' ', '']) {
        const lines = ['@@', ...one.secret.split('\n').map((row) => sign + row), ' after'];
        const patch = { filePath: 'id_rsa', structuredPatch: [{ oldStart: 1, newStart: 1, lines }] };
        const line = `${JSON.stringify({ type: 'x', patch })}\n`;
        const raw = await textOf(exportNdjson(inputOf([], [new TextEncoder().encode(line)])));
        check(raw, one);
        expect(JSON.parse(raw).patch.structuredPatch[0].lines).toHaveLength(lines.length);
        expect(raw.endsWith('" after"]}]}}\n'), raw).toBe(true);
        const event = { seq: 0, type: 'unknown', raw: patch, reason: 'x' } as unknown as Parameters<
          typeof inputOf
        >[0][0];
        check(await textOf(exportJson(inputOf([event]))), one);
      }
    }
  });

  test('[T-28] a secret behind a colour or an escape is left out of events and raw lines', async () => {
    const one = planted[2] as Planted;
    for (const before of ['\u001b[31m', '\u001b[1;32m', '\u0000', '\u0007', '\u65e5', '\n', '\t', '"', '/']) {
      const text = `it is ${before}${one.secret}\u001b[0m`;
      for (const write of [exportJson, exportNdjson]) check(await textOf(write(inputWith(text))), one);
      const ascii = JSON.stringify({ text }).replaceAll(
        /[^ -~]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      const raw = await textOf(exportNdjson(inputOf([], [new TextEncoder().encode(`${ascii}\n`)])));
      check(raw, one);
      expect(JSON.parse(raw).text).toBe(text.replace(one.secret, '[redacted: github-token, 40 characters]'));
    }
  });

  test('what a redacted line holds besides stays as it was, and every line stays JSON', async () => {
    const secret = planted[2]?.secret ?? '';
    const line = `{"type":"x","n":12345678901234567890,"text":"a ${secret} b","e":1e400}\n`;
    const text = await textOf(exportNdjson(inputOf([], [new TextEncoder().encode(line)])));
    expect(text).toBe(line.replace(secret, '[redacted: github-token, 40 characters]'));
    for (const one of planted)
      for (const written of (await textOf(exportNdjson(inputWith(one.text)))).trimEnd().split('\n'))
        JSON.parse(written);
  });
});

describe('exports of recorded sessions', () => {
  test('[R-08] the raw lines are the bytes that came', async () => {
    expect(recordings.length).toBeGreaterThan(100);
    for (const [name, bytes] of recordings) {
      const pieces: Uint8Array[] = [];
      for await (const piece of exportNdjson(inputFrom(bytes))) pieces.push(piece);
      expect(Buffer.concat(pieces).equals(bytes), name).toBe(true);
    }
  });

  test('the events are those that were given', async () => {
    for (const [name, bytes] of recordings) {
      const decoder = createDecoder();
      const events = [...decoder.feed(bytes), ...decoder.end()];
      const text = await textOf(exportJson(inputOf(events)));
      expect(text, name).toBe(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    }
  });

  test('the page and the Markdown have all that was said', async () => {
    for (const [name, bytes] of recordings) {
      const input = inputFrom(bytes);
      const page = await textOf(exportHtml(input));
      const markdown = await textOf(exportMarkdown(inputFrom(bytes)));
      expect(page, name).not.toContain('left out (');
      const word = /[A-Za-z]{5,}/.exec(input.session.summary.text ?? '')?.[0] ?? '';
      expect(page, name).toContain(word);
      expect(markdown, name).toContain(word);
    }
  });
});
