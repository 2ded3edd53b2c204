// Secrets: from the system's random source, compared in constant time, kept as hashes.

import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_ALPHABET, CODE_LENGTH, SECRET_BYTES } from './limits.ts';

export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** A code that a person types. */
export function createCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Takes as long for a wrong one as for the right one, whatever its length. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
}
