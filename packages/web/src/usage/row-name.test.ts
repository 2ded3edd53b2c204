import { expect, test } from 'vitest';
import { rowName } from './row-name.ts';

test.each([
  ['project', '/home/dev/shop-api', { name: 'shop-api', more: '/home/dev/' }],
  ['project', 'C:\\work\\shop', { name: 'shop', more: 'C:\\work\\' }],
  ['project', '/', { name: '/' }],
  ['subagent', 'main', { name: 'main thread' }],
  ['subagent', 'Explore', { name: 'Explore' }],
  ['tool', 'none', { name: 'no call, only text' }],
  ['model', 'none', { name: 'none' }],
  ['agent', 'unknown', { name: 'not known' }],
] as const)('by %s %s is %o', (by, key, name) => {
  expect(rowName({ key }, by)).toEqual(name);
});
