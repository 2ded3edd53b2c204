import type { AgentStreamEvent } from '@tailrace/core';
import { describe, expect, test } from 'vitest';
import { leaks, planted } from '../../../core/test/planted.ts';
import { createMarkdown } from './markdown.ts';
import { createPalette } from './palette.ts';
import { createPrinter } from './printer.ts';

const palette = createPalette(false);

type Draft = AgentStreamEvent extends infer E ? (E extends AgentStreamEvent ? Omit<E, 'seq'> : never) : never;

function shown(drafts: readonly Draft[], options?: { readonly redact: boolean }): string {
  const printer = createPrinter(palette, { markdown: createMarkdown(palette), ...options });
  return drafts.map((draft, seq) => printer.print({ seq, ...draft } as AgentStreamEvent)).join('') + printer.close();
}

const ids = { messageId: 'm', blockId: 'b' };
const deltas = (text: string, size: number): readonly Draft[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => ({
    type: 'text-delta',
    ...ids,
    delta: text.slice(at * size, (at + 1) * size),
  }));

const printedBy = (outcome: 'success' | 'error', text: string): Draft => ({
  type: 'tool-call-end',
  toolCallId: 'c',
  toolName: 'Bash',
  outcome,
  content: [{ type: 'text', text }],
});

/** Every way in which a text comes to the printer, but the two that wait for an answer. */
const ways: Readonly<Record<string, (text: string) => readonly Draft[]>> = {
  'an answer': (text) => [{ type: 'text-end', ...ids, text }],
  'an answer in pieces': (text) => [...deltas(text, 3), { type: 'text-end', ...ids, text }],
  'an answer letter by letter': (text) => [...deltas(text, 1), { type: 'text-end', ...ids, text }],
  'an answer that nobody ends': (text) => deltas(text, 5),
  'a thought': (text) => [{ type: 'reasoning-end', ...ids, text, form: 'full' }],
  'what a sub-agent says': (text) => [{ type: 'text-end', ...ids, text, subagentId: 's' }],
  'a prompt': (text) => [{ type: 'user-message', content: [{ type: 'text', text }], origin: 'prompt' }],
  'a title': (text) => [
    { type: 'tool-call-start', toolCallId: 'c', toolName: 'Bash', kind: 'execute', title: text },
    { type: 'tool-call-end', toolCallId: 'c', toolName: 'Bash', outcome: 'success', content: [] },
  ],
  'what a command printed': (text) => [
    { type: 'tool-call-start', toolCallId: 'c', toolName: 'Bash', kind: 'execute' },
    printedBy('success', text),
  ],
  'the end of what a command printed': (text) => [
    { type: 'tool-call-start', toolCallId: 'c', toolName: 'Bash', kind: 'execute' },
    printedBy('success', `${'a line before it\n'.repeat(40)}${text}`),
  ],
  'what a command printed that failed': (text) => [printedBy('error', `before\n${text}\nafter\nit\n`)],
  'a failure': (text) => [
    {
      type: 'tool-call-end',
      toolCallId: 'c',
      toolName: 'Bash',
      outcome: 'error',
      content: [],
      error: { code: 'unknown', message: text },
    },
  ],
  'a new file': (text) => [
    { type: 'file-change', changes: [{ path: '.env', operation: 'add', newText: text }], outcome: 'success' },
  ],
  'a patch': (text) => [
    {
      type: 'file-change',
      changes: [{ path: '.env', operation: 'modify', patch: `@@ -1 +1 @@\n${text.replaceAll(/^/gm, '-')}` }],
      outcome: 'success',
    },
  ],
  'a task': (text) => [{ type: 'todo-update', entries: [{ content: text, status: 'pending' }] }],
  'a plan': (text) => [{ type: 'plan-update', text }],
  'an error': (text) => [{ type: 'error', error: { code: 'unknown', message: text }, fatal: false }],
  'a notice': (text) => [{ type: 'notice', severity: 'warning', title: text }],
  'a result': (text) => [{ type: 'turn-end', turnId: 't', outcome: 'success', result: text }],
  'a line that is no JSON': (text) => [{ type: 'raw', reason: 'not_json', text }],
  'what nobody knows': (text) => [{ type: 'raw', reason: 'unknown_type', value: { text } }],
};

describe('[T-28] secrets', () => {
  test.each(Object.entries(ways))('[T-28] do not come through %s', (_name, way) => {
    for (const one of planted) {
      const text = shown(way(one.text));
      expect(leaks(text, one), text).toBe(false);
    }
  });

  test('[T-28] do not come through with an escape sequence in their middle', () => {
    for (const one of planted) {
      const half = one.text.indexOf(one.secret) + (one.secret.length >> 1);
      const text = `${one.text.slice(0, half)}\u001b[1m${one.text.slice(half)}`;
      expect(leaks(shown([{ type: 'text-end', ...ids, text }]), one)).toBe(false);
      expect(leaks(shown(deltas(text, 4)), one)).toBe(false);
    }
  });

  test('are shown to whoever wants to see them', () => {
    const [one] = planted;
    expect(shown([{ type: 'text-end', ...ids, text: one?.text ?? '' }], { redact: false })).toContain(one?.secret);
    expect(shown(deltas(one?.text ?? '', 3), { redact: false })).toContain(one?.secret);
  });

  test('[T-28] what waits for an answer is shown as it is', () => {
    const secret = planted[0]?.secret ?? '';
    expect(shown([{ type: 'permission-request', requestId: 'r', toolName: 'Bash', title: `use ${secret}` }])).toContain(
      secret,
    );
    expect(shown([{ type: 'question-request', requestId: 'r', message: `use ${secret}?` }])).toContain(secret);
  });
});

test('text without secrets is printed as it was before, whatever the pieces are', () => {
  const text = 'The mill turns. Some gh, sk- and eyJ here,\nand `password: string` there: https://example.org/a?b=c.\n';
  const plain = shown([{ type: 'text-end', ...ids, text }], { redact: false });
  for (const size of [1, 2, 5, 100]) {
    expect(shown([...deltas(text, size), { type: 'text-end', ...ids, text }])).toBe(plain);
    expect(shown(deltas(text, size))).toBe(plain);
  }
});
