// What a call of the client fails with.

import type { Problem, ProblemCode } from '@tailrace/protocol';

/** The server's own codes; `closed`: the client was closed before an answer came; `aborted`: the caller did not want it any more. */
export type ClientErrorCode = ProblemCode | 'closed' | 'aborted';

/** A failure with a code. `problem` is what the server said, where it said something. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly isClientError: true = true;
  readonly code: ClientErrorCode;
  readonly problem: Problem | undefined;

  constructor(
    code: ClientErrorCode,
    message: string,
    options: ErrorOptions & { readonly problem?: Problem | undefined } = {},
  ) {
    super(message, options);
    this.code = code;
    this.problem = options.problem;
  }
}

/** Two copies of this package may meet: this asks for the mark, not for the class. */
export function isClientError(value: unknown): value is ClientError {
  return typeof value === 'object' && value !== null && 'isClientError' in value;
}

export function errorOf(problem: Problem): ClientError {
  const { title, detail, code } = problem;
  return new ClientError(code, detail === undefined ? title : `${title}: ${detail}`, { problem });
}
