import { parseArgs } from 'node:util';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { parseOne } from '../history/filters.ts';
import { findSession } from '../history/find.ts';
import { tellEmpty, withHistory } from '../history/open.ts';
import { writeOut } from '../input/write.ts';
import { createGate } from '../printer/gate.ts';
import { shortId } from '../printer/short-id.ts';

/** `tailrace label`: gives a session a name, a star, tags. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      star: { type: 'boolean' },
      unstar: { type: 'boolean' },
      tag: { type: 'string', multiple: true },
      untag: { type: 'string', multiple: true },
      json: { type: 'boolean' },
    },
  });
  const wanted = parseOne('session', positionals);
  if (values.star && values.unstar) throw new UsageError('--star or --unstar, not both');
  for (const tag of values.tag ?? [])
    if (!/^[^\s,#]{1,64}$/u.test(tag)) throw new UsageError(`a tag is one word without # and comma, not "${tag}"`);
  const row = await withHistory(async (store) => {
    const id = await findSession(store, wanted);
    await store.history.label(id, {
      // An empty name takes the person's own away.
      name: values.name === '' ? null : values.name,
      starred: values.star ? true : values.unstar ? false : undefined,
      addTags: values.tag,
      removeTags: values.untag,
    });
    return store.history.session(id);
  });
  if (!row) {
    tellEmpty();
    return 1;
  }
  const { id, title, starred, tags } = row;
  const gate = createGate();
  const parts = [starred ? '★' : '', gate.prose(title ?? '', 500), ...tags.map((tag) => gate.line(`#${tag}`, 80))];
  const told = `${gate.line(shortId(id), 130)}  ${parts.filter(Boolean).join(' ')}`;
  await writeOut(values.json ? `${JSON.stringify({ id, title, starred, tags })}\n` : `${told}\n`);
  return 0;
};
