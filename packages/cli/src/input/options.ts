// The options that every command which reads a stream has in common.

import { parseArgs } from 'node:util';
import { agents } from '@tailrace/core';
import { UsageError } from '../failure.ts';

/** The command's own limit; the library's is lower. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface StreamOptions {
  readonly file: string;
  readonly agent: string;
  readonly maxLineBytes: number;
  readonly json: boolean;
  readonly plain: boolean;
  readonly quiet: boolean;
  readonly exitStatus: boolean;
}

export function parseStreamOptions(words: readonly string[]): StreamOptions {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      agent: { type: 'string' },
      'max-line': { type: 'string' },
      json: { type: 'boolean' },
      plain: { type: 'boolean' },
      quiet: { type: 'boolean' },
      'exit-status': { type: 'boolean' },
    },
  });
  if (positionals.length > 1) throw new UsageError(`one file at a time, not ${positionals.length}`);
  const agent = values.agent ?? 'auto';
  if (agent !== 'auto' && !agents.some(({ name }) => name === agent)) {
    throw new UsageError(`no agent is called "${agent}"; there is ${agents.map(({ name }) => name).join(', ')}`);
  }
  return {
    file: positionals[0] ?? '-',
    agent,
    maxLineBytes: values['max-line'] === undefined ? MAX_LINE_BYTES : parseSize(values['max-line']),
    json: values.json ?? false,
    plain: values.plain ?? false,
    quiet: values.quiet ?? false,
    exitStatus: values['exit-status'] ?? false,
  };
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** `200`, `64K`, `10M`. */
function parseSize(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12})([KMG]?)$/i.exec(text) ?? [];
  const size = Number(digits) * (UNITS[unit.toUpperCase()] ?? Number.NaN);
  if (!Number.isSafeInteger(size) || size < 1) throw new UsageError(`"${text}" is no size; say 500K or 64M`);
  return size;
}
