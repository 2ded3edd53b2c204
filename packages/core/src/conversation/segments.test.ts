import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Segment, segmentsOf } from './segments.ts';

const prose = (text: string): Segment => ({ type: 'prose', text });
const code = (language: string, text: string, isClosed = true): Segment => ({
  type: 'code',
  language,
  code: text,
  isClosed,
});

test.each<[string, string, readonly Segment[]]>([
  ['nothing', '', []],
  ['blank lines', '\n \n', []],
  ['prose alone', 'one\ntwo\n', [prose('one\ntwo\n')]],
  ['code between prose', 'a\n```ts\nlet b\n```\nc', [prose('a'), code('ts', 'let b'), prose('c')]],
  ['tildes', '~~~\nx\n~~~', [code('', 'x')]],
  ['several lines and a blank one', '```\na\n\nb\n```', [code('', 'a\n\nb')]],
  ['an empty block', '```js\n```', [code('js', '')]],
  ['two blocks with nothing between', '```\na\n```\n\n```\nb\n```', [code('', 'a'), code('', 'b')]],
  ['a longer fence that holds a shorter one', '````md\n```\nx\n```\n````', [code('md', '```\nx\n```')]],
  ['a longer fence that closes', '```\nx\n`````', [code('', 'x')]],
  ['other marks inside', '```\n~~~\n```', [code('', '~~~')]],
  ['a fence with words, which does not close', '```\n```ts\n```', [code('', '```ts')]],
  ['up to three blanks before a fence', '   ```py\n   x\n     y\n  ```', [code('py', 'x\n  y')]],
  ['four blanks, which is no fence', '    ```\nx', [prose('    ```\nx')]],
  ['two marks, which is no fence', '``\nx\n``', [prose('``\nx\n``')]],
  ['code within a line', '```x``` y', [prose('```x``` y')]],
  ['more words after the language', '```ts title="a b"\nx\n```', [code('ts', 'x')]],
  ['line breaks of Windows', '```ts\r\nx\r\n```\r\ny', [code('ts', 'x\r'), prose('y')]],
  ['a fence that has just begun', 'a\n```', [prose('a'), code('', '', false)]],
  ['code that streams in', 'a\n```ts\nlet b = 1;\nlet', [prose('a'), code('ts', 'let b = 1;\nlet', false)]],
  ['code that is about to close', '```\nx\n``', [code('', 'x\n``', false)]],
])('finds %s', (_, text, expected) => {
  expect(segmentsOf(text)).toEqual(expected);
});

test('no letter of a text is lost', () => {
  const line = fc.constantFrom('```', '~~~', '````', '```ts', 'a', ' b', '', '   ```');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const segments = segmentsOf(lines.join('\n'));
      const letters = segments.map((one) => (one.type === 'code' ? one.language + one.code : one.text)).join('');
      const count = (text: string, letter: string): number => text.split(letter).length - 1;
      for (const letter of ['a', 'b', 't']) expect(count(letters, letter)).toBe(count(lines.join('\n'), letter));
      expect(segments.filter((one) => one.type === 'code' && !one.isClosed).length).toBeLessThanOrEqual(1);
    }),
  );
});

test('takes linear time', () => {
  for (const piece of ['`', '~', '```\n', '   ', '``` `\n', '\n', '```\n~~~\n', 'a ```']) {
    const text = piece.repeat(Math.ceil(2_000_000 / piece.length));
    const start = process.cpuUsage();
    segmentsOf(text);
    // A tenth of a second is ten times what it takes; quadratic time would be minutes.
    expect(process.cpuUsage(start).user / 1000, JSON.stringify(piece)).toBeLessThan(2000);
  }
});
