import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ImportReport } from '@tailrace/store';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { parseOne } from '../history/filters.ts';
import { catchUp, loadStore, openKept } from '../history/open.ts';
import { retire } from '../history/retention.ts';
import { writeOut } from '../input/write.ts';
import { openLog } from '../log.ts';
import { tellPlainly } from '../printer/hidden.ts';

/** `tailrace import`: takes in the session files that the agents keep themselves; what was taken before is not read again. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { json: { type: 'boolean' }, quiet: { type: 'boolean' }, forgotten: { type: 'boolean' } },
  });
  const dir = parseOne('folder', positionals);
  if (dir !== undefined && isCompressed(dir)) throw new UsageError(`${dir} is compressed: unpack it first`);
  const { importTranscripts } = await loadStore();
  const store = await openKept();
  const stop = new AbortController();
  process.removeAllListeners('SIGINT').once('SIGINT', () => stop.abort());
  try {
    const isWatched = process.stderr.isTTY === true && !values.quiet;
    let files = 0;
    const report = await importTranscripts(store.record, {
      dir,
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
      process.stderr.write(`tailrace: ${tellPlainly(path)}: ${tellPlainly(message)}\n`);
    }
    if (stop.signal.aborted) return 130;
    // What another process is just taking in is in good hands.
    return report.problems.some(({ code }) => code !== 'busy') ? 1 : 0;
  } finally {
    await store.close();
  }
};

/** Its lines would be kept as they are, and nobody could read them. */
function isCompressed(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(2);
    return readSync(file, start) === 2 && start[0] === 0x1f && start[1] === 0x8b;
  } finally {
    closeSync(file);
  }
}

function describe(report: ImportReport): string {
  const { files, unchanged, forgotten, lines, bytes, waitingBytes } = report;
  const size = bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1_000_000)} MB`;
  const rest = [
    unchanged > 0 ? `${unchanged} as they were` : '',
    forgotten > 0 ? `${forgotten} of forgotten sessions left alone` : '',
    waitingBytes > 0 ? `${waitingBytes} bytes wait for the end of their line` : '',
  ].filter(Boolean);
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(lines, 'new line')} (${size}) of ${count(files, 'file')}${rest.map((part) => `, ${part}`).join('')}\n`;
}
