// The options that every command which reads a stream has in common.

import { parseArgs } from 'node:util';
import { agents, LONGEST_LINE_BYTES } from '@tailrace/core';
import { UsageError } from '../failure.ts';

/** The command's own limit; the library's is lower. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface StreamOptions {
  readonly file: string;
  /** The agent's own files of the session that the capture is of. */
  readonly transcripts: readonly string[];
  readonly agent: string;
  readonly maxLineBytes: number;
  readonly json: boolean;
  readonly plain: boolean;
  readonly quiet: boolean;
  /** What comes through the pipe is kept as well. */
  readonly record: boolean;
  /** Secrets are not shown. */
  readonly redact: boolean;
  readonly exitStatus: boolean;
  /** Nothing is folded. */
  readonly full: boolean;
  /** What is shown, in the person's own words. */
  readonly only: string | undefined;
  /** The file goes on, and so does the reading. */
  readonly follow: boolean;
  /** The person is called when it ends, or waits for them. */
  readonly notify: boolean;
}

/** The flags that not every command has. */
type Flag = 'json' | 'plain' | 'quiet' | 'record' | 'no-redact' | 'full' | 'only' | 'follow' | 'notify';

export function parseStreamOptions(words: readonly string[], flags: readonly Flag[]): StreamOptions {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      agent: { type: 'string' },
      'max-line': { type: 'string' },
      transcript: { type: 'string', multiple: true },
      ...Object.fromEntries(flags.map((flag) => [flag, { type: flag === 'only' ? 'string' : 'boolean' }] as const)),
      'exit-status': { type: 'boolean' },
    },
  });
  // Which of the flags there are is known only to the caller.
  const told = values as Readonly<Record<string, unknown>>;
  const has = (flag: Flag): boolean => told[flag] === true;
  const only = told['only'];
  if (positionals.length > 1) throw new UsageError(`one file at a time, not ${positionals.length}`);
  const agent = values.agent ?? 'auto';
  if (agent !== 'auto' && !agents.some(({ name }) => name === agent)) {
    throw new UsageError(`no agent is called "${agent}"; there are ${agents.map(({ name }) => name).join(', ')}`);
  }
  return {
    file: positionals[0] ?? '-',
    transcripts: values.transcript ?? [],
    agent,
    maxLineBytes: values['max-line'] === undefined ? MAX_LINE_BYTES : parseSize(values['max-line']),
    json: has('json'),
    plain: has('plain'),
    quiet: has('quiet'),
    record: has('record'),
    redact: !has('no-redact'),
    exitStatus: values['exit-status'] ?? false,
    full: has('full'),
    only: typeof only === 'string' ? only : undefined,
    follow: has('follow'),
    notify: has('notify'),
  };
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** `200`, `64K`, `10M`. */
function parseSize(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12})([KMG]?)$/i.exec(text) ?? [];
  const size = Number(digits) * (UNITS[unit.toUpperCase()] ?? Number.NaN);
  if (!Number.isSafeInteger(size) || size < 1) throw new UsageError(`"${text}" is no size; say 500K or 64M`);
  if (size > LONGEST_LINE_BYTES) throw new UsageError(`a line can have 256M at the most, not ${text}`);
  return size;
}
