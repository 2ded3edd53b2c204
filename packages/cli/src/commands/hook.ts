import type { Command } from '../command.ts';
import { dataFolder, spoolOf } from '../home.ts';
import { appendLine } from '../hook/append.ts';
import { afterOwnTime } from '../hook/own-time.ts';
import { LONGEST_PAYLOAD, lineOf } from '../hook/payload.ts';
import { receive } from '../hook/receive.ts';

/**
 * `tailrace hook`: keeps what an agent tells of itself, and is never in its way: it prints nothing, ends well whatever happens,
 * and is gone after a second. `hook install` and `hook remove` are for people and print what they do.
 */
export const command: Command = async (words) => {
  if (words.length > 0) return (await import('../hook/settings.ts')).editSettings(words);
  await record();
  // Not by itself: standard input may still be open.
  process.exit(0);
};

/** Milliseconds for reading, which then ends with what is there, and for keeping it: together less than a second. */
const READ_FOR = 540;
const WRITE_FOR = 280;

async function record(): Promise<void> {
  const at = Date.now();
  try {
    const line = lineOf(await receive(process.stdin, LONGEST_PAYLOAD, READ_FOR), at);
    if (!line) return;
    const callOff = afterOwnTime(WRITE_FOR, endNow);
    const home = dataFolder();
    await appendLine(home, spoolOf(home), line).finally(callOff);
  } catch {
    // Whatever it is, the agent must not hear of it.
  }
}

/**
 * Ends the process while a file operation hangs. An exit would wait for it with the thread it runs on: only a signal ends us, or
 * where Node can do that, becoming another program.
 */
function endNow(): void {
  const { execve } = process as { execve?: (file: string, args: readonly string[]) => void };
  try {
    execve?.(process.execPath, [process.execPath, '-e', '0']);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
