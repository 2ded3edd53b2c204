// What can be typed, read from the pages of help: what help does not tell, nobody can complete.

import { commandNames, helpOf } from '../help.ts';
import { KINDS } from '../printer/kinds.ts';

interface Word {
  readonly name: string;
  /** What it is, in a few words; may be empty. */
  readonly about: string;
}

export interface CommandWord extends Word {
  readonly options: readonly Word[];
  /** Words that may stand behind it; where there are none, it is files. */
  readonly choices: readonly string[];
}

/** Values of options that are one of a few. */
export const VALUES: Readonly<Record<string, readonly string[]>> = {
  '--agent': ['claude', 'codex', 'copilot', 'gemini', 'goose', 'grok', 'kimi', 'opencode', 'pi', 'qwen'],
  '--only': KINDS,
  '--by': ['day', 'week', 'month', 'session', 'project', 'model', 'block', 'agent', 'subagent', 'tool'],
  '--status': ['running', 'success', 'error', 'cancelled', 'incomplete'],
};

/** Whose options a pipe takes that names no command. */
export const PIPED = 'view';

export function commandWords(settings: readonly string[]): readonly CommandWord[] {
  const choices: Readonly<Record<string, readonly string[]>> = {
    completion: ['bash', 'zsh', 'fish'],
    config: settings,
    hook: ['install', 'remove'],
    help: commandNames,
  };
  const commands = commandNames.map((name) => {
    const page = helpOf(name);
    return { name, about: aboutIn(page), options: optionsIn(page), choices: choices[name] ?? [] };
  });
  return [...commands, { name: 'help', about: 'About a command', options: [], choices: commandNames }];
}

/** The first sentence below the lines that tell how it is called. */
function aboutIn(page: string): string {
  const [, text = ''] = page.split('\n\n');
  return text.replaceAll('\n', ' ').split(/[.:;]/)[0]?.trim() ?? '';
}

function optionsIn(page: string): readonly Word[] {
  const options = new Map<string, Word>([['--help', { name: '--help', about: 'more about it' }]]);
  for (const line of page.split('\n')) {
    if (!line.startsWith('  --')) continue;
    // What it is stands behind two blanks.
    const [names = '', ...about] = line.trim().split(/ {2,}/);
    for (const [name] of names.matchAll(/--[a-z][a-z-]*/g))
      if (!options.has(name)) options.set(name, { name, about: shortOf(about.join(' ')) });
  }
  return [...options.values()];
}

/** Up to where a sentence may be cut. */
function shortOf(about: string): string {
  return about.split(/[:;(,]/)[0]?.trim() ?? '';
}
