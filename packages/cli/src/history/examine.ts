// What there is on this machine, and what is wrong with it.

import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { agents } from '@tailrace/core';
import { isTailraceError, locate } from '@tailrace/runner';
import { messageOf } from '../failure.ts';
import { dataFolder, spoolOf } from '../home.ts';
import { readSettings, settingsFile } from './config.ts';
import { NoHistory, remedyOf } from './no-history.ts';
import { loadStore, storeFile } from './open.ts';

export interface Finding {
  readonly level: 'good' | 'note' | 'problem';
  /** What it is about. */
  readonly name: string;
  readonly text: string;
  /** The class of the fault, for programs. */
  readonly code?: string | undefined;
}

/** Looks at everything; changes nothing. */
export async function examine(): Promise<readonly Finding[]> {
  return [
    { level: 'good', name: 'tailrace', text: `${TAILRACE_VERSION}, Node ${process.version} on ${process.platform}` },
    { level: 'good', name: 'data', text: dataFolder() },
    examineSettings(),
    ...(await examineStore()),
    ...examineSpool(),
    ...(await Promise.all(agents.filter(({ command }) => command).map(examineAgent))),
    ...agents.flatMap(examineFiles),
  ];
}

function examineSettings(): Finding {
  try {
    const set = Object.entries(readSettings()).map(([name, value]) => `${name} ${value}`);
    return { level: 'good', name: 'settings', text: set.join(', ') || 'all as they come' };
  } catch (error) {
    return { level: 'problem', name: 'settings', text: `${settingsFile()}: ${messageOf(error)}`, code: 'settings' };
  }
}

async function examineStore(): Promise<readonly Finding[]> {
  try {
    const { checkStore } = await loadStore();
    const {
      exists,
      isGood,
      findings,
      sqliteVersion,
      fileBytes = 0,
      lines = 0,
      streams = 0,
    } = await checkStore(storeFile());
    const size = `${(fileBytes / 1_000_000).toFixed(1)} MB, ${lines} lines of ${streams} streams, SQLite ${sqliteVersion}`;
    return [
      ...(exists && isGood ? [{ level: 'good', name: 'store', text: size } as const] : []),
      ...findings.map(({ level, code, message }) => ({ level, name: 'store', text: message, code })),
    ];
  } catch (error) {
    const { why, steps } = error instanceof NoHistory ? remedyOf(error) : { why: messageOf(error), steps: [] };
    return [
      { level: 'problem', name: 'store', text: why, code: 'unavailable' },
      ...steps.map((text) => ({ level: 'note', name: 'store', text }) as const),
    ];
  }
}

function examineSpool(): readonly Finding[] {
  const { file } = spoolOf(dataFolder());
  if (!existsSync(file)) return [];
  return [{ level: 'note', name: 'hooks', text: `${statSync(file).size} bytes wait to be taken in` }];
}

async function examineAgent({ name, title, command, install }: (typeof agents)[number]): Promise<Finding> {
  try {
    const program = command?.({ prompt: '' }).program ?? name;
    const { file } = await locate({ program, agent: name, install, env: process.env });
    return { level: 'good', name, text: `${title ?? name} is ${file}` };
  } catch (error) {
    // Nobody needs all ten of them.
    const why = isTailraceError(error) ? 'is not installed here' : messageOf(error);
    return { level: 'note', name, text: `${title ?? name} ${why}` };
  }
}

/** Whether the agent keeps files that could be taken in. */
function examineFiles({ name, transcripts }: (typeof agents)[number]): readonly Finding[] {
  if (!transcripts) return [];
  const { variable, folder } = transcripts.root;
  const root = process.env[variable] || join(homedir(), folder);
  const where = join(root, transcripts.folder);
  return [
    {
      level: 'note',
      name,
      text: `${existsSync(where) ? 'keeps its sessions' : 'would keep its sessions'} in ${where}`,
    },
  ];
}
