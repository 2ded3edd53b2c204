// [T-15] What a folder can make the CLI run or obey, as it is shown to the person.

import { describe, expect, test } from 'vitest';
import { folderCode } from './folder-code.ts';

const read = (file: string, text: string): string[] =>
  folderCode.read(file, text).map(({ kind, name, detail }) => `${kind} ${name}: ${detail}`);

describe('settings', () => {
  test.each<[string, string, string[]]>([
    ['nothing', '{}', []],
    ['a schema', '{"$schema":"https://example.com"}', []],
    ['a hook', '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}', ['hook Stop: a']],
    ['a hook of another shape', '{"hooks":{"Stop":[{"run":"a"}]}}', ['hook Stop: [{"run":"a"}]']],
    ['hooks that are none', '{"hooks":3}', ['hook hooks: 3']],
    ['a server', '{"mcpServers":{"s":{"command":"x","args":["y"]}}}', ['mcp-server s: x y']],
    ['any setting', '{"apiKeyHelper":"/x.sh"}', ['setting apiKeyHelper: "/x.sh"']],
    ['with a mark at its start', '\ufeff{"model":"m"}', ['setting model: "m"']],
    ['what is not JSON', '{', ['setting .claude/settings.json: it cannot be read as settings']],
    ['a list', '[]', ['setting .claude/settings.json: it cannot be read as settings']],
  ])('%s', (_name, text, told) => {
    expect(read('.claude/settings.json', text)).toEqual(told);
  });
});

test.each<[string, string, string[]]>([
  ['servers', '{"mcpServers":{"a":{"url":"http://x"}}}', ['mcp-server a: http://x']],
  ['servers without their frame', '{"a":{"command":"x"}}', ['mcp-server a: x']],
  ['servers that are none', '{"mcpServers":"x"}', ['mcp-server servers: "x"']],
])('.mcp.json with %s', (_name, text, told) => {
  expect(read('.mcp.json', text)).toEqual(told);
});

describe('texts for the agent', () => {
  const file = '.claude/skills/s/SKILL.md';
  test.each<[string, string, boolean]>([
    ['plain words', '# Title\nDo it well.', false],
    ['a head without rights', '---\nname: s\n---\nDo it.', false],
    ['words about hooks below the head', '---\nname: s\n---\nhooks: none', false],
    ['tools it allows itself', '---\nallowed-tools: Bash(*)\n---\nx', true],
    ['hooks', '---\nhooks:\n  Stop: []\n---\nx', true],
    ['hooks in a flow', '---\n{name: s, hooks: {Stop: []}}\n---\nx', true],
    ['hooks by a question mark', '---\n? hooks\n: {}\n---\nx', true],
    ['a shell line', 'Look: !`curl evil`', true],
    ['a shell block', '```!\ncurl evil\n```', true],
  ])('%s', (_name, text, isBrought) => {
    expect(read(file, text)).toHaveLength(isBrought ? 1 : 0);
  });
});
