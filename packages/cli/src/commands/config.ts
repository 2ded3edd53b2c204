import { parseArgs } from 'node:util';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { readSettings, type SettingName, settings, settingsFile, writeSetting } from '../history/config.ts';
import { writeOut } from '../input/write.ts';

/** `tailrace config`: the settings, one of them, or a new value for it. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { unset: { type: 'boolean' }, json: { type: 'boolean' } },
  });
  const [name, value, ...more] = positionals;
  if (more.length > 0) throw new UsageError('one setting and its value: tailrace config NAME VALUE');
  if (name === undefined) {
    const set = readSettings();
    await writeOut(values.json ? `${JSON.stringify(set)}\n` : describe(set));
    return 0;
  }
  if (!isSetting(name))
    throw new UsageError(`there is no setting "${name}"; there are ${Object.keys(settings).join(', ')}`);
  if (value !== undefined && values.unset) throw new UsageError('a value, or --unset, not both');
  if (values.unset) writeSetting(name, undefined);
  else if (value !== undefined) writeSetting(name, settings[name].parse(value));
  else await writeOut(`${values.json ? JSON.stringify(readSettings()[name] ?? null) : (readSettings()[name] ?? '')}\n`);
  return 0;
};

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(settings, name);
}

function describe(set: ReturnType<typeof readSettings>): string {
  const rows = (Object.keys(settings) as SettingName[]).map(
    (name) => `${name.padEnd(16)} ${String(set[name] ?? '-').padEnd(16)} ${settings[name].about}\n`,
  );
  return `${rows.join('')}\nin ${settingsFile()}\n`;
}
