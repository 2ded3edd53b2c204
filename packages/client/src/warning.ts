// What went wrong and stopped nothing.

/**
 * `not-a-frame`: the server sent something that cannot be read; `failed`: the server did not understand us; `no-socket`: a socket could
 * not be made at all; `listener`: a listener threw.
 */
export type WarningKind = 'not-a-frame' | 'failed' | 'no-socket' | 'listener';

export interface Warning {
  readonly kind: WarningKind;
  /** How many of this kind there were. */
  readonly count: number;
  readonly message: string;
  readonly cause?: unknown;
}

export type Warn = (kind: WarningKind, message: string, cause?: unknown) => void;

export function createWarn(onWarning: ((warning: Warning) => void) | undefined): Warn {
  const counts = new Map<WarningKind, number>();
  return (kind, message, cause) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    onWarning?.({ kind, count, message, ...(cause !== undefined && { cause }) });
  };
}
