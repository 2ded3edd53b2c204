// What we print may go into a file of the very folder that is watched: `tailrace run … > events.ndjson`.

import { fstatSync, type Stats } from 'node:fs';

/** Whether a file is one that this process prints to: what is said of its change would be the next change. */
export function createOwnOutput(): (file: Stats) => boolean {
  const own = [1, 2].flatMap((fd) => {
    try {
      const stats = fstatSync(fd);
      return stats.isFile() ? [stats] : [];
    } catch {
      // It is closed: nothing is printed there.
      return [];
    }
  });
  return ({ dev, ino }) => own.some((one) => one.dev === dev && one.ino === ino);
}
