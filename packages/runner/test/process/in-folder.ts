// Finds processes by the folder they work in: another way than the code that is tested goes.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The living processes whose folder is this one. Of whatever was started there, all have it unless they leave it. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const isThere = readlinkSync(`/proc/${name}/cwd`) === folder;
      return isThere && !/\) [ZX] /.test(readFileSync(`/proc/${name}/stat`, 'latin1')) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Waits until the condition holds. The limit is there for the test to end, not to measure. */
export async function until(condition: () => boolean, limit = 60_000): Promise<void> {
  const end = Date.now() + limit;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`this did not come true within ${limit} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Ends whatever a test has left there. */
export async function clear(folder: string): Promise<void> {
  await until(() => {
    const left = processesIn(folder);
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
    return left.length === 0;
  });
}
