import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { type LineTemplate, learnTemplate } from './template.ts';

const ID = '8159742f-d228-414a-a527-294962fbd18d';
const message = (text: string, id: string = ID, more: object = {}): string =>
  JSON.stringify({ type: 'delta', body: { index: 0, text }, session: 's', ...more, id, last: 'm' });
const read = (value: unknown): readonly [unknown, unknown] => {
  const line = value as { body?: { text?: unknown }; id?: unknown } | undefined;
  return [line?.body?.text, line?.id];
};
const learn = (line: string, text: string, id: string = ID): LineTemplate | undefined =>
  learnTemplate(line, ['text', text], ['id', id], read);

describe('a template', () => {
  const template = learn(message('one'), 'one');

  test.each(['two', '', 'with "quotes" and \\ and \n', 'ünï 🦫', '\ud83e', '}{', '"},"session":"s","id":"'])(
    'fits the same line with %j in it',
    (text) => {
      expect(template?.fit(message(text))).toBe(text);
      expect(template?.fit(message(text, ID.replaceAll('8', '9')))).toBe(text);
    },
  );

  test('fits nothing else', () => {
    expect(template?.fit('')).toBeUndefined();
    expect(template?.fit('{}')).toBeUndefined();
    expect(template?.fit(message('two').slice(0, -1))).toBeUndefined();
    expect(template?.fit(`${message('two')} `)).toBeUndefined();
    expect(template?.fit(message('two').replace('"index":0', '"index":1'))).toBeUndefined();
    expect(template?.fit(message('two').replace('"s"', '"t"'))).toBeUndefined();
    expect(template?.fit(message('two').replace('"last":"m"', '"last":"n"'))).toBeUndefined();
    expect(template?.fit(message('two', ID.slice(1)))).toBeUndefined();
    expect(template?.fit(message('two', `${ID.slice(2)}\\"`))).toBeUndefined();
    expect(template?.fit(message('two', `${ID.slice(1)}\n`))).toBeUndefined();
  });

  test('fits no line that is not JSON', () => {
    const broken = (body: string): string => message('~').replace('~', body);
    for (const body of ['a"b', '\u0001', 'a\nb', '\\x', '\\', '\\u12'])
      expect(template?.fit(broken(body))).toBeUndefined();
    const head = '{"type":"delta","body":{"index":0,"text":"';
    expect(template?.fit(head)).toBeUndefined();
    for (const id of [`${ID.slice(2)}"x`, `${ID.slice(1)}\t`, `${ID.slice(2)}\\n`])
      expect(template?.fit(message('two').replace(ID, id))).toBeUndefined();
  });
});

describe('nothing is learnt', () => {
  test('when the text stands in the line twice', () => {
    expect(learn(message('one', ID, { text: 'one' }), 'one')).toBeUndefined();
    expect(learn(message('one', ID, { other: { id: ID } }), 'one')).toBeUndefined();
  });

  test('when the id comes first, or either is missing', () => {
    expect(learn(`{"id":"${ID}","body":{"text":"one"}}`, 'one')).toBeUndefined();
    expect(learn(message('one'), 'two')).toBeUndefined();
    expect(learn(message('one'), 'one', 'other')).toBeUndefined();
  });

  test('when the text is somewhere else than it is read from', () => {
    expect(learn(`{"other":{"text":"one"},"body":{"text":"\\u006fne"},"id":"${ID}"}`, 'one')).toBeUndefined();
    expect(learn(`{"body":{"text":"one"},"other":{"id":"${ID}"},"id":"\\u0038${ID.slice(1)}"}`, 'one')).toBeUndefined();
  });

  test('from a line that is not JSON', () => {
    expect(learn(`${message('one')}}`, 'one')).toBeUndefined();
    expect(learn(`data: ${message('one')}`, 'one')).toBeUndefined();
    expect(learn(`[${message('one')}]`, 'one')).toBeUndefined();
  });
});

test('what a template reads is what JSON.parse reads, for any two lines', () => {
  const line = fc.tuple(
    fc.string(),
    fc.uuid(),
    fc.dictionary(fc.constantFrom('a', 'id2', 'text2'), fc.json({ maxDepth: 2 })),
  );
  fc.assert(
    fc.property(line, line, fc.nat(), ([textA, idA, more], [textB, idB], flip) => {
      const template = learn(message(textA, idA, more), textA, idA);
      const next = message(textB, idB, more);
      const bent = flip % 3 === 0 ? next : next.slice(0, flip % next.length) + next.slice((flip % next.length) + 1);
      for (const candidate of [next, bent]) {
        const fitted = template?.fit(candidate);
        if (fitted !== undefined) expect(read(JSON.parse(candidate))[0]).toBe(fitted);
      }
      if (template) expect(template.fit(next)).toBe(textB);
    }),
    { numRuns: counts.chunkings },
  );
});
