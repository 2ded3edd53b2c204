// `tailrace hook install` and `remove`: an agent's settings are edited so that it tells us what it does, and back.

import { randomUUID } from 'node:crypto';
import { lstat, open, readFile, type stat as readStat, realpath, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Agent, type AgentHooks, agents } from '@tailrace/core';
import { messageOf, UsageError } from '../failure.ts';
import { dataFolder, spoolOf } from '../home.ts';
import { writeOut } from '../input/write.ts';
import { cleanText } from '../printer/clean.ts';
import { makeFolder } from './append.ts';
import { commandText } from './command-text.ts';
import { checkVersion } from './version.ts';

type Edit = 'install' | 'remove';

/** Does what the words say; gives the exit code. */
export async function editSettings(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { dir: { type: 'string' }, agent: { type: 'string' } },
    allowPositionals: true,
  });
  const [edit, ...rest] = positionals;
  if ((edit !== 'install' && edit !== 'remove') || rest.length > 0)
    throw new UsageError('it is "tailrace hook install" or "tailrace hook remove". See tailrace hook --help.');
  const agent = hookedAgent(values.agent);
  const { title, hooks } = agent;
  const { variable, folder, file } = hooks.settings;
  const place = join(resolve(values.dir ?? (process.env[variable] || join(homedir(), folder))), file);
  const script = process.argv[1];
  if (script === undefined) throw new Error('nobody knows where tailrace lies');
  const command = commandText([process.execPath, resolve(script), 'hook'], process.platform);
  if (edit === 'install') await checkVersion(agent, hooks.since);
  const isNew = await change(place, (text) => hooks[edit](text, command));
  const undo = values.dir === undefined ? '' : ` --dir ${commandText([values.dir], process.platform)}`;
  await writeOut(cleanText(report(edit, isNew, title, place, undo)));
  return 0;
}

function report(edit: Edit, isNew: boolean, title: string, place: string, more: string): string {
  if (edit === 'remove') return isNew ? `Taken out of ${place}\n` : `There is no hook of Tailrace in ${place}\n`;
  return `${isNew ? `${title} now tells Tailrace what it does, from its next session on` : `${title} tells Tailrace already what it does`}
  hooks in    ${place}
  kept in     ${spoolOf(dataFolder()).file}
  to undo it  tailrace hook remove${more}
`;
}

interface Hooked {
  readonly title: string;
  readonly hooks: AgentHooks;
  readonly agent: Agent;
}

function hookedAgent(name: string | undefined): Hooked {
  const able = agents.flatMap((agent: Agent) => (agent.hooks ? [{ ...agent, hooks: agent.hooks }] : []));
  const agent = name === undefined ? able[0] : able.find((one) => one.name === name);
  if (!agent) throw new UsageError(`${name} has no hooks; there are ${able.map((one) => one.name).join(', ')}`);
  return { title: agent.title ?? agent.name, hooks: agent.hooks, agent };
}

/** Puts a changed text in the place of a file's, all at once; false when there is nothing to change. */
async function change(place: string, edit: (text: string) => string): Promise<boolean> {
  // A link stays one: what it leads to is written.
  const path = await realpath(place).catch(missing);
  if (path === undefined && (await lstat(place).catch(missing))) throw new Error(`${place} is a link to nothing`);
  if (path !== undefined && !(await stat(path)).isFile()) throw new Error(`${place} is no file; nothing was changed`);
  const before = path === undefined ? undefined : await readFile(path);
  const text = before?.toString('utf8') ?? '';
  if (before && !Buffer.from(text).equals(before)) throw new Error(`${place} is not UTF-8; nothing was changed`);
  const after = attempt(place, () => edit(text));
  if (after === text) return false;
  const target = path ?? place;
  await makeFolder(dirname(target));
  // It was made for the hooks alone.
  if (after === '') await rm(target);
  else await replace(target, after, before);
  return true;
}

function attempt(place: string, edit: () => string): string {
  try {
    return edit();
  } catch (error) {
    throw new Error(`${place}: ${messageOf(error)}; nothing was changed`);
  }
}

async function replace(path: string, text: string, before: Buffer | undefined): Promise<void> {
  const facts: Awaited<ReturnType<typeof readStat>> | undefined = before && (await stat(path));
  const beside = join(dirname(path), `.tailrace-${randomUUID()}.tmp`);
  try {
    const file = await open(beside, 'wx', 0o600);
    try {
      await file.writeFile(text);
      if (facts) {
        await file.chmod(facts.mode & 0o7777);
        // Somebody else's file stays theirs where we may see to that.
        if (facts.uid !== process.getuid?.()) await file.chown(facts.uid, facts.gid).catch(() => {});
      }
      await file.sync();
    } finally {
      await file.close();
    }
    const now = await readFile(path).catch(missing);
    if (!(before === undefined ? now === undefined : now?.equals(before)))
      throw new Error(`${path} was changed by somebody else just now; try again`);
    await rename(beside, path);
  } finally {
    await rm(beside, { force: true });
  }
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
