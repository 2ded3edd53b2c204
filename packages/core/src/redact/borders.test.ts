// Where a secret may begin and what may stand between its rows: colours of a terminal, escapes of JSON, rows with numbers and quotes.

import { describe, expect, test } from 'vitest';
import { leaks, planted } from '../../test/planted.ts';
import { createRedactor, redact } from './redact.ts';
import { redactJson } from './redact-json.ts';

const alone = planted.filter(({ text }) => text.startsWith('It is '));
const keys = planted.filter(({ kind, secret }) => kind === 'private-key' && secret.includes('\n'));

function inPieces(text: string, size: number): string {
  const redactor = createRedactor();
  let shown = '';
  for (let at = 0; at < text.length; at += size) shown += redactor.push(text.slice(at, at + size));
  return shown + redactor.flush();
}

const COLOURS = ['\u001b[31m', '\u001b[m', 'is\u001b[1;38;5;196m', '\u001b[0K', '\u001b(B', '\u001b[?25h'];
const WRITTEN = ['\\u001b[31m', '\\u001B[1;31m', '\\\\u001b[31m', '\\x1b[31m', '\\033[31m', '\\e[31m'];
const ESCAPES = [
  '\\u0000',
  '\\u65e5',
  '\\u001b',
  '\\ud83d\\ude00',
  '\\\\u65e5',
  '\\u00e9',
  '\\x00',
  '\\n',
  '\\t',
  '\\"',
  '\\/',
];

describe('[T-28] borders', () => {
  test.each([...COLOURS, ...WRITTEN, ...ESCAPES])('[T-28] a secret right behind %j is found', (before) => {
    for (const one of alone) {
      const text = `it ${before}${one.secret}\u001b[0m`;
      const whole = redact(text).text;
      expect(leaks(whole, one), text).toBe(false);
      expect(whole.startsWith(`it ${before}`), whole).toBe(true);
      for (const size of [1, 2, 5]) expect(inPieces(text, size), text).toBe(whole);
    }
  });

  test('[T-28] an escape that stands for a letter is no border', () => {
    const secret = planted[2]?.secret ?? '';
    expect(redact(`\\u0041${secret}`).found).toEqual([]);
  });

  test('[T-28] a value in colours, or in a list that zeroes end, is found behind its name', () => {
    for (const text of [
      "{ password: \u001b[32m'Sommer2020!'\u001b[39m }",
      'password\u001b[0m=\u001b[33mSommer2020!\u001b[0m',
      'A=b\u0000MY_PASS=Sommer2020!\u0000C=d',
      'A=b\\u0000MY_PASS=Sommer2020!\\u0000C=d',
      'A=b\\nPASS=Sommer2020!\\nC=d',
      'run\\n--password Sommer2020! --host x',
    ]) {
      const whole = redact(text).text;
      expect(whole, text).not.toContain('Sommer2020');
      expect(whole.replace(/\[redacted: password, \d+ characters\]/, 'Sommer2020!'), text).toBe(text);
      for (const size of [1, 3]) expect(inPieces(text, size), text).toBe(whole);
    }
  });
});

/** Each row of a key with something before it. */
const PREFIXES: readonly (readonly [string, (row: string, at: number) => string])[] = [
  ['numbers and an arrow', (row, at) => `${String(at + 1).padStart(6)}→${row}`],
  ['numbers, an arrow and a blank', (row, at) => `${at + 9}→ ${row}`],
  ['numbers and a tab', (row, at) => `${String(at + 98).padStart(6)}\t${row}`],
  ['numbers and a bar', (row, at) => `${String(at + 1).padStart(3)} | ${row}`],
  ['numbers and a colon', (row, at) => `${at + 1}:${row}`],
  ['a quote', (row) => `> ${row}`],
  ['a quote and a bar', (row) => `> | ${row}`],
  ['a plus', (row) => `+${row}`],
  ['a minus', (row) => `-${row}`],
  ['a comment', (row) => `# ${row}`],
  ['the name of a file', (row) => `keys/id_rsa:${row}`],
  ['a colour', (row) => `\u001b[32m${row}\u001b[0m`],
];

describe('[T-28] rows of a private key', () => {
  test.each(PREFIXES)('[T-28] with %s before each are left out', (_name, prefix) => {
    for (const one of keys) {
      const rows = one.secret.split('\n').map(prefix);
      const text = `Here:\n${rows.join('\n')}\nThat was it.`;
      const whole = redact(text).text;
      expect(leaks(whole, one), whole).toBe(false);
      expect(whole).toContain('That was it.');
      for (const size of [1, 7, 50]) expect(inPieces(text, size)).toBe(whole);
      const written = JSON.stringify({ content: text });
      expect(leaks(redact(written).text, one), redact(written).text).toBe(false);
      const ascii = written.replaceAll('→', '\\u2192');
      expect(leaks(redact(ascii).text, one), redact(ascii).text).toBe(false);
    }
  });

  test.each(PREFIXES)('[T-28] with %s before each are left out of arrays', (_name, prefix) => {
    for (const one of keys) {
      const rows = one.secret.split('\n').map(prefix);
      const { value, found } = redactJson({ lines: ['before', ...rows, 'after'], other: 1 });
      expect(leaks(JSON.stringify(value), one), JSON.stringify(value)).toBe(false);
      expect(found.map(({ kind }) => kind)).toEqual(['private-key']);
      expect(value).toMatchObject({ lines: { length: rows.length + 2, 0: 'before', [rows.length + 1]: 'after' } });
    }
  });

  test('[T-28] go as far as the text does when it is cut', () => {
    for (const one of keys)
      for (const [, prefix] of [['', (row: string) => row] as const, ...PREFIXES]) {
        const rows = one.secret.split('\n').map(prefix);
        const text = rows.join('\n');
        for (let cut = 60; cut < text.length; cut += 13) {
          const shown = redact(text.slice(0, cut)).text;
          expect(leaks(shown, one), shown).toBe(false);
          const marked = redact(`${text.slice(0, cut)} ... [output cut]`).text;
          expect(leaks(marked, one), marked).toBe(false);
        }
      }
  });
});
