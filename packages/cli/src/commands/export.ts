import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { exportHtml, exportJson, exportMarkdown, exportNdjson, openExport } from '@tailrace/store';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { parseOne } from '../history/filters.ts';
import { findSession } from '../history/find.ts';
import { tellEmpty, withHistory } from '../history/open.ts';
import { writeOut } from '../input/write.ts';

const FORMS = { html: exportHtml, md: exportMarkdown, json: exportJson, ndjson: exportNdjson } as const;

type Form = keyof typeof FORMS;

/** `tailrace export`: a session to take away, without its secrets unless the person keeps them. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      html: { type: 'boolean' },
      md: { type: 'boolean' },
      json: { type: 'boolean' },
      ndjson: { type: 'boolean' },
      all: { type: 'boolean' },
      output: { type: 'string', short: 'o' },
      'no-redact': { type: 'boolean' },
    },
  });
  const forms = (Object.keys(FORMS) as Form[]).filter((form) => values[form]);
  const [form] = forms;
  if (!form || forms.length > 1) throw new UsageError('one form: --html, --md, --json or --ndjson');
  const wanted = parseOne('session', positionals);
  const found = new Map<string, number>();
  const isDone = await withHistory(async (store) => {
    const input = await openExport(store, await findSession(store, wanted), { isAll: values.all });
    if (form === 'ndjson' && input.leftOut)
      process.stderr.write(
        `tailrace: ${input.leftOut} lines of its other streams are left out (--all takes them too)\n`,
      );
    const pieces = FORMS[form](input, {
      redact: !values['no-redact'],
      onRedacted: (kind) => found.set(kind, (found.get(kind) ?? 0) + 1),
    });
    if (values.output === undefined) for await (const piece of pieces) await writeOut(piece);
    else await writeFile(values.output, pieces);
    return true;
  });
  if (!isDone) {
    tellEmpty();
    return 1;
  }
  if (found.size > 0) process.stderr.write(`tailrace: ${describe(found)} (--no-redact keeps them)\n`);
  return 0;
};

/** What a session held is as private as the session. */
const PRIVATE = 0o600;

async function writeFile(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const file = await open(path, 'w', PRIVATE);
  try {
    for await (const piece of pieces) await file.write(Buffer.from(piece));
  } finally {
    await file.close();
  }
}

function describe(found: ReadonlyMap<string, number>): string {
  const all = [...found.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...found].map(([kind, count]) => (count === 1 ? kind : `${count} ${kind}`)).join(', ');
  return `${all} ${all === 1 ? 'secret was' : 'secrets were'} left out: ${kinds}`;
}
