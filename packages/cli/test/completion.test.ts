// What the shells make of the scripts that they are given.

import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { commandNames, helpOf } from '../src/help.ts';
import { call } from './command.ts';

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout } = await call(['completion', shell]);
  expect(code).toBe(0);
  return stdout;
}

/** What a shell prints that runs these lines. */
function runIn(shell: string, lines: string): string {
  const { status, stdout, stderr } = spawnSync(shell, ['-c', lines], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

/** In CI nothing is skipped. */
const isMissing = (shell: string): boolean =>
  process.env['CI'] !== 'true' && spawnSync(shell, ['-c', ':']).status !== 0;

describe('bash', () => {
  test.each([
    ['us', ['usage']],
    ['se', ['serve', 'sessions', 'search']],
    ['run --age', ['--agent']],
    ['run --agent co', ['codex', 'copilot']],
    ['view --only t', ['text', 'tools', 'todos', 'trouble']],
    ['usage --by su', ['subagent']],
    ['sessions --status i', ['incomplete']],
    // A pipe has the options of view.
    ['--pl', ['--plain']],
    ['--plain --no', ['--notify', '--no-redact']],
    ['--plain --agent ki', ['kimi']],
    ['--ver', ['--version']],
    ['hook ', ['install', 'remove']],
    ['completion z', ['zsh']],
    ['config ret', ['retentionDays']],
    ['view --tr', ['--transcript']],
    // Files are the shell's own matter.
    ['view ', []],
    ['nobody --x', []],
  ])('completes "tailrace %s"', async (typed, found) => {
    const words = ['tailrace', ...typed.split(' ')];
    const script = await scriptFor('bash');
    const array = words.map((word) => `'${word}'`).join(' ');
    const out = runIn(
      'bash',
      `${script}\nCOMP_WORDS=(${array}) COMP_CWORD=${words.length - 1}\n_tailrace\nprintf '%s\\n' "\${COMPREPLY[@]}"\n`,
    );
    expect(out.split('\n').filter(Boolean)).toEqual(found);
  });
});

test.skipIf(isMissing('fish'))('fish completes commands, options and values', async () => {
  const script = await scriptFor('fish');
  const out = runIn(
    'fish',
    `${script}\ncomplete -C 'tailrace usa'\ncomplete -C 'tailrace run --agent co'\ncomplete -C 'tailrace --pla'\n`,
  );
  const words = out.split('\n').map((line) => line.split('\t')[0]);
  expect(words.filter(Boolean)).toEqual(['usage', 'codex', 'copilot', '--plain']);
});

test.skipIf(isMissing('zsh'))('zsh takes it, and its function gives commands', async () => {
  const script = await scriptFor('zsh');
  const out = runIn(
    'zsh',
    `compdef() { : }\n_describe() { print -l -- "\${(@P)2}" }\n${script}\nCURRENT=2 words=(tailrace '') PREFIX=\n_tailrace\n`,
  );
  expect(out).toContain('usage:');
});

test('a shell that is not known is wrong usage', async () => {
  expect((await call(['completion', 'csh'])).code).toBe(2);
  expect((await call(['completion'])).code).toBe(2);
});

test.each(commandNames)('the help of %s tells how it is called, what it does, and gives an example', (name) => {
  const page = helpOf(name);
  expect(page.startsWith(`tailrace ${name}`)).toBe(true);
  expect(page).toMatch(/\n\nExamples?\n {2}\S/);
});
