import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { counts } from '../../../../../proof/counts.ts';
import { recordedSessions } from '../../../test/history/captures.ts';
import { openStore } from '../../open-store.ts';
import { describeHistory } from '../../suite/history-suite.ts';

describeHistory({
  test: (name, run) => test(name, run),
  sessions: recordedSessions,
  schedules: counts.historySchedules,
  async make() {
    const folder = mkdtempSync(join(tmpdir(), 'tailrace-history-'));
    return {
      open: () => openStore({ file: join(folder, 'tailrace.db') }),
      async remove() {
        rmSync(folder, { recursive: true });
      },
    };
  },
});
