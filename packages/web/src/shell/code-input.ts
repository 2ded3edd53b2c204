// The code that a server shows, as people type and paste it.

/** How long a code is. */
export const CODE_LENGTH = 8;

/**
 * What of a typed text belongs to a code: small letters count as large ones, and spaces and dashes as nothing. Nothing is cut off: what
 * is too long is no code.
 */
export function codeIn(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
