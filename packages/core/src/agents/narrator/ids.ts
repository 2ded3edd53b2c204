// Ids that never start twice: the agent's own, with a number behind it when it was used before.

export type IdFamily = 'turn' | 'step' | 'message' | 'call' | 'task' | 'compaction' | 'hook' | 'request';

export class Ids {
  private readonly used = new Map<string, number>();

  /** The id, made unique within its family. The same on every replay. */
  unique(family: IdFamily, id: string): string {
    const key = `${family} ${id}`;
    const times = (this.used.get(key) ?? 0) + 1;
    this.used.set(key, times);
    // What it is made into may be another's own id.
    return times === 1 ? id : this.unique(family, `${id}#${times}`);
  }
}
