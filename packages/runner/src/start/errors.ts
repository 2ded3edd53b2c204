// What the runner throws.

/** Something that was asked for cannot be done. The message names the thing, the value and the way out. */
export class TailraceError extends Error {
  override readonly name = 'TailraceError';
  /** In kebab-case, for programs. */
  readonly code: string;
  readonly isTailraceError: true = true;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The sentence of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether it is one of ours: told by its mark, since two copies of this package may meet in one program. */
export function isTailraceError(error: unknown): error is TailraceError {
  return typeof error === 'object' && error !== null && 'isTailraceError' in error;
}
