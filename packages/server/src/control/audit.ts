// Who did what, and who was turned away: one JSON object a line, in a file that is private to the person.

import { closeSync, fsyncSync, renameSync, writeSync } from 'node:fs';
import { openToAppend } from '../guard/private-file.ts';

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

export interface AuditOptions {
  /** The older part lies beside it, with `.1` at its end. */
  readonly file: string;
  readonly clock?: (() => number) | undefined;
  /** A file that has reached this becomes the older one. */
  readonly maxBytes?: number | undefined;
}

/** Two files of this size at most. */
const MAX_AUDIT_BYTES: number = 4 * 1024 * 1024;
/** The longest text of a field: what somebody sends may be in it. */
const MAX_FIELD_LENGTH = 200;

/**
 * Opens the log. Throws where the file is not safe: a link, or open to others. Writing never throws, since nobody's request fails for it:
 * what could not be written is counted, and told with the next line that can.
 */
export function createAudit({ file, clock = Date.now, maxBytes = MAX_AUDIT_BYTES }: AuditOptions): Audit {
  let opened: Opened | undefined = openToAppend(file);
  let bytes = opened.bytes;
  let lost = 0;
  let isClosed = false;

  function rotate(): void {
    if (opened) closeSync(opened.descriptor);
    opened = undefined;
    renameSync(file, `${file}.1`);
  }

  function append(line: Uint8Array): void {
    if (bytes > 0 && bytes + line.length > maxBytes) rotate();
    if (!opened) {
      opened = openToAppend(file);
      bytes = opened.bytes;
    }
    // In one piece: it is added to the end whole, or not at all.
    bytes += writeSync(opened.descriptor, line);
  }

  return {
    write(entry) {
      if (isClosed) return;
      try {
        const missing = lost > 0 ? { lost } : {};
        append(Buffer.from(`${JSON.stringify({ at: clock(), ...bounded(entry), ...missing })}\n`));
        lost = 0;
      } catch {
        lost++;
      }
    },
    async close() {
      isClosed = true;
      if (!opened) return;
      const { descriptor } = opened;
      opened = undefined;
      fsyncSync(descriptor);
      closeSync(descriptor);
    },
  };
}

type Opened = ReturnType<typeof openToAppend>;

function bounded({ action, caller, runId, requestId, result, detail }: AuditEntry): AuditEntry {
  const cut = (text: string | undefined): string | undefined => text?.slice(0, MAX_FIELD_LENGTH);
  return {
    action: action.slice(0, MAX_FIELD_LENGTH),
    caller: cut(caller),
    runId: cut(runId),
    requestId: cut(requestId),
    result: result.slice(0, MAX_FIELD_LENGTH),
    detail: cut(detail),
  };
}
