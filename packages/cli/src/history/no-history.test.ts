import { expect, test } from 'vitest';
import { NoHistory, remedyOf } from './no-history.ts';

const ABSENT = new Error(
  "Cannot find module 'better-sqlite3'\nRequire stack:\n- /usr/lib/node_modules/tailrace/dist/chunks/sqlite.js",
);

test.each([
  ['linux', 'apt-get install build-essential python3'],
  ['freebsd', 'build-essential python3'],
  ['darwin', 'xcode-select --install'],
  ['win32', 'Visual Studio Build Tools'],
] as const)('on %s the tools to build with are named', (platform, tools) => {
  expect(remedyOf(new NoHistory(ABSENT), platform).steps[0]).toContain(tools);
});

test('a package that is there and lacks another one is not absent itself', () => {
  expect(new NoHistory(ABSENT).message).toContain('is not installed here');
  const lacking = new NoHistory(
    new Error("Cannot find module 'bindings'\nRequire stack:\n- /x/better-sqlite3/lib/database.js"),
  );
  expect(lacking.message).toContain('does not load here');
  expect(remedyOf(lacking).why).toContain("Cannot find module 'bindings'");
});

test("the loader's words stand on one line, all of them but the places where it has looked", () => {
  const other = new Error(
    "The module '/x/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115.",
  );
  expect(remedyOf(new NoHistory(other)).why).toMatch(
    /: The module '\/x\/better_sqlite3\.node' was compiled against a different Node\.js version using NODE_MODULE_VERSION 115\.$/,
  );
  const nowhere = new Error('Could not locate the bindings file. Tried:\n → /x/build/better_sqlite3.node');
  expect(remedyOf(new NoHistory(nowhere)).why).toMatch(/: Could not locate the bindings file\.$/);
});
