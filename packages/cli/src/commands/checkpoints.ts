import { parseArgs } from 'node:util';
import type { Command } from '../command.ts';
import { parseOne } from '../history/filters.ts';
import { findSession } from '../history/find.ts';
import { tellEmpty, withHistory } from '../history/open.ts';
import { showTable } from '../history/table.ts';
import { writeOut } from '../input/write.ts';
import { createPalette } from '../printer/palette.ts';
import { screenWidth } from '../printer/screen.ts';
import { showWhen } from '../printer/when.ts';

/** `tailrace checkpoints`: the prompts of a session that it can be taken back to. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { json: { type: 'boolean' }, plain: { type: 'boolean' } },
  });
  const wanted = parseOne('session', positionals);
  const list = await withHistory(async (store) => store.history.checkpoints(await findSession(store, wanted)));
  if (values.json) await writeOut(`${JSON.stringify(list ?? [])}\n`);
  else if (!list) tellEmpty();
  else if (list.length === 0) await writeOut('there is no prompt that it can be taken back to\n');
  else
    await writeOut(
      showTable(
        list,
        [
          { title: 'checkpoint', text: ({ id }) => id },
          { title: 'when', text: ({ at }) => showWhen(at) },
          { title: 'prompt', gives: true, isProse: true, text: ({ text }) => text },
        ],
        createPalette(values.plain ? false : undefined),
        screenWidth(),
      ),
    );
  return 0;
};
