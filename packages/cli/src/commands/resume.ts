import { parseArgs } from 'node:util';
import { resumeCommand } from '@tailrace/runner';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { agentOf, findSession } from '../history/find.ts';
import { tellEmpty, withHistory } from '../history/open.ts';
import { writeOut } from '../input/write.ts';
import { tellPlainly } from '../printer/hidden.ts';
import { shortId } from '../printer/short-id.ts';

/** `tailrace resume`: the command that goes on with a session; with `--run` it is started here. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { run: { type: 'boolean' }, json: { type: 'boolean' } },
  });
  const [wanted, prompt] = positionals;
  if (prompt !== undefined && !values.run) throw new UsageError('a prompt is for --run');
  const found = await withHistory(async (store) => {
    const id = await findSession(store, wanted);
    const session = await store.history.session(id);
    return { id, agent: agentOf(session?.agent), cwd: session?.cwd ?? undefined };
  });
  if (!found) {
    tellEmpty();
    return 1;
  }
  const { id, agent, cwd } = found;
  if (cwd === undefined) throw new Error(`nobody knows in which folder session ${id} was begun`);
  const { interactive, start, cwd: folder } = resumeCommand(agent, { sessionId: id, cwd });
  if (values.run) {
    const run = await import('./run.ts');
    const more = prompt === undefined ? [] : ['--', prompt];
    return run.command(['--agent', agent.name, '--cwd', folder, '--resume', id, ...more]);
  }
  if (values.json)
    await writeOut(
      `${JSON.stringify({ sessionId: id, agent: agent.name, cwd: folder, interactive: interactive ?? null, start })}\n`,
    );
  else if (interactive) await writeOut(`${tellPlainly(interactive.text)}\n`);
  else
    throw new Error(
      `${agent.title ?? agent.name} has no way to go on at a terminal; tailrace resume ${shortId(id)} --run "…" goes on`,
    );
  return 0;
};
