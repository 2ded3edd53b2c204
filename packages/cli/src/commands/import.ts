import { parseArgs } from 'node:util';
import type { ImportReport } from '@tailrace/store';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { catchUp, loadStore, openKept } from '../history/open.ts';
import { retire } from '../history/retention.ts';
import { writeOut } from '../input/write.ts';
import { openLog } from '../log.ts';
import { cleanText } from '../printer/clean.ts';

/** `tailrace import`: takes in the session files that the agents keep themselves; what was taken before is not read again. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { json: { type: 'boolean' }, quiet: { type: 'boolean' }, forgotten: { type: 'boolean' } },
  });
  if (positionals.length > 1) throw new UsageError(`one folder at a time, not ${positionals.length}`);
  const { importTranscripts } = await loadStore();
  const store = await openKept();
  const stop = new AbortController();
  process.removeAllListeners('SIGINT').once('SIGINT', () => stop.abort());
  try {
    const isWatched = process.stderr.isTTY === true && !values.quiet;
    let files = 0;
    const report = await importTranscripts(store.record, {
      dir: positionals[0],
      signal: stop.signal,
      isForgotten: values.forgotten ? undefined : (sessionId) => store.isForgotten(sessionId),
      onFile: () => {
        files++;
        if (isWatched && files % 10 === 0) process.stderr.write(`\r${files} files`);
      },
    });
    if (isWatched && files >= 10) process.stderr.write('\r\u001b[K');
    if (!stop.signal.aborted) {
      await catchUp(store);
      await retire(store);
    }
    await writeOut(values.json ? `${JSON.stringify(report)}\n` : values.quiet ? '' : describe(report));
    const log = openLog();
    log('info', { message: 'session files were taken in', facts: { files: report.files, lines: report.lines } });
    for (const { path, code, message } of report.problems) {
      log('warn', { message: 'a session file was left out', facts: { code }, content: `${path}: ${message}` });
      process.stderr.write(`tailrace: ${cleanText(path)}: ${cleanText(message)}\n`);
    }
    if (stop.signal.aborted) return 130;
    // What another process is just taking in is in good hands.
    return report.problems.some(({ code }) => code !== 'busy') ? 1 : 0;
  } finally {
    await store.close();
  }
};

function describe(report: ImportReport): string {
  const { files, unchanged, lines, bytes, waitingBytes } = report;
  const size = bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1_000_000)} MB`;
  const waiting = waitingBytes > 0 ? `; ${waitingBytes} bytes wait for the end of their line` : '';
  return `${lines} new lines (${size}) of ${files} files, ${unchanged} of them as they were${waiting}\n`;
}
