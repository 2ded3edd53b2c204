import { readFileSync } from 'node:fs';
import { applyPatch, structuredPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedWords, pairsOf } from './changed-words.ts';
import { hunksOf } from './hunks.ts';

const change = { path: 'a.ts', operation: 'modify' } as const;
const signed = (lines: readonly { readonly kind: string; readonly text: string }[]): readonly string[] =>
  lines.map(({ kind, text }) => `${kind === 'added' ? '+' : kind === 'removed' ? '-' : ' '}${text}`);

test('hunks that the agent told are read with their numbers', () => {
  const [hunk, next] = hunksOf({
    ...change,
    patch: '@@ -9,3 +9,3 @@ function total() {\n let sum = 0;\n-i = 1\n+i = 0\n return sum;\n@@ -40 +40 @@\n-a\n+b',
  });
  expect(hunk?.title).toBe('function total() {');
  expect(signed(hunk?.lines ?? [])).toEqual([' let sum = 0;', '-i = 1', '+i = 0', ' return sum;']);
  expect(hunk?.lines.map(({ oldNumber, newNumber }) => [oldNumber, newNumber])).toEqual([
    [9, 9],
    [10, undefined],
    [undefined, 10],
    [11, 11],
  ]);
  expect(next?.lines.map(({ oldNumber, newNumber }) => [oldNumber, newNumber])).toEqual([
    [40, undefined],
    [undefined, 40],
  ]);
});

test('headers of files are left out, and a missing line break at the end is told', () => {
  const [hunk] = hunksOf({
    ...change,
    patch: '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n--- x\n\\ No newline at end of file\n+++ y\n',
  });
  expect(signed(hunk?.lines ?? [])).toEqual(['--- x', '+++ y']);
  expect(hunk?.lines[0]?.isUnended).toBe(true);
});

test('two texts are compared: what is removed and added makes the new one of the old one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '  d'), { maxLength: 30 }).map((rows) => rows.join('\n'));
  fc.assert(
    fc.property(text, text, (oldText, newText) => {
      const lines = hunksOf({ ...change, oldText, newText }).flatMap((hunk) => hunk.lines);
      const old = oldText.split('\n');
      const now = newText.split('\n');
      for (const line of lines) {
        if (line.oldNumber !== undefined) expect(line.text).toBe(old[line.oldNumber - 1]);
        if (line.newNumber !== undefined) expect(line.text).toBe(now[line.newNumber - 1]);
      }
      const patch = structuredPatch('', '', oldText, newText, '', '', { context: 3 });
      expect(applyPatch(oldText, patch)).toBe(newText);
      expect(lines).toHaveLength(
        patch.hunks.flatMap((hunk) => hunk.lines.filter((row) => !row.startsWith('\\'))).length,
      );
    }),
  );
});

test('of a new file all is added, of a deleted one all removed, and of one whose old text is not known the new one is shown', () => {
  const kinds = (hunks: ReturnType<typeof hunksOf>): readonly string[] =>
    hunks.flatMap(({ lines }) => lines.map(({ kind }) => kind));
  expect(kinds(hunksOf({ path: 'a', operation: 'add', oldText: null, newText: 'x\ny\n' }))).toEqual(['added', 'added']);
  expect(kinds(hunksOf({ path: 'a', operation: 'delete', oldText: 'x\n' }))).toEqual(['removed']);
  expect(kinds(hunksOf({ ...change, newText: 'x\n' }))).toEqual(['same']);
  expect(hunksOf(change)).toEqual([]);
});

test('line ends that are alike are not marked, those that differ are', () => {
  const ends = (patch: string): readonly boolean[] =>
    hunksOf({ ...change, patch }).flatMap(({ lines }) => lines.map(({ text }) => text.endsWith('\r')));
  expect(ends('@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r')).toEqual([false, false, false]);
  expect(ends('@@ -1 +1 @@\n-b\n+b\r')).toEqual([false, true]);
});

test('two texts of twenty thousand lines with nothing in common take no longer than anybody waits', () => {
  const text = (word: string): string => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`).join('\n');
  const begin = performance.now();
  const lines = hunksOf({ ...change, oldText: text('old'), newText: text('new') }).flatMap((hunk) => hunk.lines);
  expect(performance.now() - begin).toBeLessThan(3000);
  expect(lines).toHaveLength(40_000);
});

test('words that changed are told apart from those that did not', () => {
  const [hunk] = hunksOf({ ...change, patch: '@@ -1 +1 @@\n-for (let i = 1; i < n;)\n+for (let i = 0; i < n;)' });
  const words = changedWords(hunk?.lines ?? []);
  const changed = (hunk?.lines ?? []).map((line) =>
    words
      .get(line)
      ?.filter(({ isChanged }) => isChanged)
      .map(({ text }) => text),
  );
  expect(changed).toEqual([['1'], ['0']]);
  for (const line of hunk?.lines ?? [])
    expect(
      words
        .get(line)
        ?.map(({ text }) => text)
        .join(''),
    ).toBe(line.text);
});

test('side by side each line stands once, what took the place of what beside it', () => {
  const [hunk] = hunksOf({ ...change, patch: '@@ -1,4 +1,3 @@\n a\n-b\n-c\n+d\n e' });
  expect(pairsOf(hunk?.lines ?? []).map(({ before, after }) => [before?.text, after?.text])).toEqual([
    ['a', 'a'],
    ['b', 'd'],
    ['c', undefined],
    ['e', 'e'],
  ]);
});

test('every change of the recorded sessions can be read', () => {
  const file = new URL('../../../../fixtures/claude/2.1.325/files-many-edits.events.json', import.meta.url);
  const events: readonly { readonly type: string; readonly changes?: Parameters<typeof hunksOf>[0][] }[] = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const changes = events.flatMap((event) => event.changes ?? []);
  expect(changes.length).toBeGreaterThan(2);
  for (const one of changes) expect(hunksOf(one).flatMap(({ lines }) => lines).length).toBeGreaterThan(0);
});
