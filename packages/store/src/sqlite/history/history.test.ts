import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { counts } from '../../../../../proof/counts.ts';
import { recordedSessions } from '../../../test/history/captures.ts';
import { describeHistory } from '../../suite/history-suite.ts';
import { openConnection } from '../open.ts';
import { createRecord } from '../record.ts';
import { createHistory } from './history.ts';
import { createMetadata } from './metadata.ts';

describeHistory({
  test: (name, run) => test(name, run),
  sessions: recordedSessions,
  schedules: counts.historySchedules,
  async make() {
    const folder = mkdtempSync(join(tmpdir(), 'tailrace-history-'));
    return {
      async open() {
        const connection = await openConnection({ file: join(folder, 'tailrace.db') });
        const record = createRecord(connection);
        return {
          record,
          history: createHistory(connection),
          metadata: createMetadata(connection),
          async close() {
            await record.close();
            connection.close();
          },
        };
      },
      async remove() {
        rmSync(folder, { recursive: true });
      },
    };
  },
});
