// What `tailrace run` is asked for, from its words.

import { parseArgs } from 'node:util';
import { type Agent, agents } from '@tailrace/core';
import type { RunOptions } from '@tailrace/runner';
import { UsageError } from '../failure.ts';
import { type Kind, parseKinds } from '../printer/kinds.ts';

export interface RunWords {
  readonly agent: Agent;
  /** `-` or nothing: it comes on standard input. */
  readonly prompt: string | undefined;
  /** What goes to the runner as it is. */
  readonly start: Partial<RunOptions>;
  readonly chat: boolean;
  readonly trustFolder: boolean;
  readonly json: boolean;
  readonly plain: boolean;
  readonly quiet: boolean;
  /** Secrets are not shown. */
  readonly redact: boolean;
  /** Nothing is folded. */
  readonly full: boolean;
  /** Only this is shown; everything unless told. */
  readonly only: ReadonlySet<Kind> | undefined;
  /** The person is called when it ends, or waits for them. */
  readonly notify: boolean;
}

export function parseRunWords(words: readonly string[]): RunWords {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      agent: { type: 'string' },
      program: { type: 'string' },
      cwd: { type: 'string' },
      model: { type: 'string' },
      'permission-mode': { type: 'string' },
      'approve-all': { type: 'boolean' },
      allow: { type: 'string', multiple: true },
      deny: { type: 'string', multiple: true },
      resume: { type: 'string' },
      'resume-at': { type: 'string' },
      fork: { type: 'boolean' },
      'session-id': { type: 'string' },
      'max-turns': { type: 'string' },
      'max-budget': { type: 'string' },
      'mcp-config': { type: 'string', multiple: true },
      'add-dir': { type: 'string', multiple: true },
      'keep-background': { type: 'boolean' },
      'trust-folder': { type: 'boolean' },
      chat: { type: 'boolean' },
      json: { type: 'boolean' },
      plain: { type: 'boolean' },
      quiet: { type: 'boolean' },
      'no-redact': { type: 'boolean' },
      full: { type: 'boolean' },
      only: { type: 'string' },
      notify: { type: 'boolean' },
    },
  });
  if (positionals.length > 1)
    throw new UsageError(`one prompt, not ${positionals.length}: put it into quotation marks`);
  const name = values.agent ?? 'claude';
  const agent = agents.find((one) => one.name === name && one.command);
  if (!agent)
    throw new UsageError(`no agent is called "${name}"; there are ${agents.map((one) => one.name).join(', ')}`);
  const isGiven = positionals[0] !== undefined && positionals[0] !== '-';
  return {
    agent,
    prompt: isGiven ? positionals[0] : undefined,
    start: {
      program: values.program,
      cwd: values.cwd,
      model: values.model,
      permissionMode: values['permission-mode'],
      approveAll: values['approve-all'],
      allow: values.allow,
      deny: values.deny,
      resume: values.resume,
      resumeAt: values['resume-at'],
      fork: values.fork,
      sessionId: values['session-id'],
      maxTurns: numberOf('--max-turns', values['max-turns']),
      maxBudgetUsd: numberOf('--max-budget', values['max-budget']),
      mcpConfig: values['mcp-config'],
      addDirs: values['add-dir'],
      keepBackground: values['keep-background'],
    },
    chat: values.chat ?? false,
    trustFolder: values['trust-folder'] ?? false,
    json: values.json ?? false,
    plain: values.plain ?? false,
    quiet: values.quiet ?? false,
    redact: !values['no-redact'],
    full: values.full ?? false,
    only: parseKinds(values.only),
    notify: values.notify ?? false,
  };
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new UsageError(`${name} takes a number above zero, not "${text}"`);
  return value;
}
