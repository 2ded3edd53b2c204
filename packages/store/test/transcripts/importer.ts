// Takes transcripts and hooks into a store again and again, and says each time lines were kept. node importer.mjs FOLDER

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { importHooks } from '../../src/hooks/spool.ts';
import { openConnection } from '../../src/sqlite/open.ts';
import { createRecord } from '../../src/sqlite/record.ts';
import { importTranscripts } from '../../src/transcripts/import.ts';

const [folder = ''] = process.argv.slice(2);
const record = createRecord(await openConnection({ file: join(folder, 'data', 'tailrace.db') }));
for (;;) {
  await importTranscripts(record, { env: { HOME: folder }, onLines: () => writeSync(1, '.') });
  await importHooks(record, { folder: join(folder, 'data', 'spool'), rotateBytes: 1000 });
  // So that it can be seen when there is nothing new.
  writeSync(1, '-');
}
