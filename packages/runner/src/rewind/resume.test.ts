import { type Agent, agents } from '@tailrace/core';
import { expect, test } from 'vitest';
import { quoteWords } from './quote.ts';
import { resumeCommand } from './resume.ts';

const claude = agents.find(({ name }) => name === 'claude') as Agent;
const ID = '11111111-2222-4333-8444-555555555555';

test('a session is gone on with by its own program, in its own folder', () => {
  expect(resumeCommand(claude, { sessionId: ID, cwd: "/home/me/it's here" })).toEqual({
    cwd: "/home/me/it's here",
    interactive: {
      program: 'claude',
      args: ['--resume', ID],
      text: `cd '/home/me/it'\\''s here' && claude --resume ${ID}`,
    },
    start: { resume: ID },
  });
});

test('every agent that can be started can be resumed by a run', () => {
  for (const agent of agents.filter(({ command }) => command))
    expect(resumeCommand(agent, { sessionId: ID, cwd: '/home/me' }).start).toEqual({ resume: ID });
});

test.each([
  ['an agent that cannot be started', { ...claude, command: undefined }, ID, 'no-command'],
  ['an id that could be taken for a flag', claude, '--dangerous', 'value-refused'],
  ['an id with a NUL character', claude, 'a\0b', 'value-refused'],
])('%s is refused', (_name, agent, sessionId, code) => {
  expect(() => resumeCommand(agent, { sessionId, cwd: '/home/me' })).toThrow(expect.objectContaining({ code }));
});

test.each([
  [['claude', '--resume', 'abc-1'], 'claude --resume abc-1'],
  [['a b', '$(rm)', '`x`', '~', '*', ''], "'a b' '$(rm)' '`x`' '~' '*' ''"],
  [["it's", 'a\nb', ';', '!x', '#'], "'it'\\''s' 'a\nb' ';' '!x' '#'"],
])('words stay what they are in a shell: %j', (words, text) => {
  expect(quoteWords(words)).toBe(text);
});
