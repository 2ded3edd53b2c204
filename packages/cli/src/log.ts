// A log for whoever looks for a fault: off unless TAILRACE_LOG says a level. What an agent or a person wrote goes in at level
// `debug` only, and without its secrets. Nothing that fails here stops anybody.

import { appendFileSync, chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redact } from '@tailrace/core';
import { dataFolder } from './home.ts';

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;

type Level = (typeof LEVELS)[number];

export interface LogOptions {
  readonly file: string;
  /** Up to which level; undefined: nothing is written. */
  readonly level: Level | undefined;
  readonly now?: (() => number) | undefined;
}

/** One line of the log. `content` is what people and agents wrote. */
interface LogLine {
  readonly message: string;
  /** Ids, counts, names of our own. */
  readonly facts?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly content?: string | undefined;
}

export type Log = (level: Level, line: LogLine) => void;

const PRIVATE = 0o600;

export function createLog({ file, level, now = Date.now }: LogOptions): Log {
  const highest = level === undefined ? -1 : LEVELS.indexOf(level);
  let isReady = false;
  return (wanted, { message, facts, content }) => {
    if (LEVELS.indexOf(wanted) > highest) return;
    const shown = content !== undefined && level === 'debug' ? { content: redact(content).text } : {};
    const line = JSON.stringify({ at: now(), level: wanted, message: redact(message).text, ...facts, ...shown });
    try {
      if (!isReady) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      appendFileSync(file, `${line}\n`, { mode: PRIVATE });
      // Whatever the file was before: it is private from now on.
      if (!isReady) chmodSync(file, PRIVATE);
      isReady = true;
    } catch {
      // A log that cannot be written is no reason to stop.
    }
  };
}

/** The log of this process. */
export function openLog(env: NodeJS.ProcessEnv = process.env): Log {
  const level = LEVELS.find((one) => one === env['TAILRACE_LOG']);
  return createLog({ file: join(dataFolder(), 'tailrace.log'), level });
}
