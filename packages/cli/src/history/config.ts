// The person's settings: a small JSON file in the data folder, of which other keys are left as they are.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../failure.ts';
import { dataFolder } from '../home.ts';

export interface Settings {
  /** Sessions that ended longer ago are forgotten, but those with a star; absent: nothing is. */
  readonly retentionDays?: number;
  /** The time zone that days begin in. */
  readonly timeZone?: string;
}

export type SettingName = keyof Settings;

interface Setting {
  readonly about: string;
  parse(text: string): number | string;
}

/** Every setting there is. */
export const settings: Readonly<Record<SettingName, Setting>> = {
  retentionDays: {
    about: 'forget sessions that ended longer ago than this many days, but those with a star (default: keep all)',
    parse(text) {
      const days = Number(text);
      if (!Number.isInteger(days) || days < 1) throw new UsageError(`retentionDays is a number of days, not "${text}"`);
      return days;
    },
  },
  timeZone: {
    about: 'the time zone in which days begin, as in Europe/Zurich (default: this machine\u2019s)',
    parse(text) {
      try {
        return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
      } catch {
        throw new UsageError(`there is no time zone "${text}"`);
      }
    },
  },
};

/** What is set. A file that cannot be read is an error: whoever set something wants it to hold. */
export function readSettings(): Settings {
  const all = readFile();
  const known: Record<string, number | string> = {};
  for (const name of Object.keys(settings) as SettingName[]) {
    const value = all[name];
    if (value !== undefined) known[name] = settings[name].parse(String(value));
  }
  return known;
}

/** Sets one, or with undefined takes it out. */
export function writeSetting(name: SettingName, value: number | string | undefined): void {
  const { [name]: _, ...rest } = readFile();
  const all = value === undefined ? rest : { ...rest, [name]: value };
  mkdirSync(dataFolder(), { recursive: true, mode: 0o700 });
  const fresh = `${settingsFile()}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(all, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, settingsFile());
}

export function settingsFile(): string {
  return join(dataFolder(), 'config.json');
}

function readFile(): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(settingsFile(), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Told below.
  }
  throw new Error(`${settingsFile()} is not a JSON object; mend it or take it away`);
}
