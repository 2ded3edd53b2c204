// What can go wrong with a store, each with its own class: what helps against a full disk does not help against a damaged file.

/** `hole`: a line is missing before the first; `newer`: made by a later version; `unsafe`: others may read it. */
export type StoreErrorCode =
  | 'busy'
  | 'full'
  | 'io'
  | 'corrupt'
  | 'read-only'
  | 'not-found'
  | 'refused'
  | 'hole'
  | 'newer'
  | 'unsafe'
  | 'closed'
  | 'unavailable';

/** A failure of the store. `message` says what to do where something can be done. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}
