import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { placeBelow, resolvePath } from './paths.ts';

test.each([
  ['/mill', 'a.ts', '/mill/a.ts'],
  ['/mill', './src/../a.ts', '/mill/a.ts'],
  ['/mill', '/mill//a.ts', '/mill/a.ts'],
  ['/mill', '/../a.ts', '/a.ts'],
  ['/mill', 'a\\b', '/mill/a\\b'],
  [undefined, '../a.ts', '../a.ts'],
  ['C:\\Mill', 'Src\\A.ts', 'c:/mill/src/a.ts'],
  ['C:\\Mill', 'c:/mill/src/a.ts', 'c:/mill/src/a.ts'],
  ['C:\\Mill', '..\\..\\a.ts', 'c:/a.ts'],
  ['\\\\Server\\Share', 'a.ts', '//server/share/a.ts'],
])('from %s the path %s is %s', (cwd, path, resolved) => {
  expect(resolvePath(cwd, path)).toBe(resolved);
});

test.each([
  [['/mill'], '/mill/a/b', './a/b'],
  [['/mill', '/private/mill'], '/private/mill/a', './a'],
  [['/mill'], '/millstone/a', '/millstone/a'],
  [['/mill'], '/mill', './'],
  [['/'], '/a', './a'],
])('below %s the path %s is %s', (folders, path, place) => {
  expect(placeBelow(folders, path)).toBe(place);
});

const step = fc.constantFrom('a', 'B', '.', '..', '', 'c d');

test('is what the machine would say', () => {
  fc.assert(
    fc.property(fc.array(step), fc.boolean(), (steps, isAbsolute) => {
      const path = (isAbsolute ? '/' : '') + steps.join('/');
      const trimmed = posix.resolve('/x/y', path);
      expect(resolvePath('/x/y', path.startsWith('//') ? path.replace(/^\/+/, '/') : path)).toBe(trimmed);
      const windows = steps.join('\\').replace(/^\\+/, '');
      expect(resolvePath('C:\\x\\y', windows)).toBe(
        win32.resolve('C:\\x\\y', windows).replaceAll('\\', '/').toLowerCase(),
      );
    }),
    { numRuns: counts.runs },
  );
});
