// What may become an argument of the agent. A value that begins with a dash could be taken for a flag (T-13); one that cannot
// be written as UTF-8 would arrive as another one.

import type { StartOptions } from '@tailrace/core';
import { TailraceError } from './errors.ts';

/** Throws when one of the options, or the folder to work in, could become a flag or would not arrive as it is. */
export function checkStart(options: StartOptions, cwd?: string): void {
  checkEach('cwd', [cwd]);
  for (const name of TEXTS) checkEach(name, [options[name]]);
  for (const name of LISTS) checkEach(name, options[name] ?? []);
  for (const name of NUMBERS) {
    const value = options[name];
    if (value !== undefined && !(Number.isFinite(value) && value > 0))
      refuse(name, String(value), 'is no number above zero');
  }
}

/** Throws when an argument would not arrive byte for byte. For all of them, whoever made them. */
export function checkArguments(args: readonly string[]): void {
  for (const argument of args) {
    const fault = unwritable(argument);
    if (fault) refuse('an argument', argument, fault);
  }
}

const TEXTS = ['model', 'resume', 'resumeAt', 'promptId', 'sessionId', 'permissionMode'] as const;
const LISTS = ['allow', 'deny', 'mcpConfig', 'addDirs', 'forbid'] as const;
const NUMBERS = ['maxTurns', 'maxBudgetUsd'] as const;

function checkEach(name: string, values: readonly (string | undefined)[]): void {
  for (const value of values) {
    if (value === undefined) continue;
    if (typeof value !== 'string') refuse(name, String(value), 'is no text');
    if (value === '') refuse(name, value, 'is empty');
    if (value.startsWith('-')) refuse(name, value, 'begins with a dash, so that it could be taken for a flag');
    const fault = unwritable(value);
    if (fault) refuse(name, value, fault);
  }
}

function unwritable(value: string): string | undefined {
  if (value.includes('\0')) return 'has a NUL character, which ends an argument';
  if (/\p{Surrogate}/u.test(value)) return 'has half of a character (a lone surrogate), which cannot be written';
  return undefined;
}

function refuse(name: string, value: string, fault: string): never {
  const shown = JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value);
  throw new TailraceError('value-refused', `${name} ${shown} ${fault}; give another value`);
}

const MAX_SHOWN = 100;
