import { parseArgs } from 'node:util';
import type { AgentStreamEvent } from '@tailrace/core';
import type { Store } from '@tailrace/store';
import type { Command } from '../command.ts';
import { parseOne } from '../history/filters.ts';
import { findSession } from '../history/find.ts';
import { tellEmpty, withHistory } from '../history/open.ts';
import { inOrder } from '../history/order.ts';
import { writeOut } from '../input/write.ts';
import { createMarkdown } from '../printer/markdown.ts';
import { createPalette } from '../printer/palette.ts';
import { createPrinter } from '../printer/printer.ts';
import { closingLines, describeSummary } from '../printer/report.ts';
import { screenWidth } from '../printer/screen.ts';

/** In characters. */
const WRITTEN_AT_ONCE = 65_536;

/** `tailrace show`: one session as people read it, or what is known about it as one JSON object. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      summary: { type: 'boolean' },
      json: { type: 'boolean' },
      plain: { type: 'boolean' },
      full: { type: 'boolean' },
      'no-redact': { type: 'boolean' },
    },
  });
  const wanted = parseOne('session', positionals);
  const palette = createPalette(values.plain ? false : undefined);
  const gate = { redact: !values['no-redact'] };
  const code = await withHistory(async (store) => {
    const id = await findSession(store, wanted);
    const session = await store.history.session(id);
    if (!session) throw new Error(`nothing was made of session ${id} yet`);
    if (values.json) await writeOut(`${JSON.stringify({ ...session, ...(await partsOf(store, id)) })}\n`);
    else if (values.summary) await writeOut(describeSummary(session.summary, palette, gate));
    else {
      const spent = new Map(session.summary.subagents.map((one) => [one.id, one]));
      const printer = createPrinter(palette, {
        ...gate,
        markdown: values.plain ? undefined : createMarkdown(palette),
        full: values.full,
        spent: (taskId) => spent.get(taskId),
      });
      const events: AgentStreamEvent[] = [];
      for await (const pieces of store.history.events(id)) for (const piece of pieces) events.push(...piece.events);
      let text = '';
      for (const event of inOrder(events)) {
        text += printer.print(event);
        if (text.length < WRITTEN_AT_ONCE) continue;
        await writeOut(text);
        text = '';
      }
      await writeOut(text);
      const closing = {
        ...gate,
        columns: screenWidth(),
        changed: printer.changed,
        told: printer.told,
        isKept: session.cwd !== null,
      };
      await writeOut(printer.close() + closingLines(session.summary, palette, closing));
    }
    return 0;
  });
  if (code === undefined) tellEmpty();
  return code ?? 1;
};

async function partsOf(store: Store, id: string): Promise<object> {
  const { history } = store;
  const [messages, calls, files, todos, checkpoints] = await Promise.all([
    history.messages(id),
    history.calls(id),
    history.files(id),
    history.todos(id),
    history.checkpoints(id),
  ]);
  return { messages, calls, files, todos, checkpoints };
}
