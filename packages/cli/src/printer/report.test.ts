import { createSummary } from '@tailrace/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventsOf } from '../../test/fields.ts';
import { createPalette } from './palette.ts';
import { closingLines } from './report.ts';

const palette = createPalette(false);

function closing(columns: number, hasHistory?: boolean): readonly string[] {
  const fold = createSummary();
  const sessionId = '6a7358e3-5a16-45ee-84cd-0b186d3ac819';
  const start = { type: 'session-start', agent: 'claude', model: 'a-model', cwd: '/home/me/shop', sessionId } as const;
  for (const event of eventsOf([start, { type: 'session-end', outcome: 'success', turns: 1 }])) fold.add(event);
  return closingLines({ ...fold.summary(9), sessionId }, palette, { columns, hasHistory }).split('\n');
}

test('how to go on is one row where it fits, and is broken behind && where it does not', () => {
  expect(closing(80)).toContain('  resume: tailrace import && tailrace resume 6a7358e3');
  const narrow = closing(40);
  expect(narrow.slice(narrow.indexOf('  resume: tailrace import &&'))).toEqual([
    '  resume: tailrace import &&',
    '    tailrace resume 6a7358e3',
    '',
  ]);
});

test('where there is no history nobody is told to go on by it', () => {
  expect(closing(80, false).join('\n')).not.toContain('tailrace');
});

test('it is never cut, and no row is wider than the screen', () => {
  fc.assert(
    fc.property(fc.integer({ min: 30, max: 120 }), (columns) => {
      const rows = closing(columns);
      expect(rows.filter((row) => row.length > columns)).toEqual([]);
      expect(rows.join(' ').replaceAll(/ +/g, ' ')).toContain('resume: tailrace import && tailrace resume 6a7358e3');
    }),
  );
});
