// Every change that the file has gone through, oldest first. A number is never used twice, and a step is never edited.

import type { Migration } from 'kysely';
import { record } from './0001-record.ts';
import { history } from './0002-history.ts';
import { usageIds } from './0003-usage-ids.ts';
import { feed } from './0004-feed.ts';
import { list } from './0005-list.ts';

export const migrations: Readonly<Record<string, Migration>> = {
  '0001-record': record,
  '0002-history': history,
  '0003-usage-ids': usageIds,
  '0004-feed': feed,
  '0005-list': list,
};
