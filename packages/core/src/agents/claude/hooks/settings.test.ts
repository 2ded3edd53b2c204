// The recorder goes into the settings and comes out again, and what is not ours keeps every byte.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../../../proof/counts.ts';
import { HOOKED, hooks } from './settings.ts';

const command = "'/usr/bin/node' '/opt/tailrace/tailrace.js' hook";
const install = (text: string): string => hooks.install(text, command);
const remove = (text: string): string => hooks.remove(text, command);
const parse = (text: string) => JSON.parse(text.replace('\uFEFF', ''));
const hook = { type: 'command', command, timeout: 5 };

const usual = `{
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "echo" }] }
    ],
    "Stop": []
  },
  "permissions": { "deny": ["Read(./.env)"] }
}
`;

describe('install', () => {
  test('hooks every event, beside what is there', () => {
    const { hooks: there, ...rest } = parse(install(usual));
    expect(Object.keys(there).sort()).toEqual([...HOOKED].sort());
    for (const event of HOOKED) expect(there[event].at(-1).hooks).toEqual([hook]);
    expect(there.PreToolUse[0]).toEqual(parse(usual).hooks.PreToolUse[0]);
    expect(rest).toEqual({ model: 'opus', permissions: { deny: ['Read(./.env)'] } });
  });

  test('leaves out what a hook that says nothing would break', () => {
    expect(HOOKED).not.toContain('WorktreeCreate');
    expect(HOOKED).not.toContain('WorktreeRemove');
  });

  test('follows the indentation of the file', () => {
    expect(install('{\n\t"a": 1\n}\n')).toContain('\n\t"hooks": {\n\t\t"SessionStart": [{');
    expect(install('{\r\n    "a": 1\r\n}')).toContain('\r\n    "hooks": {\r\n        "SessionStart": [{');
    expect(install('{"a":1}')).toMatch(/^\{"a":1,"hooks": \{"SessionStart": .*\}\}$/);
    expect(install(usual)).toContain(`\n      { "matcher": "*", "hooks": [`);
  });

  test('does it once, and puts a command that has moved in the place of the old one', () => {
    const moved = "'/usr/bin/node' '/elsewhere/dist/tailrace.js' hook";
    for (const text of ['', '{}', usual]) {
      expect(install(install(text))).toBe(install(text));
      const again = hooks.install(install(text), moved);
      expect(again).toBe(install(text).replaceAll(JSON.stringify(command), JSON.stringify(moved)));
      // Whichever Tailrace takes it out, it is out.
      expect(hooks.remove(again, command)).toBe(text);
    }
  });
});

describe('remove', () => {
  test.each([
    '',
    '\n',
    '\uFEFF',
    '{}',
    '{ }',
    '{\n}',
    '{}\n',
    '\uFEFF{}\n',
    ' {\r\n}\r\n',
    '{"hooks":{}}',
    '{\n  "hooks": {}\n}\n',
    '{\n  "hooks": {\n  }\n}\n',
    '{ "hooks": { "Stop": [] } }\n',
    '{"hooks":{"Stop":[ ]},"a":1}',
    usual,
  ])('gives back %j', (text) => {
    const installed = install(text);
    expect(Object.keys(parse(installed).hooks).length).toBe(HOOKED.length);
    expect(remove(installed)).toBe(text);
  });

  test('keeps what the person has changed in between', () => {
    const mine = { matcher: 'Write', hooks: [{ type: 'command', command: 'mine' }] };
    const settings = parse(install('{\n  "a": 1\n}\n'));
    settings.b = 2;
    settings.hooks.PreToolUse.unshift(mine);
    settings.hooks.Stop[0].hooks.push({ type: 'command', command: 'mine too' });
    settings.hooks.Mine = [mine];
    // The way the CLI itself writes the file.
    const left = parse(remove(JSON.stringify(settings, null, 2)));
    expect(left).toEqual({
      a: 1,
      b: 2,
      hooks: { PreToolUse: [mine], Stop: [{ hooks: [{ type: 'command', command: 'mine too' }] }], Mine: [mine] },
    });
  });

  test('knows what was there before also when the CLI has written the file anew', () => {
    const anew = (text: string) => JSON.stringify(parse(install(text)), null, 2);
    expect(parse(remove(anew('{"a":1}')))).toEqual({ a: 1 });
    expect(parse(remove(anew('{"hooks":{}}')))).toEqual({ hooks: {} });
    expect(parse(remove(anew('{"hooks":{"Stop":[]}}')))).toEqual({ hooks: { Stop: [] } });
  });

  test('takes nothing that only looks like ours', () => {
    for (const other of ['tailrace hook install', 'mytailrace hooks', 'echo tailrace', "node 'x.js' hook"]) {
      const text = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: other }] }] } });
      expect(remove(text)).toBe(text);
    }
  });
});

test.each([
  ['{', /not JSON/],
  ['// no\n{}', /not JSON/],
  ['[]', /not an object/],
  ['"x"', /not an object/],
  ['{"hooks": []}', /"hooks" in the settings is not an object/],
  ['{"hooks": null}', /"hooks" in the settings is not an object/],
  ['{"hooks": {"Stop": {}}}', /"hooks.Stop" in the settings is not a list/],
])('%s is refused', (text, reason) => {
  expect(() => install(text)).toThrow(reason);
  expect(() => remove(text)).toThrow(reason);
});

test('a payload tells its session', () => {
  expect(hooks.sessionOf({ session_id: 's' })).toBe('s');
  for (const other of [null, 'x', {}, { session_id: 1 }]) expect(hooks.sessionOf(other)).toBeUndefined();
});

test('a text nested deep is no harder than another', () => {
  const text = `{"a":${'['.repeat(counts.levels / 10)}${']'.repeat(counts.levels / 10)}}`;
  expect(remove(install(text))).toBe(text);
});

/** Settings as people and programs write them: any white space where JSON allows some. */
function written(value: unknown, space: () => string): string {
  const list = (parts: readonly string[]) => parts.map((part) => space() + part + space()).join(',') || space();
  if (Array.isArray(value)) return `[${list(value.map((one) => written(one, space)))}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}${space()}:${space()}${written(one, space)}`,
  );
  return `{${list(members)}}`;
}

test('whatever the settings are and however they are written, taking it out gives them back to the byte', () => {
  const group = fc.oneof(
    fc.record({
      matcher: fc.constantFrom('', '*', 'Bash'),
      hooks: fc.constant([{ type: 'command', command: 'echo "}]"' }]),
    }),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const events = fc.dictionary(
    fc.constantFrom('PreToolUse', 'Stop', 'Mine', ...HOOKED),
    fc.array(group, { maxLength: 3 }),
  );
  const settings = fc
    .tuple(
      fc.dictionary(
        fc.string().filter((name) => name !== 'hooks' && name !== '__proto__'),
        fc.jsonValue({ maxDepth: 2 }),
        { maxKeys: 3 },
      ),
      fc.option(events, { nil: undefined }),
      fc.dictionary(fc.constantFrom('x', 'y'), fc.jsonValue({ maxDepth: 1 })),
    )
    .map(([before, own, after]) => ({ ...before, ...(own && { hooks: own }), ...after }));
  const spaces = fc.oneof(
    fc.constant(['']),
    fc.array(fc.constantFrom('', ' ', '\n', '\r\n', '\t', '\n  ', '\r\n    ', '\n\n\t', '\r'), {
      minLength: 1,
      maxLength: 20,
    }),
  );
  fc.assert(
    fc.property(
      settings,
      spaces,
      fc.constantFrom<number | string | undefined>(undefined, 2, 4, '\t', 0),
      fc.constantFrom('', '\uFEFF'),
      fc.constantFrom('', '\n', '\r\n', '\n\n'),
      (value, pieces, indent, start, end) => {
        let next = 0;
        const body =
          indent === undefined
            ? written(value, () => pieces[next++ % pieces.length] ?? '')
            : JSON.stringify(value, null, indent);
        const text = start + body + end;
        const installed = install(text);
        const told = parse(installed);
        for (const event of HOOKED) expect(told.hooks[event].at(-1).hooks).toEqual([hook]);
        expect(install(installed)).toBe(installed);
        expect(remove(installed)).toBe(text);
      },
    ),
    { numRuns: counts.runs * 10 },
  );
});

test.each([
  'mine.sh; tailrace hook',
  'my-tailrace.js hook',
  '/opt/not-tailrace hook',
  'echo tailrace hook',
  '/usr/bin/wrapper /x/tailrace.js hook',
  'cd /x && node tailrace.js hook',
  'node /x/tailrace.js hook | tee log',
  "node '/x/tailrace.js hook",
])('a command of the person that only looks like ours stays: %s', (theirs) => {
  const own = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: theirs }] }] } });
  expect(hooks.remove(hooks.install(own, "'/n/node' '/t/tailrace.js' hook"), "'/n/node' '/t/tailrace.js' hook")).toBe(
    own,
  );
});

test.each([
  "'/n/node' '/old/tailrace.js' hook",
  'node /x/tailrace.js hook',
  '/usr/bin/tailrace hook',
  'tailrace hook',
  '"C:/n/node.exe" "C:/x/tailrace.js" hook',
])('an older one of ours goes: %s', (ours) => {
  const old = hooks.install('{"model":"m"}', ours);
  expect(hooks.remove(old, "'/n/node' '/t/tailrace.js' hook")).toBe('{"model":"m"}');
});
