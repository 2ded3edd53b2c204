// Who did what, and who was turned away: one JSON object a line, in a file that is private to the person.

export interface AuditEntry {
  /** `answer`, `start`, `sign-in`, `refused` and so on. */
  readonly action: string;
  /** Who it was: the id of a sign-in or a program; nothing for somebody who is not known. */
  readonly caller?: string | undefined;
  readonly runId?: string | undefined;
  readonly requestId?: string | undefined;
  /** What became of it: `done`, or the code of the problem. */
  readonly result: string;
  /** Never a secret, a prompt or a path. */
  readonly detail?: string | undefined;
}

export interface Audit {
  write(entry: AuditEntry): void;
  /** Everything is on the disk. */
  close(): Promise<void>;
}
