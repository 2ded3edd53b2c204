// The limits of who may try to get in, and how often.

/** Letters and digits that cannot be taken for each other. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
export const CODE_LENGTH = 8;
/** So long a code can be typed. */
export const CODE_MS = 60_000;
/** Wrong codes that are listened to; after the last of them the code is dead. */
export const CODE_TRIES = 5;
/** Between two codes that are asked for. */
export const CODE_PAUSE_MS = 2_000;
/** A sign-in ends after so long without a request. */
export const SIGN_IN_MS: number = 30 * 86_400_000;
export const MAX_SIGN_INS = 100;
/** Bytes of every secret: 256 bits. */
export const SECRET_BYTES = 32;
/** The file of programs is not read beyond this. */
export const MAX_PROGRAM_FILE_BYTES: number = 1024 * 1024;
